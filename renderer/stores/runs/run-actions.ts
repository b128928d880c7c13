/**
 * Actions on runs. Each calls the engine and shows its response; no result is simulated.
 */

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
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { OpenFile } from '../text/file.ts';
import type { ActionContext } from './action-context.ts';
import { type ChildRunActions, createCalledRuns, nameInRoot } from './called-runs.ts';
import { createHistoryActions, type HistoryActions, type HistoryContext } from './history/history-actions.ts';
import { createHoldActions, type HoldActions } from './hold-actions.ts';
import { outputProblems, type PinnedOutputs } from './pins.ts';
import {
  createPlanActions,
  type PlanActions,
  type RerunPlan,
  type RerunTarget,
  textsOnScreen,
} from './plan-actions.ts';
import { text as words } from './text.ts';
import { createWhatIf, type WhatIfActions } from './what-if.ts';

/** An answer to waiting nodes. */
interface RunAnswer {
  readonly decision?: SuspensionDecision;
  /** The answer to a request, instead of a decision. */
  readonly payload?: JsonMap;
  /** Identifies the request if a node has several. */
  readonly key?: string;
  /** Empty if there is none. */
  readonly comment: string;
  /** Path of the node in the run. Undefined for all waiting nodes. */
  readonly nodeId?: string;
}

/** Restrictions of a run compared with the flow. */
export interface NarrowedStart {
  readonly part?: RunPart;
  /** Lowers the level that the flow declares. */
  readonly autonomy?: AutonomyLevel;
  /** Outputs of nodes for this run only. */
  readonly given?: PinnedOutputs;
}

/**
 * Describes why the result of a node would not be reused, with display names. @param nameOf returns the name for a
 * node's ID
 */
export function reasonText({ whyParts }: RerunPlan[number], nameOf: (nodeId: string) => string): string {
  return whyParts.map((part) => (typeof part === 'string' ? part : nameOf(part.nodeId))).join('');
}

export interface WindowRunActions extends HistoryActions, ChildRunActions, WhatIfActions, PlanActions, HoldActions {
  /**
   * Runs the text on screen, or a part of it, with pinned outputs. An error is shown as a notice, and its problems in
   * the dock.
   */
  start(path: string, inputs: Readonly<Record<string, JsonValue>>, only?: NarrowedStart): Promise<void>;
  /** Runs the text on screen again with the inputs of an earlier run: the given one, or else the latest. */
  redo(path: string, earlier?: RunId): Promise<void>;
  /**
   * Runs the text on screen as a new run that reuses all results that are still valid. Resolves to null if it was not
   * started; a notice says why.
   */
  rerun(target: RerunTarget): Promise<RunId | null>;
  /**
   * Resumes a run that was interrupted together with its engine. Resolves when the engine has accepted or rejected it.
   */
  resume(runId: RunId): Promise<void>;
  /** Answers a request of a suspended run. Resolves to whether the engine has accepted the answer. */
  answer(runId: RunId, answer: RunAnswer): Promise<boolean>;
  /** Lets a paused run continue or take a step, also one that is still pausing. */
  letGo(runId: RunId, action: 'continue' | 'step'): Promise<void>;
  /** Shows a run of the history over its flow or agent, which is opened if necessary. */
  openRun(path: string, runId: RunId, kind?: RunKind): Promise<void>;
}

/** @throws EngineError `run.not-found` */
async function latestRunOf(engine: EngineClient, path: string): Promise<RunId> {
  const runs = await engine.call('listRuns', { sourcePath: path, limit: 1 });
  const [latest] = runs;
  if (latest !== undefined) return asRunId(latest.runId);
  throw new EngineError({ code: 'run.not-found', message: words.actions.noRun });
}

/** Shows why a run was rejected. */
function showRefusal({ workspace, panes, notices, preferences }: ActionContext, title: string, error: unknown): void {
  // The cause, such as a full disk, may affect everything.
  void workspace.getState().refreshNotices();
  if (EngineError.is(error) && error.code === 'flow.invalid') panes.getState().showDock('problems');
  // Opens the settings for missing secrets, where they can be entered.
  if (EngineError.is(error) && error.code === 'secret.missing') preferences.getState().open('secrets');
  else notices.getState().addError(title, error);
}

/**
 * Shows errors that only the engine can find, such as an unknown tool, with the other problems until the text changes.
 */
function showFound({ openFiles }: ActionContext, { path, text }: OpenFile, error: unknown): void {
  if (!EngineError.is(error) || error.code !== 'flow.invalid' || !Array.isArray(error.details)) return;
  if (openFiles.getState().files.get(path)?.text !== text) return;
  // The details of an error with this code are diagnostics in the same form as those of this window.
  openFiles.getState().patch(path, { diagnostics: error.details as readonly Diagnostic[] });
}

/** Reports pins that no longer match their node, or have none. Only those that do not match prevent a run. */
function hasBadPins({ pins, notices }: ActionContext, flow: OpenFile, part: RunPart | undefined): boolean {
  const bad = Object.entries(pins.getState().forRun(flow, part)).flatMap(([id, output]) => {
    const [problem] = outputProblems(flow, id, output);
    return problem === undefined ? [] : [words.pins.invalid({ id, problem })];
  });
  const [detail] = bad;
  if (detail !== undefined) notices.getState().add({ tone: 'error', title: words.pins.invalidTitle, detail });
  return detail !== undefined;
}

type StartingActions = Pick<WindowRunActions, 'start' | 'redo' | 'rerun'>;

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
        showRefusal(context, words.actions.startFailed, error);
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
        showRefusal(context, words.actions.redoFailed, error);
      }
    },
    async rerun(target) {
      const flow = fileOf(target.path);
      if (flow !== undefined && hasBadPins(context, flow, target.part)) return null;
      try {
        const accepted = await begin('rerunFrom', withText(target));
        if (accepted === null) return null;
        show(accepted.runId, target.path, null);
        if (target.text !== undefined) liveRuns.getState().loosen(target.path);
        await follower.learn(asRunId(accepted.runId));
        return asRunId(accepted.runId);
      } catch (error) {
        showRefusal(context, words.actions.rerunFailed, error);
        return null;
      }
    },
  };
}

export function createRunActions(context: ActionContext & HistoryContext): WindowRunActions {
  const { engine, main, follower, openFiles, liveRuns, notices } = context;

  const proceed = async (
    runId: RunId,
    answer: Partial<RunAnswer> & { readonly action?: 'continue' | 'step' },
  ): Promise<boolean> => {
    let isTaken = false;
    try {
      // The run is resumed even if its remaining processes cannot be listed.
      // A paused run has none.
      if (answer.action === undefined) await main.call('runs.endLeft', { runId }).catch(() => undefined);
      await engine.call('resumeRun', { runId, ...answer });
      isTaken = true;
      await follower.follow(runId);
    } catch (error) {
      showRefusal(context, words.actions.continueFailed, error);
    }
    return isTaken;
  };

  const openRun = async (path: string, runId: RunId, kind: RunKind = 'flow'): Promise<void> => {
    const opening = openFiles.getState().open(path, kind);
    liveRuns.getState().choose(path, runId);
    try {
      await Promise.all([opening, follower.follow(runId)]);
      void engine.call('attachRun', runId).catch(() => undefined);
    } catch (error) {
      liveRuns.getState().hide(path);
      notices.getState().addError(words.actions.openFailed, error);
    }
  };

  return {
    ...createStartingActions(context),
    async resume(runId) {
      await proceed(runId, {});
    },
    answer(runId, { comment, nodeId, ...answer }) {
      const said = comment.trim();
      const run = liveRuns.getState().runs.get(runId);
      // A request of a child run is answered through the root run.
      const name = nodeId === undefined || run === undefined ? nodeId : nameInRoot(run, nodeId);
      return proceed(run?.caller?.runId ?? runId, {
        ...answer,
        ...(name === undefined ? {} : { nodeId: name }),
        ...(said === '' ? {} : { comment: said }),
      });
    },
    async letGo(runId, action) {
      if (await proceed(runId, { action })) liveRuns.getState().setPausing(runId, false);
    },
    ...createHoldActions(context),
    openRun,
    ...createWhatIf(context),
    ...createCalledRuns(context),
    ...createHistoryActions(context, openRun),
    ...createPlanActions(context),
  };
}
