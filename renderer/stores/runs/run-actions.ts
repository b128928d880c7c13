/**
 * What a person may ask for about runs. Each asks the engine and shows what it says; none pretends a result.
 */
import type { StoreApi } from 'zustand/vanilla';
import {
  type AutonomyLevel,
  asRunId,
  type Diagnostic,
  EngineError,
  type JsonMap,
  type JsonValue,
  type RunId,
  type RunKind,
  type RunPart,
  type SuspensionDecision,
} from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';
import type { Notices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import type { Preferences } from '../window/preferences.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type CalledRuns, createCalledRuns, nameInRoot } from './called-runs.ts';
import { createHistoryActions, type HistoryActions, type HistoryContext } from './history-actions.ts';
import type { LiveRuns } from './live-runs.ts';
import type { BeginRun } from './permission-ask.ts';
import { outputProblems, type PinnedOutputs, type Pins } from './pins.ts';
import { createPlanActions, type PlanActions, textsOnScreen } from './plan-actions.ts';
import type { RunFollower } from './run-follower.ts';
import { createWhatIf, type WhatIfActions } from './what-if.ts';

/** A person's answer to nodes that wait. */
interface RunAnswer {
  readonly decision?: SuspensionDecision;
  /** The answer to what a node asks, in place of a decision. */
  readonly payload?: JsonMap;
  /** Where a node asks several things. */
  readonly key?: string;
  /** Empty = nothing to say. */
  readonly comment: string;
  /** The node by its place in the run; absent = all that wait. */
  readonly nodeId?: string;
}

/** An ended run that is to run again, from a node on or up to one. */
export interface RerunTarget {
  readonly path: string;
  readonly runId: RunId;
  /** From here on all runs; absent = what has changed or is not there. */
  readonly nodeId?: string;
  /** Only this runs. */
  readonly part?: RunPart;
  /** What runs instead of the text on screen, which stays as it is. */
  readonly text?: string;
}

/** What a run does less than the flow says. */
export interface NarrowedStart {
  readonly part?: RunPart;
  /** Lowers what the flow declares. */
  readonly autonomy?: AutonomyLevel;
  /** Outputs of nodes that are given for this run alone. */
  readonly given?: PinnedOutputs;
}

/** What a node alone would get and do. */
export type NodePlan = EngineResult<'planNode'>;

/** What a rerun would do with each node, in start order. */
export type RerunPlan = EngineResult<'planRerun'>;

/** Why a node would not simply take over its result, with the names that people see. @param nameOf the name by a node's id */
export function reasonText({ whyParts }: RerunPlan[number], nameOf: (nodeId: string) => string): string {
  return whyParts.map((part) => (typeof part === 'string' ? part : nameOf(part.nodeId))).join('');
}

/** What actions on runs read and change. */
export interface ActionContext {
  readonly engine: EngineClient;
  readonly follower: RunFollower;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly notices: StoreApi<Notices>;
  readonly panes: StoreApi<Panes>;
  readonly workspace: StoreApi<Workspace>;
  readonly preferences: StoreApi<Pick<Preferences, 'open'>>;
  readonly begin: BeginRun;
  readonly pins: StoreApi<Pins>;
}

export interface RunActions extends HistoryActions, CalledRuns, WhatIfActions, PlanActions {
  /** Runs the text on screen, or a part of it, with what is pinned. A refusal is shown as a notice, and its problems in the dock. */
  start(path: string, inputs: Readonly<Record<string, JsonValue>>, only?: NarrowedStart): Promise<void>;
  /** Runs the text on screen again with the inputs of an earlier run of it: the one given, else the latest. */
  redo(path: string, earlier?: RunId): Promise<void>;
  /** Runs the text on screen again as a new run that takes over what nothing has changed for. */
  rerun(target: RerunTarget): Promise<void>;
  /** Lets a run go on that was cut off with its engine. Resolves when the engine has agreed or refused. */
  resume(runId: RunId): Promise<void>;
  /** Answers what a suspended run asks. Resolves with whether the engine has agreed. */
  answer(runId: RunId, answer: RunAnswer): Promise<boolean>;
  /** Asks a run to stop; until its end arrives it counts as cancelling. */
  cancel(runId: RunId): Promise<void>;
  /** Shows a run of the history over its flow or agent, which is opened if it is not. */
  openRun(path: string, runId: RunId, kind?: RunKind): Promise<void>;
}

/** @throws EngineError `run.not-found` */
async function latestRunOf(engine: EngineClient, path: string): Promise<RunId> {
  const runs = await engine.call('listRuns', { sourcePath: path, limit: 1 });
  const [latest] = runs;
  if (latest !== undefined) return asRunId(latest.runId);
  throw new EngineError({ code: 'run.not-found', message: 'It has not been run yet. Run it first.' });
}

/** Shows why a run was refused. */
function showRefusal({ workspace, panes, notices, preferences }: ActionContext, title: string, error: unknown): void {
  // What refused this run, such as a full disk, may be true of all.
  void workspace.getState().refreshNotices();
  if (EngineError.is(error) && error.code === 'flow.invalid') panes.getState().showDock('problems');
  // The missing ones are entered there and then, where it says which.
  if (EngineError.is(error) && error.code === 'secret.missing') preferences.getState().open('secrets');
  else notices.getState().addError(title, error);
}

/** What only the engine finds, such as a tool that nobody has, stands with the other problems until the text is another one. */
function showFound({ openFiles }: ActionContext, { path, text }: OpenFile, error: unknown): void {
  if (!EngineError.is(error) || error.code !== 'flow.invalid' || !Array.isArray(error.details)) return;
  if (openFiles.getState().files.get(path)?.text !== text) return;
  // The engine gives with this code what it has found, each as this window's own check would.
  openFiles.getState().patch(path, { diagnostics: error.details as readonly Diagnostic[] });
}

/** Says what is pinned and no longer fits its node, or has none; only what does not fit is in the way of a run. */
function hasBadPins({ pins, notices }: ActionContext, flow: OpenFile, part: RunPart | undefined): boolean {
  const bad = Object.entries(pins.getState().forRun(flow, part)).flatMap(([id, output]) => {
    const [problem] = outputProblems(flow, id, output);
    return problem === undefined ? [] : [`What is pinned to ${id} is no output of its type: ${problem}`];
  });
  if (bad[0] !== undefined) {
    const detail = `${bad[0]} Edit it (Shift+P) or unpin it (P).`;
    notices.getState().add({ tone: 'error', title: 'A pinned output does not fit', detail });
  }
  return bad.length > 0;
}

type StartingActions = Pick<RunActions, 'start' | 'redo' | 'rerun'>;

function createStartingActions(context: ActionContext): StartingActions {
  const { engine, follower, liveRuns, panes, begin } = context;
  const { fileOf, pinsOf, withText } = textsOnScreen(context);
  const show = (runId: string, path: string, definition: OpenFile | null): void => {
    liveRuns.getState().announce({ runId: asRunId(runId), path, definition });
    panes.getState().showRun();
  };

  return {
    async start(path, inputs, only) {
      const { given, ...narrowed } = only ?? {};
      const { part } = narrowed;
      const flow = fileOf(path);
      if (flow?.status !== 'ready' || hasBadPins(context, flow, part)) return;
      try {
        const all = { ...pinsOf(path, part).pins, ...given };
        const request = {
          ...{ path, text: flow.text, inputs, ...narrowed },
          ...(Object.keys(all).length === 0 ? {} : { pins: all }),
        };
        const accepted = await begin('startRun', request);
        if (accepted !== null) show(accepted.runId, path, flow);
      } catch (error) {
        showFound(context, flow, error);
        showRefusal(context, 'The run was refused', error);
      }
    },
    async redo(path, earlier) {
      const flow = fileOf(path);
      try {
        const lastText = flow?.isMissing || flow?.isDirty ? { text: flow.text } : {};
        const accepted = await begin('redo', { runId: earlier ?? (await latestRunOf(engine, path)), ...lastText });
        if (accepted === null) return;
        show(accepted.runId, path, null);
        await follower.learn(asRunId(accepted.runId));
      } catch (error) {
        showRefusal(context, 'The run could not be redone', error);
      }
    },
    async rerun(target) {
      const flow = fileOf(target.path);
      if (flow !== undefined && hasBadPins(context, flow, target.part)) return;
      try {
        const accepted = await begin('rerunFrom', withText(target));
        if (accepted === null) return;
        show(accepted.runId, target.path, null);
        if (target.text !== undefined) liveRuns.getState().loosen(target.path);
        await follower.learn(asRunId(accepted.runId));
      } catch (error) {
        showRefusal(context, 'The run could not be repeated', error);
      }
    },
  };
}

export function createRunActions(context: ActionContext & HistoryContext): RunActions {
  const { engine, main, follower, openFiles, liveRuns, notices } = context;

  const goOn = async (runId: RunId, answer: Partial<RunAnswer>): Promise<boolean> => {
    let isTaken = false;
    try {
      // The run is resumed even if the processes that it has left cannot be listed.
      await main.call('runs.endLeft', { runId }).catch(() => undefined);
      await engine.call('resumeRun', { runId, ...answer });
      isTaken = true;
      await follower.follow(runId);
    } catch (error) {
      showRefusal(context, 'The run could not go on', error);
    }
    return isTaken;
  };

  const openRun = async (path: string, runId: RunId, kind: RunKind = 'flow'): Promise<void> => {
    const opening = openFiles.getState().open(path, kind);
    liveRuns.getState().choose(path, runId);
    try {
      await Promise.all([opening, follower.follow(runId)]);
    } catch (error) {
      liveRuns.getState().hide(path);
      notices.getState().addError('The run could not be opened', error);
    }
  };

  return {
    ...createStartingActions(context),
    async resume(runId) {
      await goOn(runId, {});
    },
    answer(runId, { comment, nodeId, ...answer }) {
      const said = comment.trim();
      const run = liveRuns.getState().runs.get(runId);
      // What waits in a called run is answered by the one at the top.
      const name = nodeId === undefined || run === undefined ? nodeId : nameInRoot(run, nodeId);
      return goOn(run?.caller?.runId ?? runId, {
        ...answer,
        ...(name === undefined ? {} : { nodeId: name }),
        ...(said === '' ? {} : { comment: said }),
      });
    },
    async cancel(runId) {
      liveRuns.getState().setCancelling(runId, true);
      try {
        await engine.call('cancelRun', runId);
        // The engine leaves a run alone that is over already; then no event follows that says so.
        await follower.followUnfinished();
      } catch (error) {
        liveRuns.getState().setCancelling(runId, false);
        notices.getState().addError('The run could not be cancelled', error);
      }
    },
    openRun,
    ...createWhatIf(context),
    ...createCalledRuns(context),
    ...createHistoryActions(context, openRun),
    ...createPlanActions(context),
  };
}
