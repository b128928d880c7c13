/**
 * Leads from a node that calls a flow to the called flow: in a run, to the child run with the text that it executes, or
 * else to the flow itself.
 */
import type { StoreApi } from 'zustand/vanilla';
import { callType, type NodeDoc, type RunId, type RunState, taskIdOf } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { openCalledFlow } from '../text/called-flows.ts';
import { checkText } from '../text/check.ts';
import type { OpenFiles } from '../text/files.ts';
import type { WindowNotices } from '../window/notices.ts';
import { initialFlowView, type Selection } from '../window/selection.ts';
import type { LiveRun, LiveRuns } from './live/live-runs.ts';
import { flowOnScreen, placeInRun, selectShownDefinition, selectShownRun } from './shown-run.ts';
import { text } from './text.ts';

export interface ChildRunActions {
  /** Shows a child run, direct or nested, of the run shown over `from`, over its own flow. */
  showCalled(from: string, called: RunId): Promise<void>;
  /**
   * Opens the flow called by a node of type `flow`, as it is on screen. A notice explains why nothing can be opened.
   */
  openCall(path: string, nodeId: string): Promise<void>;
  /** Opens the flow and the run from which the child run shown over `path` was opened. */
  goBack(path: string): void;
}

interface CalledRunServices {
  readonly engine: EngineClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly selection: StoreApi<Selection>;
  readonly notices: StoreApi<WindowNotices>;
}

/** Returns the runs that a task started, in order. `taskId` is null for those started outside any task. */
export function calledRuns(root: RunState, runId: RunId | null, taskId: string | null): readonly RunState[] {
  return [...root.children.values()].filter(
    ({ parentRunId, parentTaskId }) => parentRunId === runId && parentTaskId === taskId,
  );
}

/**
 * Returns the paths of the tabs that lead to the child run shown over `path`, from the root run on. Empty for any other
 * run.
 */
export function callersOf(state: LiveRuns, path: string): readonly string[] {
  const paths: string[] = [];
  for (let run = selectShownRun(state, path); run?.caller != null; run = selectShownRun(state, run.caller.path)) {
    if (paths.includes(run.caller.path)) break;
    paths.unshift(run.caller.path);
  }
  return paths;
}

/** Returns the root run of a child run, or the run itself if it has no parent, as it is now. */
export function rootRunOf({ runs }: LiveRuns, run: LiveRun): LiveRun {
  return runs.get(run.caller?.runId ?? run.runId) ?? run;
}

/** Returns the full name of a node in a child run, by which it is answered in the root run. */
export function nameInRoot({ caller, state }: LiveRun, nodeId: string): string {
  const names = [nodeId];
  let called = caller === null ? undefined : state;
  while (called !== undefined && called.parentTaskId !== null) {
    names.unshift(called.parentTaskId.replace(/^node:/, ''));
    called = called.parentRunId === null ? undefined : state.children.get(called.parentRunId);
  }
  return names.join('/');
}

/** Returns the node as it is on screen: from the shown run, or from the file. */
function nodeOnScreen({ openFiles, liveRuns }: CalledRunServices, path: string, nodeId: string): NodeDoc | undefined {
  const file = openFiles.getState().files.get(path);
  const shown = flowOnScreen(file, selectShownDefinition(liveRuns.getState(), path));
  return shown?.doc?.nodes.find(({ id, type }) => id === nodeId && type === callType);
}

/** Returns the last run that the node has started, in the selected item. */
function lastCalled({ liveRuns, selection }: CalledRunServices, path: string, nodeId: string): RunId | null {
  const run = selectShownRun(liveRuns.getState(), path);
  if (run === undefined) return null;
  const { items } = selection.getState().views.get(path) ?? initialFlowView;
  const taskId = taskIdOf(placeInRun(run, nodeId, items));
  return calledRuns(run.state, run.runId, taskId).at(-1)?.runId ?? null;
}

export function createCalledRuns(services: CalledRunServices): ChildRunActions {
  const { engine, openFiles, liveRuns, notices } = services;
  const tell = (title: string, detail: string): void => notices.getState().add({ tone: 'info', title, detail });

  const learn = async (root: RunId, called: RunId): Promise<void> => {
    try {
      const definition = await engine.call('readCalledDefinition', root, called);
      liveRuns.getState().setDefinition(called, checkText(definition, 'flow'));
    } catch (error) {
      notices.getState().addError(text.childRuns.readFailed, error);
    }
  };

  const showCalled = async (from: string, called: RunId): Promise<void> => {
    const shown = selectShownRun(liveRuns.getState(), from);
    if (shown === undefined) return;
    const root = shown.caller?.runId ?? shown.runId;
    liveRuns.getState().chooseCalled(from, root, called);
    const path = liveRuns.getState().runs.get(called)?.state.sourcePath;
    if (path !== undefined) await Promise.all([openFiles.getState().open(path), learn(root, called)]);
  };

  return {
    showCalled,
    async openCall(path, nodeId) {
      const name = nodeOnScreen(services, path, nodeId)?.input['flow'];
      if (name === undefined) return;
      const called = lastCalled(services, path, nodeId);
      if (called !== null) return showCalled(path, called);
      if (typeof name !== 'string' || name === '') return tell(text.childRuns.noFlow, text.childRuns.selectFlow);
      if (name.includes('{{')) {
        return tell(text.childRuns.knownInRun, text.childRuns.hasBinding({ path: name }));
      }
      await openCalledFlow(services, path, name);
    },
    goBack(path) {
      const caller = selectShownRun(liveRuns.getState(), path)?.caller;
      if (caller == null) return;
      const { runs } = liveRuns.getState();
      const there = selectShownRun(liveRuns.getState(), caller.path);
      const isThere = there?.runId === caller.runId || there?.caller?.runId === caller.runId;
      if (!isThere && runs.get(caller.runId)?.state.sourcePath === caller.path) {
        liveRuns.getState().choose(caller.path, caller.runId);
      }
      void openFiles.getState().open(caller.path);
    },
  };
}
