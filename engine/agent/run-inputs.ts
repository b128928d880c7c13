/**
 * The inputs of an agent's run: as many at a time as its options allow, begun in their order.
 */
import { type EngineError, type ErrorRecord, fromErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { type CancelScope, cancellation, failFastStop, Stopped } from '../kernel/cancel-scope.ts';
import { type Harness, Suspension, type TaskInfo, type TaskOutcome } from '../kernel/harness.ts';
import type { OpenTask, ResumePoint } from '../kernel/resume-point.ts';
import type { AgentOptions } from './agent-doc.ts';
import { CallsOfScripts, cutRequest, verdictOn } from './agent-resume.ts';
import type { AgentRun } from './agent-stage.ts';
import { cancelReasonOf, indexOf, runInput, subjectOf, taskOf } from './run-input.ts';

interface InputsJob {
  readonly inputs: readonly JsonValue[];
  readonly beforeAll: JsonValue;
  readonly options: AgentOptions;
  /** Gets the task id of each input that fails. */
  readonly failedTasks: string[];
}

/**
 * Runs all inputs that have no end yet. Those that were not begun when one ended the run have no events. While one that was
 * cut waits for a person, no other begins.
 * @returns their outputs, in their order
 * @throws EngineError the failure that ends the run, or `Stopped`; `Suspension` when one waits for a person. Nothing of it is
 *   running any more then.
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
  /** Where an earlier process stopped. */
  readonly #point: ResumePoint | undefined;
  /** Tasks that it left open and nobody has taken up yet. */
  readonly #left: Set<string>;
  /** Those of them that run again or fail now, in their order. */
  readonly #again: number[] = [];
  /** Those of them that wait for a person. */
  readonly #waiting: string[] = [];
  #next = 0;
  #failure: ErrorRecord | undefined;

  constructor(run: AgentRun, job: InputsJob, place: { readonly harness: Harness; readonly scope: CancelScope }) {
    this.#run = run;
    this.#job = job;
    this.#harness = place.harness;
    this.#scope = place.scope;
    this.#outputs = job.inputs.map(() => null);
    this.#point = run.request.resume?.point;
    this.#left = new Set(this.#point?.open.keys());
  }

  async toTheirEnd(): Promise<readonly JsonValue[]> {
    const { inputs, options } = this.#job;
    this.#takeUp();
    await this.#askAboutCut();
    const atATime = Math.min(inputs.length, Math.max(1, options.input_concurrency ?? 1));
    await Promise.all(Array.from({ length: atATime }, () => this.#oneAfterTheOther()));
    if (this.#scope.reason !== undefined) this.#closeLeft(this.#scope.reason);
    if (this.#failure !== undefined) throw fromErrorRecord(this.#failure);
    if (this.#scope.reason !== undefined) throw new Stopped(cancellation());
    if (this.#waiting.length > 0) throw new Suspension(this.#waiting[0]);
    return this.#outputs;
  }

  /** Takes over what an earlier process left: what has ended stays so. */
  #takeUp(): void {
    const { settled, stopped } = this.#point ?? {};
    if (stopped !== undefined && stopped.size > 0) this.#scope.cancel(failFastStop());
    for (const index of settled === undefined ? [] : this.#outputs.keys()) {
      const end = settled?.get(taskOf(index));
      if (end?.status === 'completed') this.#outputs[index] = end.output;
      if (end?.status === 'failed') this.#takeFailure(end.error, index);
    }
  }

  /** All that were cut ask at once, so that a person sees them side by side. */
  async #askAboutCut(): Promise<void> {
    const { request } = this.#run;
    for (const [taskId, open] of this.#point?.open ?? []) {
      if (this.#scope.reason !== undefined) return;
      const index = indexOf(taskId);
      if (verdictOn(request, taskId) !== 'asks') {
        this.#again.push(index);
        continue;
      }
      this.#waiting.push(taskId);
      // The question stands in the log already.
      const question = open.isWaiting ? {} : { request: cutRequest(subjectOf(index), request) };
      await this.#harness.task(taskId, () => ({ status: 'suspended', ...question }), begunAgain(open));
    }
  }

  /** The run ends, and with it what an earlier process left open in it. */
  #closeLeft(why: EngineError): void {
    for (const taskId of this.#left) {
      const hub = this.#harness.hub.scoped({ task: { id: taskId } });
      new CallsOfScripts(this.#run.request, taskId).close(hub);
      hub.emit({ type: 'task:cancelled', taskId, reason: cancelReasonOf(why) });
    }
    this.#left.clear();
  }

  async #oneAfterTheOther(): Promise<void> {
    while (this.#scope.reason === undefined) {
      const index = this.#again.shift() ?? this.#nextFresh();
      if (index === undefined) return;
      this.#left.delete(taskOf(index));
      await this.#runNext(index);
    }
  }

  /** The next input that has not begun; undefined when there is none, or when none may begin. */
  #nextFresh(): number | undefined {
    if (this.#waiting.length > 0) return undefined;
    const { settled, open } = this.#point ?? {};
    while (this.#next < this.#job.inputs.length) {
      const index = this.#next++;
      const taskId = taskOf(index);
      if (settled?.has(taskId) !== true && open?.has(taskId) !== true) return index;
    }
    return undefined;
  }

  async #runNext(index: number): Promise<void> {
    const { inputs, beforeAll, options } = this.#job;
    const job = { index, input: inputs[index] ?? null, beforeAll, options };
    const taskId = taskOf(index);
    const open = this.#point?.open.get(taskId);
    const outcome = await this.#harness.task(
      taskId,
      (inner) => runInput(this.#run, job, { inner, scope: this.#scope, wasCut: open !== undefined }),
      open === undefined ? {} : begunAgain(open),
    );
    this.#take(outcome, index, taskId);
  }

  #take(outcome: TaskOutcome, index: number, taskId: string): void {
    if (outcome.status === 'completed') this.#outputs[index] = outcome.result;
    if (outcome.status !== 'failed') return;
    this.#job.failedTasks.push(taskId);
    this.#takeFailure(outcome.error, index);
  }

  #takeFailure(error: ErrorRecord, index: number): void {
    if (this.#job.options.allow_run_on_task_fail === true) {
      this.#outputs[index] = { error: error.message };
      return;
    }
    this.#failure ??= error;
    this.#scope.cancel(failFastStop());
  }
}

function begunAgain({ isWaiting, isParked }: OpenTask): TaskInfo {
  return { continues: isWaiting || isParked ? 'silent' : 'restarted' };
}
