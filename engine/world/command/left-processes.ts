/**
 * Finds processes that a run's commands left running, by the mark in their environment, and ends them. Works only on
 * Linux, because other processes' environments are not readable elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { commandLineOf } from './output-holders.ts';
import { listMarked } from './process-tree.ts';

/** A running process that was started by a command. */
export interface LeftProcess {
  readonly pid: number;
  /** Command line, shortened. */
  readonly command: string;
  /** Start time in a system-specific unit. It identifies the process, because IDs can be reused. */
  readonly start: string;
}

/** Creates a command's mark. @param runId the command's run */
export function markOf(runId: string | undefined): string {
  return `${runId === undefined ? '' : `${runId}.`}${randomBytes(12).toString('hex')}`;
}

/** Returns the processes started by these runs' commands, sorted by ID. */
export function leftProcessesOf(runIds: ReadonlySet<string>): readonly LeftProcess[] {
  return listMarked((mark) => runIds.has(mark.slice(0, Math.max(0, mark.lastIndexOf('.'))))).map(({ pid, start }) => ({
    ...{ pid, start },
    command: commandLineOf(pid),
  }));
}

/**
 * Kills those of the given processes that still belong to these runs. A process that reuses another one's ID is not
 * killed.
 */
export function endLeftProcesses(runIds: ReadonlySet<string>, processes: readonly LeftProcess[]): void {
  const agreed = new Set(processes.map(({ pid, start }) => `${pid} ${start}`));
  for (const { pid, start } of leftProcessesOf(runIds)) {
    if (!agreed.has(`${pid} ${start}`)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}
