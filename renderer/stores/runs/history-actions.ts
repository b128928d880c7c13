/**
 * Actions for a run in the history: compare it with another one, export it, delete it.
 */

import type { StoreApi } from 'zustand/vanilla';
import { jsonEquals, type RunId, type RunState } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { OpenFiles } from '../text/files.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import type { Selection } from '../window/selection.ts';
import { formerRun } from './former-runs.ts';
import type { LiveRuns } from './live/live-runs.ts';
import { text } from './text.ts';

/** A run of a flow with its displayed number. */
export interface NumberedRun {
  readonly runId: RunId;
  readonly number: number;
  readonly sourcePath: string;
}

export interface HistoryActions {
  /**
   * Opens a run of a flow beside the outputs of another one, and selects the first node with a different output. Shows
   * which nodes differ.
   */
  compare(run: NumberedRun, other: NumberedRun): Promise<void>;
  /** Exports a run to a file, or its trace to a folder, selected by the user in a system dialog. */
  exportRun(runId: RunId, format: HistoryExportFormat): Promise<void>;
  /** Permanently deletes a run after the user confirms in a system dialog. */
  deleteRun(runId: RunId): Promise<void>;
}

/** The complete run for Millrace, its trace for other programs, or its spans for OpenTelemetry. */
export type HistoryExportFormat = 'bundle' | 'trace' | 'otlp';

/** The state that these actions read and change. */
export interface HistoryContext {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly notices: StoreApi<WindowNotices>;
  readonly panes: StoreApi<Panes>;
  readonly selection: StoreApi<Selection>;
}

/**
 * Returns the nodes of the flow itself with different outputs, including those without an output in one of the runs, in
 * start order.
 */
function changedNodes(now: RunState, before: RunState): readonly string[] {
  const ids = new Set([...now.nodes.keys(), ...before.nodes.keys()]);
  return [...ids].filter((id) => {
    const [a, b] = [now.nodes.get(id)?.output, before.nodes.get(id)?.output];
    if (id.includes('.') || a === b) return false;
    return a === undefined || b === undefined || !jsonEquals(a, b);
  });
}

export function createHistoryActions(
  context: HistoryContext,
  openRun: (path: string, runId: RunId) => Promise<void>,
): HistoryActions {
  const { engine, main, liveRuns, notices, selection, panes, openFiles } = context;

  const tellChanges = (run: NumberedRun, other: NumberedRun, before: RunState): void => {
    const now = liveRuns.getState().runs.get(run.runId)?.state;
    if (now === undefined) return;
    const changed = changedNodes(now, before);
    const nodes = openFiles.getState().files.get(run.sourcePath)?.doc?.nodes ?? [];
    const names = new Map(nodes.map(({ id, name }) => [id, name ?? id]));
    const title = text.history.compared({ run: run.number, other: other.number });
    const list = changed.map((id) => names.get(id) ?? id).join(', ');
    const detail = changed.length === 0 ? text.history.allSame : text.history.different({ nodes: list });
    notices.getState().add({ tone: 'info', title, detail });
    const [first] = changed;
    if (first === undefined) return;
    selection.getState().selectNode(run.sourcePath, first);
    panes.getState().setOpen('inspector', true);
    panes.getState().chooseNodeTab('output');
  };

  return {
    async compare(run, other) {
      await openRun(run.sourcePath, run.runId);
      const before = await formerRun(engine, other.runId);
      if (before === null) {
        const detail = text.history.notComparable({ run: other.number });
        notices.getState().add({ tone: 'error', title: text.history.compareFailed, detail });
        return;
      }
      liveRuns.getState().compare(run.runId, other.runId);
      tellChanges(run, other, before);
    },
    async exportRun(runId, format) {
      try {
        const { path } = await main.call('runs.export', { runId, format });
        if (path !== null) notices.getState().add({ tone: 'info', title: text.history.exported, detail: path });
      } catch (error) {
        notices.getState().addError(text.history.exportFailed, error);
      }
    },
    async deleteRun(runId) {
      try {
        const { isDone } = await main.call('runs.delete', { runId });
        if (isDone) liveRuns.getState().forget(runId);
      } catch (error) {
        notices.getState().addError(text.history.deleteFailed, error);
      }
    },
  };
}
