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

/**
 * Kills a process, its group and everything below it, at once and without a chance to refuse. Children that have moved to groups of their
 * own are found by their parents. On Linux also those whose parents have ended, by the mark in their environment.
 * @param pid of a process that leads its own group (`detached`), except on Windows
 * @param mark what `commandMark` is in its environment; absent = it has none
 */
export async function killTree(pid: number, mark?: string): Promise<void> {
  if (process.platform === 'win32') await output('taskkill', ['/pid', String(pid), '/T', '/F']);
  else await killFamily(pid, mark);
}

async function killFamily(pid: number, mark: string | undefined): Promise<void> {
  const family = new Set([pid]);
  const others = new Set<number>();
  let quiet = 0;
  for (let round = 0; round < mostRounds; round++) {
    const isFirst = round === 0;
    const { found, isUnsure } = await look({ mark, others, killsAtOnce: !isFirst });
    if (isFirst) kill(-pid);
    const alive = sortOut(found, family, others);
    alive.forEach(kill);
    quiet = alive.size > 0 ? 0 : quiet + 1;
    if (quiet >= (isUnsure ? quietRounds : 1)) return;
    await setTimeout(pauseMs);
  }
}

/** Adds each that was found to one of the two. @returns those of the family */
function sortOut(found: Look['found'], family: Set<number>, others: Set<number>): ReadonlySet<number> {
  const alive = membersOf(family, found);
  for (const one of found.keys()) (alive.has(one) ? family : others).add(one);
  return alive;
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
  readonly isMarked: boolean;
}

interface Look {
  /** Processes that are alive, by their ids; those that have nothing to do with the family are left out once that is known. */
  readonly found: ReadonlyMap<number, Found>;
  /** Some were gone, or just becoming another program, before it could be seen whose they are: they may have started others. */
  readonly isUnsure: boolean;
}

/** Those of the family that are alive. One that is just ending has neither parent nor environment any more. */
function membersOf(family: ReadonlySet<number>, found: Look['found']): ReadonlySet<number> {
  const members = new Set<number>();
  for (let before = -1; members.size > before; ) {
    before = members.size;
    for (const [pid, { parent, isMarked }] of found)
      if (isMarked || family.has(pid) || family.has(parent) || members.has(parent)) members.add(pid);
  }
  return members;
}

/** The parent of the kernel's own threads, which have neither words nor environment. */
const kernelParent = 2;

interface Looking {
  readonly mark: string | undefined;
  /** Those that are known to be none of the family; who has ended is added. */
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
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || others.has(pid)) continue;
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

function lookAt(pid: number, mark: string | undefined): Found | 'ended' | 'unsure' {
  const stat = contentOf(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything; state and parent follow its last one.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (parent === undefined) return 'unsure';
  // A zombie has ended; only nobody has asked for its exit code yet.
  if (state === 'Z') return 'ended';
  const seen = { parent: Number(parent), isMarked: false };
  if (mark === undefined) return seen;
  const environment = contentOf(`/proc/${pid}/environ`);
  if (`\0${environment}\0`.includes(`\0${commandMark}=${mark}\0`)) return { ...seen, isMarked: true };
  if (environment !== '' || pid === kernelParent || seen.parent === kernelParent) return seen;
  return contentOf(`/proc/${pid}/cmdline`) === '' ? 'unsure' : seen;
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
  const lines = (await output('ps', ['-A', '-o', 'pid=,ppid=,state='])).split('\n');
  return new Map(
    lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , state]) => state?.startsWith('Z') === false)
      .map(([pid = '', parent = '']): [number, Found] => [Number(pid), { parent: Number(parent), isMarked: false }]),
  );
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}
