/**
 * Runs agent files: Before All, the inputs, After All. Like the flow runner, it is a library function built on hub,
 * phase and task. Also performs a complete run for the executor, from `run:start` or `run:resumed` to `run:end` or
 * `run:suspended`. Child runs work the same way, on a hub provided by the caller's hub.
 */
import { elapsedSince } from '../../base/clock.ts';
import { fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { refuseIfPure } from '../../language/agent/agent-contract.ts';
import type { AgentOptions } from '../../language/agent/agent-doc.ts';
import { modelOf, optionsForScripts } from '../../language/agent/agent-options.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { refusalOfOutput } from '../kernel/capabilities/gated-capabilities.ts';
import type { RunEndEvent, RunSuspendedEvent, StartedBy } from '../kernel/events/run-event.ts';
import { cancellation, isCancelledStop, overBudgetCode, Stopped } from '../kernel/hub/cancel-scope.ts';
import { createHarness, type Harness, Suspension } from '../kernel/hub/harness.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import { Spending } from '../kernel/hub/spending.ts';
import { RunAsks } from '../kernel/requests/run-asks.ts';
import { closeOrphans } from '../kernel/resume/called-runs.ts';
import type { ResumePoint } from '../kernel/resume/resume-point.ts';
import { type AgentRequest, type AgentRun, type AgentRunResult, endsBeforeOutput } from './agent-request.ts';
import { runContextOf, runLoneStage } from './agent-stage.ts';
import { inputsToRun, type PreparedRun, runBeforeAll } from './before-all.ts';
import { asksForRedo, readAfterAllResult } from './directive.ts';
import { runInputs } from './run-inputs.ts';

/** Facts about an agent run in addition to its request. */
export interface AgentOrigin {
  /** SHA-256 hash of the file's text, in hexadecimal. */
  readonly definitionHash: string;
  readonly startedBy?: StartedBy;
  readonly redoOf?: RunId;
  /** The run whose outputs inputs reuse, and the input that runs again in any case. */
  readonly rerunOf?: RunId;
  readonly rerunFromNode?: string;
  readonly rerunUntil?: number;
  /** For a child run: the parent's task that started it. */
  readonly parentTaskId?: string;
  /** For a child run started by a script outside the agent's inputs. */
  readonly parentStage?: 'BeforeAll' | 'AfterAll';
  /** For a child run started by a script. */
  readonly callKey?: string;
}

/** How the run ended, or that it waits for a person: the last event and the agent's result. */
export interface AgentRunEnd {
  readonly event: RunEndEvent | RunSuspendedEvent;
  readonly result: AgentRunResult;
}

const noInputs =
  'The list of inputs is empty, so the agent runs once without input. If the inputs come from a file pattern (-f), no file matches it. Patterns are relative to the current folder.';

/**
 * Runs an agent as a root run on `hub`. When the promise resolves with the last event, everything has been recorded.
 */
export async function runAgentRoot(request: AgentRequest, hub: Hub, origin: AgentOrigin): Promise<AgentRunEnd> {
  const { place, inputs, redoCount, clock, resume } = request;
  const startedAt = clock.now();
  const own = hub.scoped({ agent: { name: place.name } });
  if (resume === undefined) {
    const { name, shownPath: sourcePath } = place;
    const redo = redoCount === 0 ? {} : { redoCount };
    const autonomy = own.autonomy === undefined ? {} : { autonomy: own.autonomy };
    own.emit({ type: 'run:start', kind: 'agent', name, sourcePath, inputs, ...origin, ...redo, ...autonomy });
    if (origin.callKey === undefined && inputs?.length === 0) own.emit({ type: 'log', level: 'warn', text: noInputs });
  } else {
    own.emit({ type: 'run:resumed', ...resume.resumed });
    closeOrphans(resume.point.orphans, hub);
  }
  const result = await admitted(request, await runAgentFile(request, createHarness(own, clock), origin.callKey), own);
  const event = lastEvent(result, (resume?.point.activeMs ?? 0) + elapsedSince(startedAt, clock));
  own.emit(event);
  return { event, result };
}

/** Returns the result, or a failed result if a policy denies its output. */
async function admitted(
  { place: { name }, capabilities: { governance } }: AgentRequest,
  result: AgentRunResult,
  hub: Hub,
): Promise<AgentRunResult> {
  if (result.status !== 'completed' || governance === undefined) return result;
  const output = { outputs: result.outputs, after_all: result.afterAll };
  const error = await refusalOfOutput(governance, { hub, name, output });
  return error === undefined ? result : { ...result, status: 'failed', error, redoRequested: false };
}

function lastEvent(result: AgentRunResult, durationMs: number): RunEndEvent | RunSuspendedEvent {
  const { status, outputs, afterAll, redoRequested, failedTasks, error, skipReason, usage, costUsd, unpricedCalls } =
    result;
  if (status === 'suspended') {
    const { waitsFor, suspendReason: reason = 'operator' } = result;
    return { type: 'run:suspended', reason, ...(waitsFor === undefined ? {} : { nodeId: waitsFor }) };
  }
  return {
    type: 'run:end',
    status,
    ...(status === 'completed' ? { output: { outputs, after_all: afterAll } } : {}),
    ...(error === undefined ? {} : { error }),
    failedNodes: failedTasks,
    durationMs,
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(unpricedCalls === undefined ? {} : { unpricedCalls }),
    ...(redoRequested ? { redoRequested } : {}),
    ...(skipReason === undefined ? {} : { skipReason }),
  };
}

/** Runs an agent to its end. Returns expected failures as part of the result and never throws them. */
async function runAgentFile(
  request: AgentRequest,
  harness: Harness,
  callKey: string | undefined,
): Promise<AgentRunResult> {
  const execution = new AgentExecution(request, harness, callKey);
  try {
    return await execution.run();
  } catch (thrown) {
    if (thrown instanceof Suspension) return execution.suspended(thrown);
    const { reason } = request.scope;
    if (reason?.code === overBudgetCode) return execution.result('failed', { error: toErrorRecord(reason) });
    if (isCancelledStop(thrown)) return execution.result('cancelled', {});
    return execution.result('failed', { error: toErrorRecord(thrown) });
  }
}

class AgentExecution {
  readonly #request: AgentRequest;
  readonly #harness: Harness;
  readonly #run: AgentRun;
  /** The point where an earlier process stopped. */
  readonly #point: ResumePoint | undefined;
  readonly #failedTasks: string[];

  constructor(request: AgentRequest, harness: Harness, callKey: string | undefined) {
    this.#request = request;
    this.#harness = harness;
    this.#point = request.resume?.point;
    this.#failedTasks = [...(this.#point?.failedNodes ?? [])];
    const spending = this.#point?.spending ?? new Spending();
    const asks = new RunAsks(this.#point, request.answers);
    this.#run = { request, runContext: runContextOf(request), spending, asks, callKey };
  }

  /** @throws EngineError the error that ends the run, with its stage; `Stopped`; `Suspension` */
  async run(): Promise<AgentRunResult> {
    if (this.#point?.wasCancelled === true) this.#request.scope.cancel(cancellation());
    const prepared = await this.#phase('Before All', (inner) => runBeforeAll(this.#run, this.#placeIn(inner)));
    if (prepared.kind === 'skip') return this.result('skipped', { skipReason: prepared.reason });
    if (prepared.kind === 'redo') refuseIfPure(this.#request, 'requests another run');
    if (prepared.kind === 'redo') return this.result('completed', { redoRequested: true });
    if (this.#point?.phases.get('Tasks') === undefined) this.#logSettings(prepared.options);
    const inputs = inputsToRun(prepared.inputs, this.#request.doc);
    const outputs = inputs === null ? null : await this.#tasks({ ...prepared, inputs });
    // A dry run without responses ends here, because After All would have no outputs to process.
    if (this.#request.dry === 'req' && endsBeforeOutput(this.#request)) return this.result('completed', { outputs });
    const after = { ...prepared, inputs: inputs ?? prepared.inputs, outputs };
    const { pause } = this.#harness.hub;
    const isNew = this.#point?.phases.get('After All') === undefined;
    if (isNew && pause?.admits('model') === false) throw new Suspension('AfterAll', pause.reasonFor('model'));
    const afterAll = await this.#phase('After All', (inner) => this.#afterAll(after, inner));
    const redoRequested = asksForRedo(afterAll);
    if (redoRequested) refuseIfPure(this.#request, 'requests another run');
    return this.result('completed', { outputs, afterAll, redoRequested });
  }

  result(status: AgentRunResult['status'], fields: Partial<AgentRunResult>): AgentRunResult {
    const { spending } = this.#run;
    const nothing = { outputs: null, afterAll: null, redoRequested: false };
    return { status, ...nothing, ...fields, failedTasks: this.#failedTasks, ...spending.total() };
  }

  suspended({ waitsFor, reason: suspendReason }: Suspension): AgentRunResult {
    return this.result('suspended', { suspendReason, ...(waitsFor === undefined ? {} : { waitsFor }) });
  }

  /** A completed phase only returns its earlier result. It does not emit or repeat anything. */
  async #phase<T>(name: string, body: (inner: Harness) => Promise<T>): Promise<T> {
    switch (this.#point?.phases.get(name)) {
      case undefined:
        return await this.#harness.phase(name, body);
      case 'open':
        return await this.#harness.phase(name, body, { continues: 'silent' });
      case 'complete':
        return await body(this.#harness);
      case 'failed':
        throw fromErrorRecord(this.#point?.error ?? { code: 'run.failed', message: 'The run failed' });
      case 'cancelled':
        throw new Stopped(cancellation());
    }
  }

  async #tasks(job: { inputs: readonly JsonValue[]; beforeAll: JsonValue; options: AgentOptions }) {
    const failedTasks = this.#failedTasks;
    return await this.#phase('Tasks', (inner) => runInputs(this.#run, { ...job, failedTasks }, inner));
  }

  async #afterAll(after: PreparedRun & { outputs: readonly JsonValue[] | null }, harness: Harness): Promise<JsonValue> {
    const script = this.#request.doc.scripts.afterAll;
    if (script === undefined) return null;
    const { inputs, outputs, beforeAll, options } = after;
    const globals = { inputs, outputs, before_all: beforeAll, options: optionsForScripts(options) };
    const work = { stage: 'AfterAll', script, globals, read: readAfterAllResult } as const;
    return await runLoneStage(this.#run, work, this.#placeIn(harness));
  }

  #placeIn({ hub }: Harness) {
    return { hub: hub.with({ spending: this.#run.spending }), signal: this.#request.scope.signal };
  }

  #logSettings(options: AgentOptions): void {
    const { name, shownPath } = this.#request.place;
    const text = [`Running agent command: ${name}`, `from: ${shownPath}`, ...modelLines(options)].join('\n');
    this.#harness.hub.emit({ type: 'log', level: 'info', text });
  }
}

function modelLines(options: AgentOptions): string[] {
  const { model, temperature, top_p: topP } = options;
  const resolved = modelOf(options);
  if (model === undefined || resolved === undefined) return [];
  const settings = [
    ...(temperature === undefined ? [] : [`temperature: ${temperature}`]),
    ...(topP === undefined ? [] : [`top_p: ${topP}`]),
  ];
  const name = model === resolved ? model : `${model} (${resolved})`;
  return [`with default model: ${name}${settings.length === 0 ? '' : ` (${settings.join(', ')})`}`];
}
