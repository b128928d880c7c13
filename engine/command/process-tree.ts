/**
 * Ends processes with all that they have started.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Variable of the environment by which processes are found that have left their parents and their group; inherited by all. */
export const commandMark = 'MILLRACE_COMMAND';

/** Who starts others faster than they are ended is not waited for without an end. */
const mostRounds = 200;

/** Between two looks. */
const pauseMs = 5;

/** So often nobody has to be found where others on the machine come and go too fast to be looked at. */
const quietRounds = 5;

/** A process that was started here, as `ChildProcess` tells of it. */
export interface StartedProcess {
  /** Absent = it could not be started. */
  readonly pid?: number | undefined;
  /** Of both, one is there as soon as it has ended: from then on its id may be given to any other process. */
  readonly exitCode: number | null;
  readonly signalCode: string | null;
}

/**
 * Kills a process, its group and everything below it, at once and without a chance to refuse. Children that have moved to groups of their
 * own are found by their parents. On Linux also those whose parents have ended, by the mark in their environment.
 * @param started leads its own group (`detached`), except on Windows; when it has ended, only those that it has left are killed
 * @param mark what `commandMark` is in its environment; absent = it has none
 */
export async function killTree(started: StartedProcess, mark?: string): Promise<void> {
  const { pid } = started;
  if (pid === undefined) return;
  if (process.platform !== 'win32') await killFamily(pid, started, mark);
  else if (!hasEnded(started)) await output('taskkill', ['/pid', String(pid), '/T', '/F']);
}

function hasEnded({ exitCode, signalCode }: StartedProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function killFamily(pid: number, started: StartedProcess, mark: string | undefined): Promise<void> {
  const others = new Set<number>();
  let seen = await look({ mark, others, killsAtOnce: false });
  // Asked now: it may have ended during the look.
  const isOurs = !hasEnded(started);
  // The id of a group is given to nobody while the group has members. Where it is a process of its own again, there is no such group.
  if (isOurs || !isThere(pid)) kill(-pid);
  let family = sortOut(seen, new Map(), others, isOurs ? pid : undefined);
  let quiet = 0;
  for (let round = 0; round < mostRounds; round++) {
    for (const one of family.keys()) kill(one);
    quiet = family.size > 0 ? 0 : quiet + 1;
    if (quiet >= (seen.isUnsure ? quietRounds : 1)) return;
    await setTimeout(pauseMs);
    seen = await look({ mark, others, killsAtOnce: true });
    family = sortOut(seen, family, others);
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

interface Found {
  readonly parent: number;
  /** When it started, in whatever unit the system has: its id may be given to another one as soon as it has ended. */
  readonly start: string;
  readonly isMarked: boolean;
}

interface Look {
  /** Processes that are alive, by their ids; those that have nothing to do with the family are left out once that is known. */
  readonly found: ReadonlyMap<number, Found>;
  /** Some were gone, or just becoming another program, before it could be seen whose they are: they may have started others. */
  readonly isUnsure: boolean;
}

/**
 * Adds those that were found and are none of the family to the others. One that is just ending has neither parent nor environment any more.
 * @param before those of the family that were alive at the last look
 * @returns those of it that are
 */
function sortOut({ found }: Look, before: Look['found'], others: Set<number>, root?: number): Look['found'] {
  const members = new Map<number, Found>();
  const isOne = (pid: number, { parent, start, isMarked }: Found): boolean => {
    if (isMarked || pid === root || before.get(pid)?.start === start || members.has(parent)) return true;
    // A parent that ended while the others were looked at.
    return before.has(parent) && !found.has(parent);
  };
  for (let size = -1; members.size > size; ) {
    size = members.size;
    for (const [pid, one] of found) if (isOne(pid, one)) members.set(pid, one);
  }
  for (const pid of found.keys()) if (!members.has(pid)) others.add(pid);
  return members;
}

/** The parent of the kernel's own threads, which have neither words nor environment. */
const kernelParent = 2;

interface Looking {
  readonly mark: string | undefined;
  /** Those that are known to be none of the family; who has ended is added, and who is gone is taken out: its id is free again. */
  readonly others: Set<number>;
  /**
   * Those with the mark may start the next one and be gone before the look is over. Not in the first look: children without the mark
   * are known by parents that live.
   */
  readonly killsAtOnce: boolean;
}

/**
 * Looks at processes that were not looked at before, and waits for nothing between two of them. When a look finds nobody and is sure of
 * each, none was alive when it began.
 */
async function look({ mark, others, killsAtOnce }: Looking): Promise<Look> {
  if (process.platform !== 'linux') return { found: await listOfPs(), isUnsure: false };
  const found = new Map<number, Found>();
  let isUnsure = false;
  for (const pid of newIds(others)) {
    const seen = lookAt(pid, mark);
    if (typeof seen === 'object') {
      found.set(pid, seen);
      if (seen.isMarked && killsAtOnce) kill(pid);
    } else {
      isUnsure = true;
      if (seen === 'ended') others.add(pid);
    }
  }
  return { found, isUnsure };
}

/** Ids of processes that are not known; those of others that are gone are forgotten. */
function newIds(others: Set<number>): number[] {
  const there = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const listed = new Set(there);
  for (const pid of others) if (!listed.has(pid)) others.delete(pid);
  return there.filter((pid) => !others.has(pid));
}

/** Fields of `stat` are those of proc(5). */
function lookAt(pid: number, mark: string | undefined): Found | 'ended' | 'unsure' {
  const stat = contentOf(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything; the third field follows its last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, start] = [fields[0], Number(fields[1]), fields[19]];
  if (start === undefined) return 'unsure';
  // A zombie has ended; only nobody has asked for its exit code yet.
  if (state === 'Z') return 'ended';
  const seen = { parent, start, isMarked: false };
  if (mark === undefined) return seen;
  const environment = contentOf(`/proc/${pid}/environ`);
  if (`\0${environment}\0`.includes(`\0${commandMark}=${mark}\0`)) return { ...seen, isMarked: true };
  if (environment !== '' || pid === kernelParent || parent === kernelParent) return seen;
  return contentOf(`/proc/${pid}/cmdline`) === '' ? 'unsure' : seen;
}

/** Returns the living processes that have a mark which fits, on Linux; elsewhere none. */
export function listMarked(
  fits: (mark: string) => boolean,
): readonly { readonly pid: number; readonly start: string }[] {
  if (process.platform !== 'linux') return [];
  return newIds(new Set()).flatMap((pid) => {
    const environment = `\0${contentOf(`/proc/${pid}/environ`)}`;
    const [, mark] = new RegExp(`\0${commandMark}=([^\0]*)`).exec(environment) ?? [];
    const seen = mark === undefined || !fits(mark) ? undefined : lookAt(pid, mark);
    return typeof seen === 'object' ? [{ pid, start: seen.start }] : [];
  });
}

/** Empty where the process has ended, or belongs to somebody else. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

async function listOfPs(): Promise<Look['found']> {
  const lines = (await output('ps', ['-A', '-o', 'pid=,ppid=,state=,lstart='])).split('\n');
  const found = new Map<number, Found>();
  for (const line of lines) {
    const [pid, parent, state, ...start] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) continue;
    found.set(Number(pid), { parent: Number(parent), start: start.join(' '), isMarked: false });
  }
  return found;
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}
