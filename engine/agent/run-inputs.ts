/**
 * The inputs of an agent's run: as many at a time as its options allow, begun in their order; each in its task with Data, the
 * model and Output.
 */
import { type ErrorRecord, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { type CancelScope, cancellation, failFastStop, isCancellation, Stopped } from '../kernel/cancel-scope.ts';
import type { Harness, TaskOutcome } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import { SpendingHub } from '../kernel/spending.ts';
import type { AgentOptions } from './agent-doc.ts';
import { optionsForScripts, withScriptOptions } from './agent-options.ts';
import { type AgentRun, inStage, runStageScript, type StageContext } from './agent-stage.ts';
import { askForInput } from './ask-for-input.ts';
import type { AttachmentSource } from './attachments.ts';
import { readDataResult, readOutputResult, type SkipDirective } from './directive.ts';
import { inputLabelOf } from './input-label.ts';

interface InputsJob {
  readonly inputs: readonly JsonValue[];
  readonly beforeAll: JsonValue;
  readonly options: AgentOptions;
  /** Gets the task id of each input that fails. */
  readonly failedTasks: string[];
}

/**
 * Runs all inputs. Those that were not begun when one ended the run have no events.
 * @returns their outputs, in their order
 * @throws EngineError the failure that ends the run, or `Stopped`; nothing of it is running any more then
 */
export async function runInputs(run: AgentRun, job: InputsJob, harness: Harness): Promise<readonly JsonValue[]> {
  const scope = run.request.scope.child();
  const inputs = new RunningInputs(run, job, { harness, scope });
  try {
    return await inputs.toTheirEnd();
  } finally {
    scope.close();
  }
}

class RunningInputs {
  readonly #run: AgentRun;
  readonly #job: InputsJob;
  readonly #harness: Harness;
  readonly #scope: CancelScope;
  readonly #outputs: JsonValue[];
  #next = 0;
  #failure: ErrorRecord | undefined;

  constructor(run: AgentRun, job: InputsJob, place: { readonly harness: Harness; readonly scope: CancelScope }) {
    this.#run = run;
    this.#job = job;
    this.#harness = place.harness;
    this.#scope = place.scope;
    this.#outputs = job.inputs.map(() => null);
  }

  async toTheirEnd(): Promise<readonly JsonValue[]> {
    const { inputs, options } = this.#job;
    const atATime = Math.min(inputs.length, Math.max(1, options.input_concurrency ?? 1));
    await Promise.all(Array.from({ length: atATime }, () => this.#oneAfterTheOther()));
    if (this.#failure !== undefined) throw fromErrorRecord(this.#failure);
    if (this.#scope.reason !== undefined) throw new Stopped(cancellation());
    return this.#outputs;
  }

  async #oneAfterTheOther(): Promise<void> {
    while (this.#next < this.#job.inputs.length && this.#scope.reason === undefined) {
      await this.#runNext(this.#next++);
    }
  }

  async #runNext(index: number): Promise<void> {
    const { inputs, beforeAll, options } = this.#job;
    const job = { index, input: inputs[index] ?? null, beforeAll, options };
    const taskId = `input:${index}`;
    const outcome = await this.#harness.task(taskId, (inner) =>
      runInput(this.#run, job, { inner, scope: this.#scope }),
    );
    this.#take(outcome, index, taskId);
  }

  #take(outcome: TaskOutcome, index: number, taskId: string): void {
    if (outcome.status === 'completed') this.#outputs[index] = outcome.result;
    if (outcome.status !== 'failed') return;
    this.#job.failedTasks.push(taskId);
    if (this.#job.options.allow_run_on_task_fail === true) {
      this.#outputs[index] = { error: outcome.error.message };
      return;
    }
    this.#failure ??= outcome.error;
    this.#scope.cancel(failFastStop());
  }
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

/** Runs an input to its end; `inner` carries its task. Never throws. */
async function runInput(
  run: AgentRun,
  job: InputJob,
  { inner, scope }: { readonly inner: Harness; readonly scope: CancelScope },
): Promise<TaskOutcome> {
  const { index } = job;
  const place = { hub: new SpendingHub(inner.hub, run.spending), signal: scope.signal, index };
  try {
    logInput(job.input, place.hub);
    const end = await throughStages(run, job, place);
    if (end.kind === 'skip') return { status: 'skipped', reason: end.reason };
    return { status: 'completed', result: end.output, attempts: 1 };
  } catch (thrown) {
    if (scope.reason === undefined) return { status: 'failed', error: toErrorRecord(thrown), attempts: 1 };
    return { status: 'cancelled', reason: isCancellation(scope.reason) ? 'cancel' : 'fail-fast' };
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
  if (script === undefined) return { kind: 'value', output: contentOf(aiResponse) };
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

function contentOf(aiResponse: JsonMap | null): JsonValue {
  return isJsonMap(aiResponse) ? (aiResponse['content'] ?? null) : null;
}
