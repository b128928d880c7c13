/**
 * Handles inputs that ask a person: emits the request, stores the state during the wait, and restores it with the
 * answer.
 */

import { EngineError, fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { refuseIfPure } from '../../language/agent/agent-contract.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { SuspendReason } from '../kernel/events/run-event.ts';
import type { Suspension, TaskOutcome } from '../kernel/hub/harness.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import { type Ask, type AskAnswer, type AskRequest, rejectedCode } from '../kernel/requests/ask.ts';
import { unexpired } from '../kernel/requests/ask-deadline.ts';
import { duplicateKey, suspensionFor, textOfRequest } from '../kernel/requests/ask-request.ts';
import type { FinishedCall } from '../kernel/resume/call-keys.ts';
import type { ResumePoint } from '../kernel/resume/resume-point.ts';
import type { AgentRun } from './agent-request.ts';
import { type AskDirective, asker } from './ask-directive.ts';

/** Stages that may ask a person. */
export type AskingStage = 'Data' | 'Ai' | 'Output';

/** The state of an input that waits for an answer. */
export interface InputRest {
  readonly stage: AskingStage;
  /** State needed to continue the stage; created only by `pausedStageState`. */
  readonly kept: JsonMap;
}

/** An input that has started, including all its continuations. */
export interface StartedAgentInput {
  /** The input's task ID. */
  readonly name: string;
  rest: InputRest | undefined;
  /** Child runs that its scripts have started so far. */
  calls: readonly ResumePoint[];
  /** Model calls completed so far, by call key. */
  readonly finished: Map<string, FinishedCall>;
  /** How often each interrupted tool call with effects was started, by call key. */
  readonly cutTools: ReadonlyMap<string, number>;
}

interface InputRequestContext {
  readonly run: AgentRun;
  readonly stage: AskingStage;
  readonly input: StartedAgentInput;
}

/** @throws EngineError `ask.duplicate-key` | `ask.unavailable` */
export function refuseAsk(ask: AskDirective, { run, stage, input }: InputRequestContext): void {
  const { key } = ask;
  refuseIfPure(run.request, 'asks a person');
  if (run.request.answers === undefined) throw nobodyAnswers(run);
  const former = run.asks.of(input.name).get(key);
  if (former === undefined) return;
  const isOwn = input.rest?.stage === stage && textsIn(input.rest.kept['asked']).includes(key);
  if (!isOwn) throw duplicateKey(key, asker);
  if (former.answer !== undefined && former.requestHash === hashOf(ask, run)) throw asksAgain(key);
}

function nobodyAnswers({ request }: AgentRun): EngineError {
  const message = `Agent "${request.place.name}" asks a person, but its caller cannot wait for an answer: scripts in flows cannot. Call it with a node, or from another agent.`;
  return new EngineError({ code: 'ask.unavailable', message });
}

function asksAgain(key: string): EngineError {
  const message = `${asker} asks a question that is already answered: CTX.ANSWERS["${key}"] contains the answer. Check it before you ask.`;
  return new EngineError({ code: 'ask.duplicate-key', message });
}

/**
 * Hash of a request. Identical requests from two calls, or from a run and its redo, have different hashes; those from
 * two attempts of a node have the same hash.
 */
export function hashOf(
  { request }: Pick<AskDirective, 'request'>,
  { request: { capabilities, redoCount }, callKey }: AgentRun,
): string {
  const isAlone = redoCount === 0 && callKey === undefined;
  const place = isAlone ? undefined : { redoCount, ...(callKey === undefined ? {} : { callKey }) };
  return capabilities.hash.sha256(textOfRequest(request, place));
}

/** Builds the stored state of a stage that asks or has a child run that asks. @param base results of earlier stages */
export function pausedStageState(
  base: JsonMap,
  {
    stage,
    former,
    ask,
  }: { readonly stage: AskingStage; readonly former: InputRest | undefined; readonly ask: AskDirective | undefined },
): JsonMap {
  const { asked, sees } = former?.kept ?? {};
  const here = former?.stage === stage ? textsIn(asked) : [];
  const seen = textsIn(sees);
  if (ask === undefined) return { ...base, asked: here, sees: seen };
  const { key, goesOnRejected } = ask;
  const others = (keys: readonly string[]): readonly string[] => keys.filter((one) => one !== key);
  return {
    ...base,
    /** Keys of the questions that this stage has asked. */
    asked: [...others(here), key],
    /** Keys, across all stages, for which the script handles a rejection. */
    sees: goesOnRejected ? [...others(seen), key] : others(seen),
  };
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return isJsonList(value) ? (value as readonly string[]) : [];
}

/** Emits an input's request. The input then waits. `hub` emits in the context of the input's task. */
export function askPerson(ask: AskDirective, run: AgentRun, { name, hub }: { name: string; hub: Hub }): TaskOutcome {
  const { key, request } = ask;
  const askedAt = run.request.clock.now();
  run.asks.tell(name, { key, requestHash: hashOf(ask, run), request, askedAt }, hub);
  return waitsFor(openAsks(run, name));
}

/** Returns the outcome for an input that waits for answers. */
export function waitsFor(asks: readonly Ask[]): TaskOutcome {
  const request = suspensionFor(asks);
  return { status: 'suspended', request, reason: request.reason };
}

/** Returns the outcome for an input with a waiting child run, or the request for a stage with one. */
export function childRunSuspension({ reason, waitsFor: inner }: Suspension) {
  const request = { reason, message: 'A called agent is waiting for an answer.' };
  return { status: 'suspended', request, reason, inner } as const;
}

/** Returns an input's unanswered requests. */
export function openAsks({ asks }: AgentRun, name: string): readonly Ask[] {
  return [...asks.of(name).values()].filter(({ answer }) => answer === undefined);
}

/** Builds `CTX.ANSWERS`, which contains, by key, each answer, its author and its time. */
export function answersFor({ asks }: AgentRun, { name }: StartedAgentInput): JsonMap {
  const answered = [...asks.of(name).values()].flatMap(({ key, request, answer }): [string, JsonValue][] =>
    answer === undefined || isOfTool(key) ? [] : [[key, answerTable(request, answer)]],
  );
  return Object.fromEntries(answered);
}

/** Unedited values are returned as proposed. */
function answerTable(request: AskRequest, { payload, by, at }: AskAnswer): JsonMap {
  const proposed = request.kind === 'approval' && request.params !== undefined ? { params: request.params } : {};
  return { ...proposed, ...payload, ...(by === undefined ? {} : { by }), at };
}

/**
 * @throws EngineError `ask.expired` if the deadline has passed without an answer; `approval.rejected` unless the script
 * handles rejections
 */
export function refuseDenied({ asks }: AgentRun, { name, rest }: StartedAgentInput): void {
  const seen = textsIn(rest?.kept['sees']);
  try {
    for (const ask of asks.of(name).values()) {
      if (ask.answer !== undefined) unexpired(ask.answer, ask.request, asker);
      const denial = seen.includes(ask.key) || isOfTool(ask.key) ? undefined : denialIn(ask);
      if (denial !== undefined) throw denial;
    }
  } catch (thrown) {
    throw rest === undefined ? thrown : fromErrorRecord({ ...toErrorRecord(thrown), stage: rest.stage });
  }
}

/** Whether a tool call asked. Its rejection is reported to the model. */
function isOfTool(key: string): boolean {
  return /^model:[0-9a-f]{64}:\d+\//.test(key);
}

function denialIn({ request, answer }: Ask): EngineError | undefined {
  if (answer === undefined) return undefined;
  const { approved, comment } = answer.payload;
  if (request.kind !== 'approval' || approved !== false) return undefined;
  const who = answer.by === undefined ? '' : ` by ${answer.by}`;
  const why = typeof comment === 'string' && comment !== '' ? `: ${comment}` : '';
  return new EngineError({ code: rejectedCode, message: `"${request.title}" was rejected${who}${why}` });
}

/** Restores an input's stored state from the log. */
export function storedInputState(stage: string, kept: JsonValue): InputRest | undefined {
  // Written only by `runAskingScript`.
  return isJsonMap(kept) ? { stage: stage as AskingStage, kept } : undefined;
}

/** An input that waits for a person. */
export interface WaitingInput {
  readonly reason: SuspendReason;
  /** The request that its child run waits for. */
  readonly inner: string | undefined;
  /** When the wait started, in epoch milliseconds. */
  readonly since: number;
}
