/**
 * Finds the processes that keep a command's output streams open after its program has ended.
 */
import { type ChildProcess, execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { listMarked } from './process-tree.ts';

/** A running process, described so that users can find it. */
interface Holder {
  readonly pid: number;
  /** Command line, shortened. */
  readonly command: string;
}

/** Finds the processes that currently hold the output streams. */
export type FindHolders = () => Promise<readonly Holder[]>;

const longestCommand = 120;
const mostNamed = 5;

/**
 * Must be called right after a program has started, while it still has its output streams. If the program has already
 * ended, on Linux, all running processes that it started are named.
 * @param child leads its own group
 * @param mark value of `commandMark` in its environment
 */
export function holdersOf({ pid }: Pick<ChildProcess, 'pid'>, mark: string): FindHolders {
  if (pid === undefined || process.platform === 'win32') return async () => [];
  if (process.platform !== 'linux') return async () => await membersOf(pid);
  const outputs = new Set([1, 2].flatMap((descriptor) => linkAt(`/proc/${pid}/fd/${descriptor}`) ?? []));
  return async () => (outputs.size > 0 ? holdersIn(outputs) : startedWith(mark));
}

/** Lists the processes as text; empty if there are none. */
export function outputHolderText(holders: readonly Holder[]): string {
  const named = holders.slice(0, mostNamed).map(({ pid, command }) => `${command} (process ${pid})`);
  const more = holders.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // The process has ended, or belongs to another user.
    return undefined;
  }
}

function holdersIn(outputs: ReadonlySet<string>): readonly Holder[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => holdsOne(pid, outputs)).map((pid) => ({ pid, command: commandLineOf(pid) }));
}

function startedWith(mark: string): readonly Holder[] {
  return listMarked((one) => one === mark).map(({ pid }) => ({ pid, command: commandLineOf(pid) }));
}

function holdsOne(pid: number, outputs: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((name) => outputs.has(linkAt(`/proc/${pid}/fd/${name}`) ?? ''));
  } catch {
    return false;
  }
}

/** Returns the command line of a process on Linux, shortened to one line. */
export function commandLineOf(pid: number): string {
  try {
    return shortened(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
  } catch {
    return 'a process';
  }
}

function shortened(command: string): string {
  const line = command.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'a process';
  return line.length <= longestCommand ? line : `${line.slice(0, longestCommand - 1)}…`;
}

/** Returns the processes in the program's group, for systems that do not list open files. */
function membersOf(group: number): Promise<readonly Holder[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,pgid=,command='], (_error, stdout) => {
      const found = stdout.split('\n').flatMap((line): readonly Holder[] => {
        const [, pid, of, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
        if (Number(of) !== group || Number(pid) === group) return [];
        return [{ pid: Number(pid), command: shortened(command) }];
      });
      resolve(found);
    });
  });
}
