/**
 * Prevents keys and buttons that are pressed twice from starting two runs.
 */
import type { Stores } from '../../stores/stores.ts';
import type { CommandContext } from './command.ts';

/** Milliseconds after a start during which the same command counts as a double press. */
export const doublePressMs = 500;

interface Starts {
  /** Files in which a run is being started. */
  readonly underWay: Set<string>;
  /** The run that was last started, by command and file. */
  readonly fresh: Map<string, string>;
}

const startsIn = new WeakMap<Stores, Starts>();

/**
 * Starts a run of the active file, unless a run is already being started there or the run on screen was started moments
 * ago by the same command.
 * @param command identifies the command and its target, because a different command may follow at once
 */
export async function startOnce(
  { stores }: CommandContext,
  command: string,
  start: (path: string) => Promise<void>,
): Promise<void> {
  const path = stores.openFiles.getState().activePath;
  if (path === null) return;
  const starts = startsIn.get(stores) ?? { underWay: new Set(), fresh: new Map() };
  startsIn.set(stores, starts);
  const { underWay, fresh } = starts;
  const shownRun = (): string | undefined => stores.liveRuns.getState().shown.get(path)?.runId;
  const before = shownRun();
  const key = `${command} ${path}`;
  if (underWay.has(path) || (before !== undefined && fresh.get(key) === before)) return;
  underWay.add(path);
  try {
    await start(path);
  } finally {
    underWay.delete(path);
    const started = shownRun();
    if (started !== undefined && started !== before) {
      fresh.set(key, started);
      setTimeout(() => fresh.get(key) === started && fresh.delete(key), doublePressMs);
    }
  }
}
