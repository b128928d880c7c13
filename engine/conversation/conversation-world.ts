/**
 * What holds conversations is given: files, models, and whoever runs flows.
 */
import type { Clock } from '../base/clock.ts';
import type { IdSource, RunId, SessionId } from '../base/ids.ts';
import type { FlowClass } from '../dialogue/base-flow.ts';
import type { Catalogue } from '../dialogue/catalogue.ts';
import type { TextQuestion } from '../dialogue/reply-prompt.ts';
import type { NluScript } from '../dialogue/scripted-nlu.ts';
import type { OutsideEffect, Refusal } from '../dialogue/session-event.ts';
import type { ModelQuestion } from '../dialogue/slot-prompt.ts';
import type { EndedRun } from '../executor/active-runs.ts';
import type { StartRun } from '../executor/flow-jobs.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { RunSummary } from '../kernel/run-state.ts';
import type { SessionStore } from '../store/session-store.ts';

/** Whoever runs flows, as conversations need it. */
export interface ConversationRuns {
  /** Starts the run with the id of its conversation. @throws EngineError as `Engine.startRun` does */
  start(request: StartRun): Promise<unknown>;
  /** Has a run go on that nobody has; harmless where it goes on already. */
  resume(runId: RunId): Promise<unknown>;
  /** Whether somebody has answered what a suspended run asks, and nobody has had it go on since. */
  isAnswered(runId: RunId): boolean;
  find(runId: RunId): RunSummary | undefined;
  /** Resolves when it has ended or waits; at once where somebody else runs it. */
  whenEnded(runId: RunId): Promise<EndedRun>;
  /** Whether it has come to its first step: not where it was refused before. */
  hasBegun(runId: RunId): boolean;
  /** Returns what a completed run gave: the declared outputs of its flow, whole; without any, what its last node gave. */
  resultOf(runId: RunId): JsonValue;
  /** The nodes' output of a run that has ended, by name; undefined = there is no such. */
  nodeOutput(runId: RunId, nodeId: string): JsonValue | undefined;
  /** What it has done outside, that nothing takes back. */
  effectsOf(runId: RunId): readonly OutsideEffect[];
  /** The flow that has to run before it goes on, as it has asked; undefined = it asks for none. */
  needOf(runId: RunId): { readonly flow: string; readonly slots: JsonMap; readonly reason: string } | undefined;
  /** Has it go on with what that flow has found. Harmless where it has gone on already. */
  giveFound(runId: RunId, found: JsonValue): Promise<void>;
  /** What people are asked for it at present, one line each. */
  questionsOf(runId: RunId): readonly string[];
  cancel(runId: RunId): void;
  /** Ends a run that waits for a person. @returns false if it had already continued or ended */
  end(runId: RunId): Promise<boolean>;
  /** Whether a flow changes nothing outside, whatever its inputs are. Also false where that cannot be said. */
  onlyReads(flow: string): Promise<boolean>;
  /** The same of a tool. */
  isReadingTool(tool: string): Promise<boolean>;
  /** Tells that a run has ended, or waits, here or elsewhere. Returns the subscription's end. */
  watch(listener: () => void): () => void;
}

/** Which model is asked, and until when. */
export interface ModelCall {
  /** Undefined = the default model. */
  readonly model: string | undefined;
  readonly signal: AbortSignal;
  /** Gets all of the answer so far, as it comes. */
  readonly onText?: (text: string) => void;
}

/** What a model was asked and gave, as the log keeps it: a value or a text, or why there is none. */
export type ModelNote = JsonMap & {
  readonly model?: string;
  readonly value?: JsonValue;
  /** A sentence. `isFailure`: the model was not reached, rather than misunderstood. */
  readonly problem?: string;
  readonly isFailure?: true;
  /** A policy has said no; for a budget that the answer has used up, there may be an answer all the same. */
  readonly refused?: Refusal;
  /** The policy has said no because somebody else seems to give instructions in what the model was to be given. */
  readonly isWithheld?: true;
  /** The budget of whoever asks is used up: which, by which rule, in a sentence. Nothing more is sent. */
  readonly overBudget?: string;
};

/** Who asks models: what it asks shares one budget, as the requests of a run do. */
export interface Asker {
  readonly sessionId: SessionId;
  /** Of the catalogue: the policy of the product that it lies in counts, too. */
  readonly path: string;
  /** For people, as a sentence begins. */
  readonly who: string;
}

/** Models for one asker. An answer that is none is asked for once more. Nothing throws but the signal's reason. */
export interface ModelCalls {
  value(question: ModelQuestion, call: ModelCall): Promise<ModelNote>;
  text(question: TextQuestion, call: ModelCall): Promise<ModelNote>;
  /** Counts what the asker was given before it was cut. */
  recall(note: ModelNote): void;
}

/** Models behind the gate of the workspace. */
export interface ConversationModels {
  open(asker: Asker): ModelCalls;
  /**
   * Whether a policy of the moment refuses every request that holds this text, because somebody else seems to give instructions in it.
   * @param path of the catalogue
   */
  withholds(path: string, text: string): boolean;
}

export interface ConversationWorld {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly runs: ConversationRuns;
  readonly models: ConversationModels;
  /** The text of a file of the workspace. @throws EngineError `files.*` */
  readonly readText: (path: string) => Promise<string>;
  /** Classes of the program that flows are objects of: by their name, else by their intent. */
  readonly flowClasses?: readonly FlowClass[] | undefined;
  /** Gets what a listener threw, or what must not be and was survived. */
  readonly onError: (thrown: unknown) => void;
}

/** A catalogue in the version that a conversation keeps to, with what it names. */
export interface HeldCatalogue {
  readonly catalogue: Catalogue;
  /** Where its file lies, relative to the workspace, with `/`. What it names is looked for beside it, also after the file was moved. */
  path: string;
  /** Of `nlu: { script }`. */
  readonly script: NluScript | undefined;
}
