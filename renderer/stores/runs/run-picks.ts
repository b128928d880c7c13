/**
 * The runs that the person has chosen to compare: two are shown on the canvas of their flow, and more in a table.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunSummary } from '../../../engine/isomorphic.ts';
import type { Selection } from '../window/selection.ts';
import type { ShownComparison } from './comparison.ts';
import type { NumberedRun } from './history/history-actions.ts';
import { isUnfinished, type LiveRuns } from './live/live-runs.ts';
import { selectShownRun } from './shown-run.ts';

/** How the difference between two texts is shown. */
export type DiffView = 'words' | 'lines' | 'sides';

export interface RunPicks {
  /** Runs of the same flow, in the order in which they were chosen. */
  readonly picked: readonly RunSummary[];
  /** Whether the next run that the person clicks is compared with the chosen one. */
  readonly isPicking: boolean;
  /**
   * Chooses a run, or takes the choice back. A run of another flow replaces the chosen ones.
   * @param shown the run that is on screen, with which the first one is compared
   */
  toggle(run: RunSummary, shown?: RunSummary): void;
  /** Chooses these runs of one flow. */
  pick(runs: readonly RunSummary[]): void;
  /** Chooses only this run, and waits for the other one. */
  pickFor(run: RunSummary): void;
  /** Takes all choices back, and ends the comparison. */
  clear(): void;
  /** Ends the comparison: back to the table from which it was opened, or else to the shown run. */
  endComparison(): void;
  readonly diffView: DiffView;
  setDiffView(view: DiffView): void;
}

/** Returns whether a run can be compared: agents have no canvas, and an active run changes. */
export function isComparable(run: Pick<RunSummary, 'kind' | 'status'>): boolean {
  return run.kind === 'flow' && !isUnfinished(run);
}

/** Returns whether the runs of a flow are shown as a table. */
export function showsTable({ picked }: Pick<RunPicks, 'picked'>, path: string): boolean {
  return picked.length > 2 && picked[0]?.sourcePath === path;
}

/** Returns the index of a node among those that differ, or -1. */
export function differenceAt({ result }: Pick<ShownComparison, 'result'>, nodeId: string | null): number {
  return nodeId === null ? -1 : result.differing.indexOf(nodeId);
}

interface ComparisonViews {
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly selection: StoreApi<Selection>;
}

/** Selects the next or the previous node that differs. Returns whether there is one. */
export function stepDifference({ liveRuns, selection }: ComparisonViews, path: string, by: 1 | -1): boolean {
  const comparison = selectShownRun(liveRuns.getState(), path)?.comparison ?? null;
  if (comparison === null) return false;
  const at = differenceAt(comparison, selection.getState().views.get(path)?.nodeId ?? null);
  const next = comparison.result.differing[at === -1 && by === -1 ? -1 : at + by];
  if (next !== undefined) selection.getState().selectNode(path, next);
  return next !== undefined;
}

/** @param compare shows two runs on the canvas, the older one first */
export function createRunPicks(
  liveRuns: StoreApi<LiveRuns>,
  compare: (a: NumberedRun, b: NumberedRun) => Promise<void>,
): StoreApi<RunPicks> {
  return createStore<RunPicks>()((set, get) => {
    /** Ends the comparison that is on screen. */
    const endComparison = (): void => {
      const { runs, setComparison } = liveRuns.getState();
      for (const { runId, comparison } of runs.values()) if (comparison !== null) setComparison(runId, null);
    };
    const choose = (picked: readonly RunSummary[]): void => {
      endComparison();
      set({ picked, isPicking: false });
      const [a, b, ...more] = picked.toSorted((one, other) => one.number - other.number);
      if (a === undefined || b === undefined || more.length > 0) return;
      // The person may have chosen other runs meanwhile.
      void compare(a, b).then(() => {
        if (get().picked !== picked) endComparison();
      });
    };
    return {
      picked: [],
      isPicking: false,
      toggle(run, shown) {
        if (!isComparable(run)) return;
        const { picked } = get();
        const same = picked.filter(({ sourcePath }) => sourcePath === run.sourcePath);
        const others = same.filter(({ runId }) => runId !== run.runId);
        if (others.length < same.length) choose(others);
        else {
          const isFirst = same.length === 0 && shown !== undefined && isComparable(shown);
          const first = isFirst && shown.runId !== run.runId && shown.sourcePath === run.sourcePath ? [shown] : same;
          choose([...first, run]);
        }
      },
      pick: (runs) => choose(runs.filter(isComparable)),
      pickFor: (run) => {
        choose([run]);
        set({ isPicking: true });
      },
      clear: () => choose([]),
      endComparison() {
        if (get().picked.length > 2) endComparison();
        else choose([]);
      },
      diffView: 'sides',
      setDiffView: (diffView) => set({ diffView }),
    };
  });
}
