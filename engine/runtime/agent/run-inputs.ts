/**
 * Runs an agent's inputs in order, with the concurrency set in its options. An input that asks a person frees its slot
 * for other inputs.
 */
import { type EngineError, type ErrorRecord, fromErrorRecord } from '../../base/engine-error.ts';
import type { AgentOptions } from '../../language/agent/agent-doc.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { holdOfInput } from '../flow/breakpoints.ts';
import { type CancelScope, cancellation, failFastStop, Stopped } from '../kernel/hub/cancel-scope.ts';
import { type Harness, Suspension, type TaskOutcome } from '../kernel/hub/harness.ts';
import type { PauseReason } from '../kernel/hub/run-pause.ts';
import { oldestOpenRequest, waitFor } from '../kernel/requests/ask-request.ts';
import type { OpenTask, ResumePoint } from '../kernel/resume/resume-point.ts';
import type { AgentRun } from './agent-request.ts';
import { CallsOfScripts, cutRequest, verdictOn } from './agent-resume.ts';
import { openAsks, type WaitingInput, waitsFor } from './input-asks.ts';
import { takeOverInputs } from './reused-inputs.ts';
import { cancelReasonOf, freshTurn, type InputTurn, leftOpen, runInput, subjectOf, taskOf } from './run-input.ts';

interface InputsJob {
  readonly inputs: readonly JsonValue[];
  readonly beforeAll: JsonValue;
  readonly options: AgentOptions;
  /** Receives the task ID of each failed input. */
  readonly failedTasks: string[];
}

/** Default maximum number of inputs that wait for a person. When it is reached, no new input starts. */
const mostWaiting = 1000;

/**
 * Runs all inputs that have not ended. If an input ends the run, inputs that have not started emit no events. While an
 * interrupted input waits for a person, no new input starts; an input that asks does not delay other inputs.
 * @returns the outputs, in the order of the inputs
 * @throws EngineError the failure that ends the run; `Stopped`; `Suspension` if an input waits for a person. No input
 * is running at that point.
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
  /** The point where an earlier process stopped. */
  readonly #point: ResumePoint | undefined;
  readonly #atATime: number;
  /** Inputs by task that have started but are neither running nor ended. */
  readonly #left = new Map<string, InputTurn>();
  /** The inputs among them that run next, in order. */
  readonly #again: InputTurn[] = [];
  /** The inputs among them that were interrupted and wait for a person. */
  readonly #cut: string[] = [];
  /** The inputs among them that wait for an answer. */
  readonly #waiting = new Map<string, WaitingInput>();
  /** Tasks of inputs that reused an output. */
  readonly #reused = new Set<string>();
  #next = 0;
  /** The input that would start next, but the run is paused. */
  #held: { readonly name: string; readonly reason: PauseReason; readonly letGo: () => void } | undefined;
  #working = 0;
  /**
   * False until the earlier process's state is restored, and again once all inputs have ended or wait. No input starts
   * while it is false.
   */
  #isOpen = false;
  #failure: ErrorRecord | undefined;
  #bug: { readonly thrown: unknown } | undefined;
  #finish: () => void = () => undefined;

  constructor(run: AgentRun, job: InputsJob, place: { readonly harness: Harness; readonly scope: CancelScope }) {
    const { inputs, options } = job;
    this.#run = run;
    this.#job = job;
    this.#harness = place.harness;
    this.#scope = place.scope;
    this.#outputs = inputs.map(() => null);
    this.#point = run.request.resume?.point;
    this.#atATime = Math.min(inputs.length, Math.max(1, options.input_concurrency ?? 1));
    for (const [name, open] of this.#point?.open ?? []) {
      const calls = this.#point?.calls.get(name) ?? [];
      this.#left.set(name, leftOpen(name, open, calls));
    }
  }

  async toTheirEnd(): Promise<readonly JsonValue[]> {
    this.#takeUp();
    await this.#takeOver();
    await this.#askAboutOpen();
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#isOpen = true;
      this.#startWork();
      if (this.#working === 0) this.#close();
    });
    if (this.#bug !== undefined) throw this.#bug.thrown;
    if (this.#scope.reason !== undefined) this.#closeLeft(this.#scope.reason);
    if (this.#failure !== undefined) throw fromErrorRecord(this.#failure);
    if (this.#scope.reason !== undefined) throw new Stopped(cancellation());
    if (this.#held !== undefined || this.#cut.length > 0 || this.#waiting.size > 0) throw this.#suspension();
    return this.#outputs;
  }

  /** Restores an earlier process's state. Inputs that ended are not run again. */
  #takeUp(): void {
    const { settled, stopped } = this.#point ?? {};
    if (stopped !== undefined && stopped.size > 0) this.#scope.cancel(failFastStop());
    for (const index of settled === undefined ? [] : this.#outputs.keys()) {
      const end = settled?.get(taskOf(index));
      if (end?.status === 'completed') this.#outputs[index] = end.output;
      if (end?.status === 'failed') this.#takeFailure(end.error, index);
    }
  }

  /** Reuses earlier outputs for inputs with unchanged dependencies. */
  async #takeOver(): Promise<void> {
    for (const [index, output] of await takeOverInputs(this.#run, this.#job, this.#harness)) {
      this.#outputs[index] = output;
      this.#reused.add(taskOf(index));
    }
  }

  /**
   * Asks about all interrupted inputs at once, so that a person sees them together. Inputs with a request of their own
   * keep waiting.
   */
  async #askAboutOpen(): Promise<void> {
    for (const [name, open] of this.#point?.open ?? []) {
      const turn = this.#left.get(name);
      if (this.#scope.reason !== undefined || turn === undefined) return;
      if (turn.wasCut) await this.#askAboutCut(turn, open);
      else await this.#takeUpWaiting(turn, open);
    }
  }

  async #askAboutCut(turn: InputTurn, { isWaiting }: OpenTask): Promise<void> {
    const { request } = this.#run;
    const { name, index, info } = turn;
    if (verdictOn(request, name) !== 'asks') {
      this.#again.push(turn);
      return;
    }
    this.#cut.push(name);
    // The request is already in the log.
    const question = isWaiting ? {} : { request: cutRequest(subjectOf(index), request) };
    await this.#harness.task(name, () => ({ status: 'suspended', ...question }), info);
  }

  async #takeUpWaiting(turn: InputTurn, { isAsking }: OpenTask): Promise<void> {
    const { name, info, calls } = turn;
    const asks = openAsks(this.#run, name);
    const waits = (isAsking || asks.length > 0) && !this.#run.asks.hasNews(name);
    if (!waits) {
      this.#again.push(turn);
      return;
    }
    // A crash may have occurred between the request and the event that suspends the input.
    if (!isAsking) await this.#harness.task(name, () => waitsFor(asks), info);
    const below = oldestOpenRequest(calls);
    const { reason = below?.reason ?? 'approval', since = below?.since ?? 0 } = waitFor(asks);
    this.#wait(turn, { reason, since, inner: asks.length > 0 ? undefined : below?.name });
  }

  /** Ends inputs that have started and still wait when the run ends. */
  #closeLeft(why: EngineError): void {
    for (const { name, calls: former } of this.#left.values()) {
      const hub = this.#harness.hub.scoped({ task: { id: name } });
      new CallsOfScripts(this.#run.request, { former, answers: undefined }).close(hub);
      hub.emit({ type: 'task:cancelled', taskId: name, reason: cancelReasonOf(why) });
    }
    this.#left.clear();
  }

  /** Starts as many inputs as the concurrency allows. */
  #startWork(): void {
    while (this.#isOpen && this.#working < this.#atATime && this.#scope.reason === undefined) {
      const turn = this.#again.shift() ?? this.#nextFresh();
      if (turn === undefined) return;
      this.#working++;
      this.#runTurn(turn).then(
        () => this.#endWork(),
        // Reached only if the engine or the host's event handler has a bug.
        (thrown: unknown) => {
          this.#bug ??= { thrown };
          this.#scope.cancel(failFastStop());
          this.#endWork();
        },
      );
    }
  }

  #endWork(): void {
    this.#working--;
    this.#startWork();
    if (this.#working === 0) this.#close();
  }

  #close(): void {
    this.#isOpen = false;
    this.#held?.letGo();
    this.#run.asks.close();
    this.#finish();
  }

  /** Returns the next input that has not started; undefined if there is none or none may start. */
  #nextFresh(): InputTurn | undefined {
    const { max_waiting: most = mostWaiting } = this.#job.options;
    // A running input may start waiting.
    if (this.#cut.length > 0 || this.#waiting.size + this.#working >= most) return undefined;
    const { settled, open } = this.#point ?? {};
    while (this.#next < this.#job.inputs.length) {
      const index = this.#next++;
      const name = taskOf(index);
      if (settled?.has(name) === true || open?.has(name) === true || this.#reused.has(name)) continue;
      if (!this.#mayStart(name, index)) {
        this.#next = index;
        return undefined;
      }
      return freshTurn(index);
    }
    return undefined;
  }

  /** Returns false if the run is paused, or an input is held at a breakpoint on `input` in the agent's file. */
  #mayStart(name: string, index: number): boolean {
    const { hub } = this.#harness;
    const { pause } = hub;
    if (this.#held !== undefined) return false;
    const run = { source: { path: this.#run.request.place.shownPath } };
    if (pause === undefined || pause.isIdleIn(run.source.path)) return true;
    const known = pause.heldBecause(name) ?? this.#point?.held.get(name);
    const hold = holdOfInput({ name, index, input: this.#job.inputs[index] ?? null }, { run, pause, known });
    if (hold === undefined) return true;
    if (hold.event !== undefined) hub.emit(hold.event);
    const letGo = pause.hold(name, () => {
      this.#held = undefined;
      this.#startWork();
    });
    this.#held = { name, reason: hold.reason, letGo };
    return false;
  }

  async #runTurn(turn: InputTurn): Promise<void> {
    const { inputs, beforeAll, options } = this.#job;
    const { name, index, info, wasCut, isAnswered } = turn;
    this.#left.delete(name);
    const job = { index, input: inputs[index] ?? null, beforeAll, options };
    const outcome = await this.#harness.task(
      name,
      (inner) => runInput(this.#run, job, { inner, scope: this.#scope, wasCut, isAnswered, begun: turn }),
      info,
    );
    this.#take(outcome, turn);
  }

  #take(outcome: TaskOutcome, turn: InputTurn): void {
    const { name, index } = turn;
    if (outcome.status === 'completed') this.#outputs[index] = outcome.result;
    if (outcome.status === 'suspended') {
      const { reason = 'approval', inner } = outcome;
      this.#left.set(name, turn);
      this.#wait(turn, { reason, inner, since: this.#run.request.clock.now() });
    }
    if (outcome.status !== 'failed') return;
    this.#job.failedTasks.push(name);
    this.#takeFailure(outcome.error, index);
  }

  /** If there is already an answer, the input continues immediately. */
  #wait(turn: InputTurn, waiting: WaitingInput): void {
    turn.info = { continues: 'silent' };
    turn.wasCut = false;
    turn.isAnswered = true;
    this.#waiting.set(turn.name, waiting);
    this.#run.asks.wait(turn.name, () => {
      this.#waiting.delete(turn.name);
      this.#again.push(turn);
      this.#startWork();
    });
  }

  /** Creates the run's suspension, named after the input that has waited longest. */
  #suspension(): Suspension {
    if (this.#held !== undefined) return new Suspension(this.#held.name, this.#held.reason);
    const [cut] = this.#cut;
    if (cut !== undefined) return new Suspension(cut);
    const [oldest] = [...this.#waiting].sort(([, a], [, b]) => a.since - b.since);
    if (oldest === undefined) return new Suspension();
    const [name, { inner, reason }] = oldest;
    return new Suspension(inner === undefined ? name : `${name}/${inner}`, reason);
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
