/**
 * One input of an agent's run: Data, the model and Output, in its task.
 */
import { type EngineError, toErrorRecord } from '../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { type CancelScope, isCancellation } from '../kernel/cancel-scope.ts';
import type { Harness, TaskOutcome } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import type { CancelReason } from '../kernel/run-event.ts';
import { SpendingHub } from '../kernel/spending.ts';
import type { AgentDoc, AgentOptions } from './agent-doc.ts';
import { optionsForScripts, withScriptOptions } from './agent-options.ts';
import { CallsOfScripts, rejectedCut, verdictOn } from './agent-resume.ts';
import { type AgentRun, inStage, runStageScript, type StageContext } from './agent-stage.ts';
import { askForInput } from './ask-for-input.ts';
import type { AttachmentSource } from './attachments.ts';
import { readDataResult, readOutputResult, type SkipDirective } from './directive.ts';
import { inputLabelOf } from './input-label.ts';

const taskPrefix = 'input:';

/** Id of the task of an input. @param index from 0 */
export function taskOf(index: number): string {
  return `${taskPrefix}${index}`;
}

/** The input of a task. */
export function indexOf(taskId: string): number {
  return Number(taskId.slice(taskPrefix.length));
}

/** As people count. */
export function subjectOf(index: number): string {
  return `Input ${index + 1}`;
}

/** As what stopped it says. */
export function cancelReasonOf(why: EngineError): CancelReason {
  return isCancellation(why) ? 'cancel' : 'fail-fast';
}

/** An input whose turn has come. */
interface InputJob {
  /** From 0. */
  readonly index: number;
  readonly input: JsonValue;
  readonly beforeAll: JsonValue;
  /** Those of the run. */
  readonly options: AgentOptions;
}

interface InputSurroundings {
  /** Carries the input's task. */
  readonly inner: Harness;
  readonly scope: CancelScope;
  /** An earlier process had begun it, and a person has decided what becomes of it. */
  readonly wasCut: boolean;
}

/** Runs an input to its end. Never throws. */
export async function runInput(
  run: AgentRun,
  job: InputJob,
  { inner, scope, wasCut }: InputSurroundings,
): Promise<TaskOutcome> {
  const { index } = job;
  const calls = new CallsOfScripts(run.request, taskOf(index));
  const place = { hub: new SpendingHub(inner.hub, run.spending), signal: scope.signal, index, calls };
  try {
    if (wasCut && verdictOn(run.request, taskOf(index)) === 'rejected') throw rejectedCut(subjectOf(index));
    logInput(job.input, place.hub);
    // Whatever is done outside now, the history knows before that the input has begun.
    place.hub.flush();
    const end = await throughStages(run, job, place);
    if (end.kind === 'skip') return { status: 'skipped', reason: end.reason };
    return { status: 'completed', result: end.output, attempts: 1 };
  } catch (thrown) {
    if (scope.reason === undefined) return { status: 'failed', error: toErrorRecord(thrown), attempts: 1 };
    return { status: 'cancelled', reason: cancelReasonOf(scope.reason) };
  } finally {
    calls.close(place.hub);
  }
}

function logInput(input: JsonValue, hub: Hub): void {
  const taskId = hub.taskId ?? '';
  hub.emit({ type: 'node:input', nodeId: taskId, input });
  const text = inputLabelOf(input);
  if (text !== undefined) hub.emit({ type: 'label', text, taskId });
}

type InputEnd = { readonly kind: 'value'; readonly output: JsonValue } | SkipDirective;

async function throughStages(run: AgentRun, job: InputJob, place: StageContext): Promise<InputEnd> {
  const { dry } = run.request;
  const prepared = await prepareInput(run, job, place);
  if (prepared.kind === 'skip') return prepared;
  const aiResponse = await askAbout(run, prepared, place);
  if (dry !== undefined) return { kind: 'value', output: null };
  return await conclude(run, { ...prepared, aiResponse }, place);
}

/** An input with what its Data has made of it. */
interface PreparedInput {
  readonly kind: 'value';
  readonly input: JsonValue;
  readonly data: JsonValue;
  readonly beforeAll: JsonValue;
  readonly attachments: readonly AttachmentSource[];
  readonly options: AgentOptions;
}

/**
 * Runs the Data of an input.
 * @throws EngineError as the stage does
 */
export async function prepareInput(
  run: AgentRun,
  job: InputJob,
  place: StageContext,
): Promise<PreparedInput | SkipDirective> {
  const { input, beforeAll, options } = job;
  const { doc, clock } = run.request;
  const script = doc.scripts.data;
  if (script === undefined) return { kind: 'value', input, data: null, beforeAll, attachments: [], options };
  const globals = { input, before_all: beforeAll, options: optionsForScripts(options) };
  return await inStage('Data', { hub: place.hub, clock }, async () => {
    const result = readDataResult(await runStageScript(run, { stage: 'Data', script, globals }, place));
    if (result.kind === 'skip') return result;
    // The script may have given null, which is an input as well.
    return { input, beforeAll, ...result, options: withScriptOptions(options, result.options) };
  });
}

async function askAbout(run: AgentRun, prepared: PreparedInput, place: StageContext): Promise<JsonMap | null> {
  const { clock } = run.request;
  return await inStage('Ai', { hub: place.hub, clock }, () => askForInput(run, prepared, place));
}

interface AnsweredInput extends PreparedInput {
  readonly aiResponse: JsonMap | null;
}

async function conclude(run: AgentRun, answered: AnsweredInput, place: StageContext): Promise<InputEnd> {
  const { input, data, beforeAll, aiResponse, options } = answered;
  const { doc, clock } = run.request;
  const script = doc.scripts.output;
  if (script === undefined) return { kind: 'value', output: contentOf(aiResponse, doc) };
  const globals = {
    input,
    data,
    before_all: beforeAll,
    ai_response: aiResponse,
    options: optionsForScripts(options),
  };
  return await inStage('Output', { hub: place.hub, clock }, async () =>
    readOutputResult(await runStageScript(run, { stage: 'Output', script, globals }, place)),
  );
}

/** Of an agent that is a node the value of the answer, where a schema makes one. */
function contentOf(aiResponse: JsonMap | null, { node }: AgentDoc): JsonValue {
  if (aiResponse === null) return null;
  const { content = null, value = content } = aiResponse;
  return node === undefined ? content : value;
}
