/**
 * Finds processes that commands of a run have left behind, by the mark in their environment, and ends them. Only on Linux: elsewhere the
 * environment of others cannot be read.
 */
import { randomBytes } from 'node:crypto';
import { commandLineOf } from './output-holders.ts';
import { listMarked } from './process-tree.ts';

/** A process that a command has started and that still runs. */
export interface LeftProcess {
  readonly pid: number;
  /** With its arguments, shortened. */
  readonly command: string;
  /** When it started, in a unit of the system: its id may be given to another process once it has ended. */
  readonly start: string;
}

/** Makes the mark of one command. @param runId of the run that it belongs to */
export function markOf(runId: string | undefined): string {
  return `${runId === undefined ? '' : `${runId}.`}${randomBytes(12).toString('hex')}`;
}

/** Returns the processes that commands of these runs have started, in the order of their ids. */
export function leftProcessesOf(runIds: ReadonlySet<string>): readonly LeftProcess[] {
  return listMarked((mark) => runIds.has(mark.slice(0, Math.max(0, mark.lastIndexOf('.'))))).map(({ pid, start }) => ({
    ...{ pid, start },
    command: commandLineOf(pid),
  }));
}

/** Kills the given processes that still belong to these runs. A process that has got the id of another one is left alone. */
export function endLeftProcesses(runIds: ReadonlySet<string>, processes: readonly LeftProcess[]): void {
  const agreed = new Set(processes.map(({ pid, start }) => `${pid} ${start}`));
  for (const { pid, start } of leftProcessesOf(runIds)) {
    if (!agreed.has(`${pid} ${start}`)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
}
