/**
 * The inputs of an agent's run: as many at a time as its options allow, begun in their order.
 */
import { type ErrorRecord, fromErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { type CancelScope, cancellation, createCancelScope, failFastStop } from '../kernel/cancel-scope.ts';
import type { Harness, TaskOutcome } from '../kernel/harness.ts';
import type { AgentOptions } from './agent-doc.ts';
import type { AgentRun } from './agent-stage.ts';
import { runInput } from './run-input.ts';

export interface InputsJob {
  readonly inputs: readonly JsonValue[];
  readonly beforeAll: JsonValue;
  readonly options: AgentOptions;
  /** Gets the task id of each input that fails. */
  readonly failedTasks: string[];
}

/**
 * Runs all inputs. Those that were not begun when one ended the run are not told of.
 * @returns their outputs, in their order
 * @throws EngineError the failure that ends the run, or `run.cancelled`; nothing of it is running any more then
 */
export async function runInputs(run: AgentRun, job: InputsJob, harness: Harness): Promise<readonly JsonValue[]> {
  const scope = createCancelScope(run.request.signal);
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
    if (this.#scope.reason !== undefined) throw cancellation();
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
