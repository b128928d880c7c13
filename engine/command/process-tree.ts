/**
 * Ends processes with all that they have started.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** Variable of the environment by which processes are found that have left their parents and their group; inherited by all. */
export const commandMark = 'MILLRACE_COMMAND';

/** Who starts others faster than they are ended is not waited for without an end. */
const mostRounds = 50;

/**
 * Kills a process, its group and everything below it, at once and without a chance to refuse. Children that have moved to groups of their
 * own are found by their parents. On Linux also those whose parents have ended, by the mark in their environment.
 * @param pid of a process that leads its own group (`detached`), except on Windows
 * @param mark what `commandMark` is in its environment; absent = it has none
 */
export async function killTree(pid: number, mark?: string): Promise<void> {
  if (process.platform === 'win32') {
    await output('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  const killed = new Set<number>();
  for (let round = 0; round < mostRounds; round++) {
    const table = await processes(mark);
    const found = new Set([...descendantsOf(pid, table), ...table.marked]);
    found.delete(pid);
    // One that is just ending has neither parent nor environment any more.
    const isEnding = [...killed].some((one) => table.parentOf.has(one));
    if (round > 0 && found.size === 0 && !isEnding) return;
    for (const one of found) killed.add(one);
    for (const one of [-pid, pid, ...found]) {
      try {
        process.kill(one, 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
    }
  }
}

interface ProcessTable {
  /** Process → its parent. */
  readonly parentOf: ReadonlyMap<number, number>;
  readonly marked: readonly number[];
}

async function processes(mark: string | undefined): Promise<ProcessTable> {
  if (process.platform !== 'linux') return { parentOf: await parentsOfPs(), marked: [] };
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = new Map<number, number>();
  const marked: number[] = [];
  await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The name in parentheses may hold anything; state and parent follow its last one.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended; only nobody has asked for its exit code yet.
      if (parent === undefined || state === 'Z') return;
      found.set(Number(pid), Number(parent));
      if (mark === undefined) return;
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      if (`\0${environment}\0`.includes(`\0${commandMark}=${mark}\0`)) marked.push(Number(pid));
    }),
  );
  return { parentOf: found, marked };
}

async function parentsOfPs(): Promise<ReadonlyMap<number, number>> {
  const lines = (await output('ps', ['-A', '-o', 'pid=,ppid=,state='])).split('\n');
  return new Map(
    lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , state]) => state?.startsWith('Z') === false)
      .map(([pid = '', parent = '']): [number, number] => [Number(pid), Number(parent)]),
  );
}

function descendantsOf(pid: number, table: ProcessTable): number[] {
  const children = [...table.parentOf].filter(([child, parent]) => parent === pid && child !== pid);
  return children.flatMap(([child]) => [child, ...descendantsOf(child, table)]);
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}
