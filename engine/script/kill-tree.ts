/**
 * Ends a process together with all that it started.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/**
 * Kills a process, its group and everything below it, at once and without a chance to refuse. Children that have moved
 * to groups of their own are found by their parents.
 * @param pid of a process that leads its own group (`detached`), except on Windows
 */
export async function killTree(pid: number): Promise<void> {
  if (process.platform === 'win32') {
    await output('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  const below = descendantsOf(pid, await parents());
  for (const one of [-pid, pid, ...below]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** Process → its parent. */
async function parents(): Promise<ReadonlyMap<number, number>> {
  return process.platform === 'linux' ? await parentsOfProc() : await parentsOfPs();
}

async function parentsOfProc(): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The name in parentheses may hold anything; state and parent follow its last one.
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
      if (parent !== undefined) found.set(Number(pid), Number(parent));
    }),
  );
  return found;
}

async function parentsOfPs(): Promise<ReadonlyMap<number, number>> {
  const lines = (await output('ps', ['-A', '-o', 'pid=,ppid='])).split('\n');
  return new Map(
    lines.map((line): [number, number] => {
      const [pid = '', parent = ''] = line.trim().split(/\s+/);
      return [Number(pid), Number(parent)];
    }),
  );
}

function descendantsOf(pid: number, parentOf: ReadonlyMap<number, number>): number[] {
  const children = [...parentOf].filter(([child, parent]) => parent === pid && child !== pid).map(([child]) => child);
  return children.flatMap((child) => [child, ...descendantsOf(child, parentOf)]);
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}
