/**
 * Keeps keys and buttons that are pressed twice from starting two runs.
 */
import type { Stores } from '../../stores/stores.ts';
import type { CommandContext } from './command.ts';

/** Milliseconds behind a start in which the same command is taken for a second press of the same. */
export const doublePressMs = 500;

interface Starts {
  /** Files with a start under way. */
  readonly underWay: Set<string>;
  /** By command and file: the run that it has just started there. */
  readonly fresh: Map<string, string>;
}

const startsIn = new WeakMap<Stores, Starts>();

/**
 * Starts a run of the active file, unless one is on its way to start there, which may take as long as a plan does, or the run on
 * screen is one that the same command has just started.
 * @param command what asks for the run, and what for: another wish may follow at once
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
