/**
 * Defines the dependencies of conversations: files, models, and the flow runner.
 */

import type { Clock } from '../../base/clock.ts';
import type { IdSource, RunId, SessionId } from '../../base/ids.ts';
import type { SessionStore } from '../../history/store/session-store.ts';
import type { EndedRun } from '../../host/executor/active-runs.ts';
import type { StartRun } from '../../host/executor/start-request.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { FlowClass } from '../catalog/base-flow.ts';
import type { Catalogue } from '../catalog/catalogue.ts';
import type { TextQuestion } from '../meaning/reply-prompt.ts';
import type { NluScript } from '../meaning/scripted-nlu.ts';
import type { ModelQuestion } from '../meaning/slot-prompt.ts';
import type { OutsideEffect, TurnPolicyRefusal } from '../session/session-event.ts';
import type { Need } from './skill-flow.ts';

/** The flow runner, as conversations use it. */
export interface ConversationRuns {
  /** Starts a run with the id of its conversation. @throws EngineError like `Engine.startRun` */
  start(request: StartRun): Promise<unknown>;
  /** Resumes a run that no process owns. Has no effect if it is already running. */
  resume(runId: RunId): Promise<unknown>;
  /** Returns whether a suspended run has been answered but not resumed. */
  isAnswered(runId: RunId): boolean;
  find(runId: RunId): RunSummary | undefined;
  /** Resolves when the run has ended or waits; immediately if another process runs it. */
  whenEnded(runId: RunId): Promise<EndedRun>;
  /** Returns whether the run has reached its first step. A refused run never does. */
  hasBegun(runId: RunId): boolean;
  /**
   * Returns the output of a completed run: all declared outputs of its flow, or the output of its last node if none are
   * declared.
   */
  resultOf(runId: RunId): JsonValue;
  /** Returns a node's output in an ended run; undefined if there is none. */
  nodeOutput(runId: RunId, nodeId: string): JsonValue | undefined;
  /** Returns the effects of the run that cannot be undone. */
  effectsOf(runId: RunId): readonly OutsideEffect[];
  /**
   * Returns the flow that the run has requested and that must run before it can continue; undefined if there is none.
   */
  needOf(runId: RunId): Need | undefined;
  /** Resumes the run with the result of that flow. Has no effect if it has already continued. */
  answerNeed(runId: RunId, found: JsonValue): Promise<void>;
  /** Returns the open requests of the run, one line each. */
  questionsOf(runId: RunId): readonly string[];
  cancel(runId: RunId): void;
  /** Ends a run that waits for a person. @returns false if it had already continued or ended */
  end(runId: RunId): Promise<boolean>;
  /** Returns whether a flow has no effects for any inputs. Also false if this is unknown. */
  onlyReads(flow: string): Promise<boolean>;
  /** Returns whether a tool has no effects. */
  isReadingTool(tool: string): Promise<boolean>;
  /**
   * Calls the listener when a run has ended or waits, in this or another process. Returns a function that unsubscribes.
   */
  watch(listener: () => void): () => void;
}

/** The model to call, and the signal that cancels the call. */
export interface ConversationModelCall {
  /** Undefined for the default model. */
  readonly model: string | undefined;
  readonly signal: AbortSignal;
  /** Receives the complete response so far as it streams. */
  readonly onText?: (text: string) => void;
}

/** A model call and its result as stored in the log: a value or text, or the reason there is none. */
export type ModelNote = JsonMap & {
  readonly model?: string;
  readonly value?: JsonValue;
  /**
   * The problem as a sentence. `isFailure` means that the model could not be reached, as opposed to an unusable
   * response.
   */
  readonly problem?: string;
  readonly isFailure?: true;
  /** Set if a policy refused the call. If the response exceeded a budget, it may still be included. */
  readonly refused?: TurnPolicyRefusal;
  /** Set if the policy refused because the prompt appears to contain injected instructions. */
  readonly isWithheld?: true;
  /**
   * Set if the caller's budget is exhausted: a sentence that names the budget and the rule. No more requests are sent.
   */
  readonly overBudget?: string;
};

/** A caller of models. All its calls share one budget, like a run's requests. */
export interface ConversationModelCaller {
  readonly sessionId: SessionId;
  /** Path of the catalog. The policy of the product that contains it also applies. */
  readonly path: string;
  /** Display name that can start a sentence. */
  readonly who: string;
}

/**
 * One caller's model calls. After an unusable response, the request is sent once more. Throws only the signal's reason.
 */
export interface ModelCalls {
  value(question: ModelQuestion, call: ConversationModelCall): Promise<ModelNote>;
  text(question: TextQuestion, call: ConversationModelCall): Promise<ModelNote>;
  /** Counts the usage from before an interruption. */
  recall(note: ModelNote): void;
}

/** Models behind the workspace's gate. */
export interface ConversationModels {
  open(asker: ConversationModelCaller): ModelCalls;
  /**
   * Returns whether a current policy refuses every request that contains this text, because it appears to contain
   * injected instructions.
   * @param path path of the catalog
   */
  withholds(path: string, text: string): boolean;
}

export interface ConversationWorld {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly runs: ConversationRuns;
  readonly models: ConversationModels;
  /** Reads the text of a workspace file. @throws EngineError `files.*` */
  readonly readText: (path: string) => Promise<string>;
  /** The host program's classes for flows, found by the flow's name, otherwise by its intent. */
  readonly flowClasses?: readonly FlowClass[] | undefined;
  /** Receives listeners' errors, and unexpected errors from which the conversation has recovered. */
  readonly onError: (thrown: unknown) => void;
}

/** The version of a catalog that a conversation keeps, with the files it names. */
export interface HeldCatalogue {
  readonly catalogue: Catalogue;
  /**
   * Path of the file, relative to the workspace, with `/`. Files named in it are resolved relative to this path, even
   * after the catalog was moved.
   */
  path: string;
  /** Script from `nlu: { script }`. */
  readonly script: NluScript | undefined;
}
