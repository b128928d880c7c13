/**
 * Actions for a run in the history: compare it with another one, export it, delete it.
 */

import type { StoreApi } from 'zustand/vanilla';
import type { NodeInRuns, RunId, RunSide } from '../../../../engine/isomorphic.ts';
import type { EngineClient } from '../../../bridge/engine-client.ts';
import type { MainClient } from '../../../bridge/main-client.ts';
import { checkText } from '../../text/check.ts';
import type { OpenFiles } from '../../text/files.ts';
import type { WindowNotices } from '../../window/notices.ts';
import type { Panes } from '../../window/panes.ts';
import type { Selection } from '../../window/selection.ts';
import type { ShownComparison } from '../comparison.ts';
import type { LiveRuns } from '../live/live-runs.ts';
import { selectShownRun } from '../shown-run.ts';
import { text } from '../text.ts';

/** A run of a flow with its displayed number. */
export interface NumberedRun {
  readonly runId: RunId;
  readonly number: number;
  readonly sourcePath: string;
}

export interface HistoryActions {
  /** Shows two runs of a flow on its canvas, and selects the first node that differs. A notice says why it cannot. */
  compare(a: NumberedRun, b: NumberedRun): Promise<void>;
  /** Shows child runs of the runs that are compared over a flow, on the canvas of their own flow. */
  compareCalled(path: string, called: NonNullable<NodeInRuns['called']>): Promise<void>;
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

export function createHistoryActions(
  context: HistoryContext,
  openRun: (path: string, runId: RunId) => Promise<void>,
): HistoryActions {
  const { engine, main, liveRuns, notices, selection, panes, openFiles } = context;

  const show = async (
    { sourcePath, ...parts }: Pick<ShownComparison, 'request' | 'numbers'> & { readonly sourcePath: string },
    readText: (side: RunSide) => Promise<string>,
  ): Promise<void> => {
    const { request } = parts;
    const result = await engine.call('compareRuns', request);
    const [a, b] = [await readText('a'), await readText('b')];
    const { makeComparison } = await import('../comparison.ts');
    const texts = { a: checkText(a, 'flow'), b: checkText(b, 'flow') };
    liveRuns.getState().setComparison(request.called?.b ?? request.b, makeComparison({ ...parts, result, texts }));
    panes.getState().setOpen('inspector', true);
    panes.getState().chooseNodeTab('compare');
    panes.getState().showDock('compare-output');
    const [first] = result.differing;
    if (first !== undefined) selection.getState().selectNode(sourcePath, first);
  };
  const tellFailure = (error: unknown): void => notices.getState().addError(text.history.compareFailed, error);

  return {
    async compare(a, b) {
      try {
        await openRun(b.sourcePath, b.runId);
        const request = { a: a.runId, b: b.runId };
        const numbers = { a: a.number, b: b.number };
        await show({ request, numbers, sourcePath: b.sourcePath }, (side) =>
          engine.call('readDefinition', request[side]),
        );
      } catch (error) {
        tellFailure(error);
      }
    },
    async compareCalled(path, { sourcePath, runs }) {
      const shown = selectShownRun(liveRuns.getState(), path);
      if (shown?.comparison == null) return;
      const { request, numbers } = shown.comparison;
      try {
        liveRuns.getState().chooseCalled(path, request.b, runs.b);
        await openFiles.getState().open(sourcePath);
        await show({ request: { ...request, called: runs }, numbers, sourcePath }, (side) =>
          engine.call('readCalledDefinition', request[side], runs[side]),
        );
      } catch (error) {
        tellFailure(error);
      }
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
