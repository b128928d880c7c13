/**
 * Ends processes and all their descendants.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/**
 * Environment variable that identifies processes that have left their parents and group. All descendants inherit it.
 */
export const commandMark = 'MILLRACE_COMMAND';

/** Maximum number of rounds, in case processes start others faster than they are killed. */
const mostRounds = 200;

/** Milliseconds between two scans. */
const pauseMs = 5;

/** Number of consecutive empty scans required if processes on the machine start and end too fast to be inspected. */
const quietRounds = 5;

/** A process started here, with the fields of `ChildProcess`. */
export interface StartedProcess {
  /** Absent if the process could not be started. */
  readonly pid?: number | undefined;
  /** One of the two is set as soon as the process has ended. From then on, its ID can be reused. */
  readonly exitCode: number | null;
  readonly signalCode: string | null;
}

/**
 * Kills a process, its group and all descendants immediately. Children in other groups are found through their
 * parents, and on Linux, if their parents have ended, through the mark in their environment.
 * @param started leads its own group (`detached`), except on Windows; if it has ended, only the processes that it left
 * running are killed
 * @param mark value of `commandMark` in its environment; absent if it has none
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
  // Checked here, because the process may have ended during the scan.
  const isOurs = !hasEnded(started);
  // A group's ID is not reused while the group has members. If another process has that ID now, the group no longer
  // exists.
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
    // The process has already ended.
  }
}

interface ProcessEntry {
  readonly parent: number;
  /** Start time in a system-specific unit. It identifies the process, because IDs can be reused. */
  readonly start: string;
  readonly isMarked: boolean;
}

interface Look {
  /** Running processes by ID, without those already known to be unrelated. */
  readonly found: ReadonlyMap<number, ProcessEntry>;
  /**
   * Whether some processes ended, or were executing another program, before they could be inspected. They may have
   * started others.
   */
  readonly isUnsure: boolean;
}

/**
 * Adds the scanned processes that are not part of the family to `others`. A process that is about to end has neither a
 * parent nor an environment.
 * @param before members of the family at the last scan
 * @returns the current members
 */
function sortOut({ found }: Look, before: Look['found'], others: Set<number>, root?: number): Look['found'] {
  const members = new Map<number, ProcessEntry>();
  const isOne = (pid: number, { parent, start, isMarked }: ProcessEntry): boolean => {
    if (isMarked || pid === root || before.get(pid)?.start === start || members.has(parent)) return true;
    // The parent ended during the scan.
    return before.has(parent) && !found.has(parent);
  };
  for (let size = -1; members.size > size; ) {
    size = members.size;
    for (const [pid, one] of found) if (isOne(pid, one)) members.set(pid, one);
  }
  for (const pid of found.keys()) if (!members.has(pid)) others.add(pid);
  return members;
}

/** Parent of kernel threads, which have neither a command line nor an environment. */
const kernelParent = 2;

interface ProcessSearch {
  readonly mark: string | undefined;
  /**
   * Processes known to be unrelated. Ended ones are added, and those that no longer exist are removed because their IDs
   * can be reused.
   */
  readonly others: Set<number>;
  /**
   * Whether to kill processes with the mark immediately, because they may start another process and exit before the
   * scan ends. Not in the first scan, because children without the mark are found through running parents.
   */
  readonly killsAtOnce: boolean;
}

/**
 * Inspects new processes synchronously, one after the other. If a scan has inspected every process and finds no
 * members, none was running when it started.
 */
async function look({ mark, others, killsAtOnce }: ProcessSearch): Promise<Look> {
  if (process.platform !== 'linux') return { found: await listOfPs(), isUnsure: false };
  const found = new Map<number, ProcessEntry>();
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

/** Returns the IDs of unknown processes, and removes ended ones from `others`. */
function newIds(others: Set<number>): number[] {
  const there = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const listed = new Set(there);
  for (const pid of others) if (!listed.has(pid)) others.delete(pid);
  return there.filter((pid) => !others.has(pid));
}

/** Reads fields of `stat` as described in proc(5). */
function lookAt(pid: number, mark: string | undefined): ProcessEntry | 'ended' | 'unsure' {
  const stat = contentOf(`/proc/${pid}/stat`);
  // The name in parentheses can contain anything. The third field follows its last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, start] = [fields[0], Number(fields[1]), fields[19]];
  if (start === undefined) return 'unsure';
  // A zombie has ended, but its exit code has not been read.
  if (state === 'Z') return 'ended';
  const seen = { parent, start, isMarked: false };
  if (mark === undefined) return seen;
  const environment = contentOf(`/proc/${pid}/environ`);
  if (`\0${environment}\0`.includes(`\0${commandMark}=${mark}\0`)) return { ...seen, isMarked: true };
  if (environment !== '' || pid === kernelParent || parent === kernelParent) return seen;
  return contentOf(`/proc/${pid}/cmdline`) === '' ? 'unsure' : seen;
}

/** Returns running processes with a matching mark on Linux; none elsewhere. */
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

/** Returns an empty string if the process has ended or belongs to another user. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

async function listOfPs(): Promise<Look['found']> {
  const lines = (await output('ps', ['-A', '-o', 'pid=,ppid=,state=,lstart='])).split('\n');
  const found = new Map<number, ProcessEntry>();
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
