/**
 * Runs an agent on one input, as one task: the Data stage, the model, and the Output stage.
 */
import { type EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { AgentDoc, AgentOptions } from '../../language/agent/agent-doc.ts';
import { optionsForScripts, withScriptOptions } from '../../language/agent/agent-options.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { CancelReason } from '../kernel/events/run-event.ts';
import { type CancelScope, isCancellation } from '../kernel/hub/cancel-scope.ts';
import { type Harness, Suspension, type TaskInfo, type TaskOutcome } from '../kernel/hub/harness.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import { CallKeys } from '../kernel/resume/call-keys.ts';
import { CallTracker } from '../kernel/resume/called-runs.ts';
import type { OpenTask, ResumePoint } from '../kernel/resume/resume-point.ts';
import { type AgentRun, endsBeforeOutput, isDryRequest } from './agent-request.ts';
import { CallsOfScripts, rejectedStageRetryError, verdictOn } from './agent-resume.ts';
import { inStage, type StageContext } from './agent-stage.ts';
import type { AskDirective } from './ask-directive.ts';
import { askForInput } from './ask-for-input.ts';
import { runAskingScript } from './asking-script.ts';
import type { AttachmentSource } from './attachments.ts';
import { readDataResult, readOutputResult, type SkipDirective } from './directive.ts';
import {
  askPerson,
  childRunSuspension,
  type InputRest,
  openAsks,
  pausedStageState,
  refuseDenied,
  type StartedAgentInput,
  storedInputState,
  waitsFor,
} from './input-asks.ts';
import { inputLabelOf } from './input-label.ts';

const taskPrefix = 'input:';

/** Returns an input's task ID. @param index index from 0 */
export function taskOf(index: number): string {
  return `${taskPrefix}${index}`;
}

/** Returns the index of the input that a task runs. */
function indexOf(taskId: string): number {
  return Number(taskId.slice(taskPrefix.length));
}

/** Formats an index for display, starting at 1. */
export function subjectOf(index: number): string {
  return `Input ${index + 1}`;
}

/** Returns the cancel reason for an error that stopped the run. */
export function cancelReasonOf(why: EngineError): CancelReason {
  return isCancellation(why) ? 'cancel' : 'fail-fast';
}

/** An input that is about to run. */
interface InputJob {
  /** Index from 0. */
  readonly index: number;
  readonly input: JsonValue;
  readonly beforeAll: JsonValue;
  /** The run's options. */
  readonly options: AgentOptions;
}

interface InputSurroundings {
  /** Runs the input's task. */
  readonly inner: Harness;
  readonly scope: CancelScope;
  /** Whether an earlier process was interrupted in this input and a person has decided how to handle it. */
  readonly wasCut: boolean;
  /** Whether the input continues after waiting for an answer. */
  readonly isAnswered: boolean;
  readonly begun: StartedAgentInput;
}

/** Runs an input until it ends or waits for an answer. Never throws. */
export async function runInput(run: AgentRun, job: InputJob, surroundings: InputSurroundings): Promise<TaskOutcome> {
  const { inner, scope, wasCut, isAnswered, begun } = surroundings;
  const { index } = job;
  const { name } = begun;
  const tracker = new CallTracker(inner.hub, run.request.clock, begun.calls);
  const hub = inner.hub.with({ calls: tracker, spending: run.spending });
  const calls = new CallsOfScripts(run.request, { former: begun.calls, answers: run.asks.below(name) });
  const modelCalls = modelCallsOf(run, begun);
  const place = { hub, signal: scope.signal, index, calls, input: begun, modelCalls };
  let outcome: TaskOutcome;
  try {
    run.asks.takeUp(name, place.hub);
    if (wasCut && verdictOn(run.request, name) === 'rejected') throw rejectedStageRetryError(subjectOf(index));
    if (!isAnswered) logInput(job.input, place.hub);
    refuseDenied(run, begun);
    outcome = outcomeOf(await throughStages(run, job, place), run, place);
  } catch (thrown) {
    if (scope.reason !== undefined) outcome = { status: 'cancelled', reason: cancelReasonOf(scope.reason) };
    else if (thrown instanceof Suspension) outcome = waitingOf(run, name, thrown);
    else outcome = { status: 'failed', error: toErrorRecord(thrown), attempts: 1 };
  }
  if (outcome.status === 'suspended') begun.calls = tracker.list();
  else calls.close(place.hub);
  return outcome;
}

/** Returns the outcome of an input that waits for its own request or a child run's request. */
function waitingOf(run: AgentRun, name: string, thrown: Suspension): TaskOutcome {
  const asks = openAsks(run, name);
  return asks.length > 0 ? waitsFor(asks) : childRunSuspension(thrown);
}

/** Call keys are derived from the requests, so that an answered request is not sent again when the input restarts. */
function modelCallsOf({ request }: AgentRun, { finished }: StartedAgentInput): CallKeys {
  const { capabilities, secrets } = request;
  const mask = secrets && (<Value>(value: Value) => secrets.mask(value));
  return new CallKeys(finished, { sha256: capabilities.hash.sha256, mask });
}

function outcomeOf(
  end: InputEnd,
  run: AgentRun,
  place: StageContext & { readonly input: StartedAgentInput },
): TaskOutcome {
  if (end.kind === 'skip') return { status: 'skipped', reason: end.reason };
  if (end.kind === 'value') return { status: 'completed', result: end.output, attempts: 1 };
  if (!isDryRequest(run.request)) return askPerson(end, run, { name: place.input.name, hub: place.hub });
  const text = `-! A person would be asked: ${end.request.title}`;
  place.hub.emit({ type: 'log', level: 'info', text, taskId: place.input.name });
  return { status: 'completed', result: null, attempts: 1 };
}

function logInput(input: JsonValue, hub: Hub): void {
  const taskId = hub.taskId ?? '';
  hub.emit({ type: 'node:input', nodeId: taskId, input });
  const text = inputLabelOf(input);
  if (text !== undefined) hub.emit({ type: 'label', text, taskId });
}

type InputEnd = { readonly kind: 'value'; readonly output: JsonValue } | SkipDirective | AskDirective;

async function throughStages(
  run: AgentRun,
  job: InputJob,
  place: StageContext & { readonly input: StartedAgentInput },
): Promise<InputEnd> {
  const { rest } = place.input;
  if (rest?.stage === 'Output') return await conclude(run, answeredFrom(rest, job), place);
  const prepared = rest?.stage === 'Ai' ? preparedFrom(rest, job) : await prepareInput(run, job, place);
  if (prepared.kind !== 'value') return prepared;
  const aiResponse = await askAbout(run, prepared, place);
  if (endsBeforeOutput(run.request)) return { kind: 'value', output: null };
  return await conclude(run, { ...prepared, aiResponse }, place);
}

/** Restores the model call's input for an input that waited. */
function preparedFrom({ kept }: InputRest, { beforeAll }: InputJob): PreparedAgentInput {
  const { input = null, data = null, options, attachments } = kept;
  return {
    ...{ kind: 'value', input, data, beforeAll },
    // Written only by `askAbout` below.
    options: options as AgentOptions,
    attachments: attachments as unknown as readonly AttachmentSource[],
  };
}

/** Restores Output's input for an input that waited. */
function answeredFrom({ kept }: InputRest, { beforeAll }: InputJob): AnsweredInput {
  const { input = null, data = null, options, ai_response: aiResponse = null } = kept;
  return {
    ...{ kind: 'value', input, data, beforeAll, attachments: [] },
    // Written below, from options and a response.
    options: options as AgentOptions,
    aiResponse: aiResponse as JsonMap | null,
  };
}

/** An input with the result of its Data stage. */
interface PreparedAgentInput {
  readonly kind: 'value';
  readonly input: JsonValue;
  readonly data: JsonValue;
  readonly beforeAll: JsonValue;
  readonly attachments: readonly AttachmentSource[];
  readonly options: AgentOptions;
}

/**
 * Runs an input's Data stage.
 * @throws EngineError from the stage
 */
export async function prepareInput(
  run: AgentRun,
  job: InputJob,
  place: StageContext,
): Promise<PreparedAgentInput | SkipDirective | AskDirective> {
  const { input, beforeAll, options } = job;
  const { doc, clock, place: agent } = run.request;
  const script = doc.scripts.data;
  if (script === undefined) return { kind: 'value', input, data: null, beforeAll, attachments: [], options };
  const globals = { input, before_all: beforeAll, options: optionsForScripts(options) };
  return await inStage('Data', { hub: place.hub, clock }, async (keep) => {
    const read = (value: JsonValue) => readDataResult(value, agent.name);
    const result = await runAskingScript(run, { stage: 'Data', script, globals, base: {}, read }, place, keep);
    if (result.kind !== 'value') return result;
    // The script may have returned null, which is a valid input.
    return { input, beforeAll, ...result, options: withScriptOptions(options, result.options) };
  });
}

async function askAbout(run: AgentRun, prepared: PreparedAgentInput, place: StageContext): Promise<JsonMap | null> {
  const { clock } = run.request;
  return await inStage('Ai', { hub: place.hub, clock }, async (keep) => {
    try {
      return await askForInput(run, prepared, place);
    } catch (thrown) {
      const { input: begun } = place;
      if (thrown instanceof Suspension && begun !== undefined) {
        const { input, data, options, attachments } = prepared;
        const base = { input, data, options: options as JsonMap, attachments: attachments.map((one) => ({ ...one })) };
        const kept = pausedStageState(base, { stage: 'Ai', former: begun.rest, ask: undefined });
        begun.rest = { stage: 'Ai', kept };
        keep(kept);
      }
      throw thrown;
    }
  });
}

interface AnsweredInput extends PreparedAgentInput {
  readonly aiResponse: JsonMap | null;
}

async function conclude(run: AgentRun, answered: AnsweredInput, place: StageContext): Promise<InputEnd> {
  const { input, data, beforeAll, aiResponse, options } = answered;
  const { doc, clock, place: agent } = run.request;
  const script = doc.scripts.output;
  if (script === undefined) return { kind: 'value', output: contentOf(aiResponse, doc) };
  const globals = {
    input,
    data,
    before_all: beforeAll,
    ai_response: aiResponse,
    options: optionsForScripts(options),
  };
  const base = { input, data, options: options as JsonMap, ai_response: aiResponse };
  const read = (value: JsonValue) => readOutputResult(value, agent.name);
  place.calls?.inStage('Output');
  return await inStage('Output', { hub: place.hub, clock }, (keep) =>
    runAskingScript(run, { stage: 'Output', script, globals, base, read }, place, keep),
  );
}

/** Returns a response's content. For a node type with a schema, this is its value. */
function contentOf(aiResponse: JsonMap | null, { node }: AgentDoc): JsonValue {
  if (aiResponse === null) return null;
  const { content = null, value = content } = aiResponse;
  return node === undefined ? content : value;
}

/** An input and how its task continues. */
export interface InputTurn extends StartedAgentInput {
  readonly index: number;
  info: TaskInfo;
  wasCut: boolean;
  isAnswered: boolean;
}

/** Returns an input that has not started. */
export function freshTurn(index: number): InputTurn {
  return {
    ...{ name: taskOf(index), index, info: {}, wasCut: false, isAnswered: false },
    ...{ rest: undefined, calls: [], finished: new Map(), cutTools: new Map() },
  };
}

/** Restores an input that an earlier process had started. @param calls its child runs */
export function leftOpen(
  name: string,
  { rest, isWaiting, isParked, finished, cutTools }: OpenTask,
  calls: readonly ResumePoint[],
): InputTurn {
  const isAtRest = rest !== undefined && !rest.hasBegun;
  const goesOn = isAtRest || isWaiting || isParked;
  return {
    ...{ name, index: indexOf(name), wasCut: !isAtRest, isAnswered: isAtRest },
    info: { continues: goesOn ? 'silent' : 'restarted' },
    rest: rest && storedInputState(rest.stage, rest.kept),
    ...{ calls, finished: new Map(finished), cutTools },
  };
}
