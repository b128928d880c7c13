/**
 * From a node that calls a flow to what it called: in a run that run, with the text that it executes; else the flow itself.
 */
import type { StoreApi } from 'zustand/vanilla';
import { callType, type NodeDoc, type RunId, type RunState, taskIdOf } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { openCalledFlow } from '../text/called-flows.ts';
import { checkText } from '../text/check.ts';
import type { OpenFiles } from '../text/files.ts';
import type { Notices } from '../window/notices.ts';
import { initialFlowView, type Selection } from '../window/selection.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';
import { flowOnScreen, placeInRun, selectShownDefinition, selectShownRun } from './shown-run.ts';

export interface CalledRuns {
  /** Shows a run that the run shown over `from`, or one below it, has called, over the flow that it is of. */
  showCalled(from: string, called: RunId): Promise<void>;
  /** Opens what a node of type `flow` calls, as it is on screen; a notice says why nothing can be opened. */
  openCall(path: string, nodeId: string): Promise<void>;
  /** Opens the flow, with the run over it, in which the called run was opened that is shown over `path`. */
  goBack(path: string): void;
}

interface CalledRunServices {
  readonly engine: EngineClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly selection: StoreApi<Selection>;
  readonly notices: StoreApi<Notices>;
}

/** The runs that a task of a run called, in their order; `taskId` null = those that it called outside of any task. */
export function calledRuns(root: RunState, runId: RunId | null, taskId: string | null): readonly RunState[] {
  return [...root.children.values()].filter(
    ({ parentRunId, parentTaskId }) => parentRunId === runId && parentTaskId === taskId,
  );
}

/** Paths of the tabs that lead to the called run that is shown over `path`, from the run at the top on; empty for any other. */
export function callersOf(state: LiveRuns, path: string): readonly string[] {
  const paths: string[] = [];
  for (let run = selectShownRun(state, path); run?.caller != null; run = selectShownRun(state, run.caller.path)) {
    if (paths.includes(run.caller.path)) break;
    paths.unshift(run.caller.path);
  }
  return paths;
}

/** The run at the top, of which a called one is a part; the run itself when nothing called it. */
export function rootRunOf({ runs }: LiveRuns, run: LiveRun): LiveRun {
  return run.caller === null ? run : (runs.get(run.caller.runId) ?? run);
}

/** The full name of a node of a called run, by which the run at the top is answered for it. */
export function nameInRoot({ caller, state }: LiveRun, nodeId: string): string {
  const names = [nodeId];
  let called = caller === null ? undefined : state;
  while (called !== undefined && called.parentTaskId !== null) {
    names.unshift(called.parentTaskId.replace(/^node:/, ''));
    called = called.parentRunId === null ? undefined : state.children.get(called.parentRunId);
  }
  return names.join('/');
}

/** The node as it is on screen: of the run that is shown, or of the file. */
function nodeOnScreen({ openFiles, liveRuns }: CalledRunServices, path: string, nodeId: string): NodeDoc | undefined {
  const file = openFiles.getState().files.get(path);
  const shown = flowOnScreen(file, selectShownDefinition(liveRuns.getState(), path));
  return shown?.doc?.nodes.find(({ id, type }) => id === nodeId && type === callType);
}

/** The last run that the node has called, in the item that is looked at. */
function lastCalled({ liveRuns, selection }: CalledRunServices, path: string, nodeId: string): RunId | null {
  const run = selectShownRun(liveRuns.getState(), path);
  if (run === undefined) return null;
  const { items } = selection.getState().views.get(path) ?? initialFlowView;
  const taskId = taskIdOf(placeInRun(run, nodeId, items));
  return calledRuns(run.state, run.runId, taskId).at(-1)?.runId ?? null;
}

export function createCalledRuns(services: CalledRunServices): CalledRuns {
  const { engine, openFiles, liveRuns, notices } = services;
  const tell = (title: string, detail: string): void => notices.getState().add({ tone: 'info', title, detail });

  const learn = async (root: RunId, called: RunId): Promise<void> => {
    try {
      const definition = await engine.call('readCalledDefinition', root, called);
      liveRuns.getState().setDefinition(called, checkText(definition, 'flow'));
    } catch (error) {
      notices.getState().addError('The text of the called run could not be read', error);
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
      if (typeof name !== 'string' || name === '') return tell('No flow is called yet', 'Choose one in the inspector.');
      if (name.includes('{{')) {
        return tell(
          'Which flow it calls only a run knows',
          `Its path has a binding: ${name}. Run it, then open it again.`,
        );
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
