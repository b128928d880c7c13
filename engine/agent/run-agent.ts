/**
 * The runner of agent files: Before All, the inputs, After All. Like the one of flows it is a library function over hub,
 * phase and task. Around it a whole run as the executor starts it, with `run:start` and `run:end`; runs that another run
 * calls are run in the same way, on the hub that the caller's gives for them.
 */
import { elapsedSince } from '../base/clock.ts';
import { toErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isCancelledStop } from '../kernel/cancel-scope.ts';
import { createHarness, type Harness } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import type { RunEndEvent } from '../kernel/run-event.ts';
import { Spending, SpendingHub } from '../kernel/spending.ts';
import type { AgentOptions } from './agent-doc.ts';
import { modelOf, optionsForScripts } from './agent-options.ts';
import type { AgentRequest, AgentRunResult } from './agent-request.ts';
import { type AgentRun, inStage, runContextOf, runStageScript } from './agent-stage.ts';
import { inputsToRun, type PreparedRun, runBeforeAll } from './before-all.ts';
import { asksForRedo } from './directive.ts';
import { runInputs } from './run-inputs.ts';

/** What a run of an agent knows about itself beside its request. */
export interface AgentOrigin {
  /** SHA-256 of the file's text, in hex. */
  readonly definitionHash: string;
  readonly redoOf?: RunId;
  /** Of a child: the task of its parent that called it. */
  readonly parentTaskId?: string;
}

/** How it ended: the last event, and what the agent gave. */
export interface AgentRunEnd {
  readonly event: RunEndEvent;
  readonly result: AgentRunResult;
}

/** Runs an agent as a run of its own on `hub`; all of it is recorded when the promise resolves with the last event. */
export async function runAgentRoot(request: AgentRequest, hub: Hub, origin: AgentOrigin): Promise<AgentRunEnd> {
  const { place, inputs, redoCount, clock } = request;
  const startedAt = clock.now();
  const own = hub.scoped({ agent: { name: place.name } });
  own.emit({
    type: 'run:start',
    kind: 'agent',
    name: place.name,
    sourcePath: place.shownPath,
    inputs,
    ...origin,
    ...(redoCount === 0 ? {} : { redoCount }),
  });
  const result = await runAgentFile(request, createHarness(own, clock));
  const event = lastEvent(result, elapsedSince(startedAt, clock));
  own.emit(event);
  return { event, result };
}

function lastEvent(result: AgentRunResult, durationMs: number): RunEndEvent {
  const { status, outputs, afterAll, redoRequested, failedTasks, error, skipReason, usage, costUsd, unpricedCalls } =
    result;
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

/** Runs an agent to its end. Expected failures are part of the result, never thrown. */
async function runAgentFile(request: AgentRequest, harness: Harness): Promise<AgentRunResult> {
  const execution = new AgentExecution(request, harness);
  try {
    return await execution.run();
  } catch (thrown) {
    if (isCancelledStop(thrown)) return execution.result('cancelled', {});
    return execution.result('failed', { error: toErrorRecord(thrown) });
  }
}

class AgentExecution {
  readonly #request: AgentRequest;
  readonly #harness: Harness;
  readonly #run: AgentRun;
  readonly #failedTasks: string[] = [];

  constructor(request: AgentRequest, harness: Harness) {
    this.#request = request;
    this.#harness = harness;
    this.#run = { request, runContext: runContextOf(request), spending: new Spending() };
  }

  /** @throws EngineError what ends the run, with its stage; `Stopped` */
  async run(): Promise<AgentRunResult> {
    const prepared = await this.#harness.phase('Before All', (inner) => runBeforeAll(this.#run, this.#placeIn(inner)));
    if (prepared.kind === 'skip') return this.result('skipped', { skipReason: prepared.reason });
    if (prepared.kind === 'redo') return this.result('completed', { redoRequested: true });
    this.#logSettings(prepared.options);
    const inputs = inputsToRun(prepared.inputs, this.#request.doc);
    const outputs = inputs === null ? null : await this.#tasks({ ...prepared, inputs });
    // A dry run that asks nobody stops here: there is nothing that After All could be about.
    if (this.#request.dry === 'req') return this.result('completed', { outputs });
    const after = { ...prepared, inputs: inputs ?? prepared.inputs, outputs };
    const afterAll = await this.#harness.phase('After All', (inner) => this.#afterAll(after, inner));
    return this.result('completed', { outputs, afterAll, redoRequested: asksForRedo(afterAll) });
  }

  result(status: AgentRunResult['status'], fields: Partial<AgentRunResult>): AgentRunResult {
    const { spending } = this.#run;
    const nothing = { outputs: null, afterAll: null, redoRequested: false };
    return { status, ...nothing, ...fields, failedTasks: this.#failedTasks, ...spending.total() };
  }

  async #tasks(job: { inputs: readonly JsonValue[]; beforeAll: JsonValue; options: AgentOptions }) {
    const failedTasks = this.#failedTasks;
    return await this.#harness.phase('Tasks', (inner) => runInputs(this.#run, { ...job, failedTasks }, inner));
  }

  async #afterAll(after: PreparedRun & { outputs: readonly JsonValue[] | null }, harness: Harness): Promise<JsonValue> {
    const script = this.#request.doc.scripts.afterAll;
    if (script === undefined) return null;
    const { inputs, outputs, beforeAll, options } = after;
    const globals = { inputs, outputs, before_all: beforeAll, options: optionsForScripts(options) };
    const place = this.#placeIn(harness);
    return await inStage('AfterAll', place, () =>
      runStageScript(this.#run, { stage: 'AfterAll', script, globals }, place),
    );
  }

  #placeIn({ hub }: Harness) {
    const { scope, clock } = this.#request;
    return { hub: new SpendingHub(hub, this.#run.spending), signal: scope.signal, clock };
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
