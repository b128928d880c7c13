/**
 * The runner of agent files: Before All, the inputs, After All. Like the one of flows it is a library function over hub,
 * phase and task.
 */
import { toErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isCancellation } from '../kernel/cancel-scope.ts';
import type { Harness } from '../kernel/harness.ts';
import { Spending } from '../kernel/spending.ts';
import { SpendingHub } from '../kernel/spending-hub.ts';
import type { AgentDoc, AgentOptions } from './agent-doc.ts';
import type { AgentRequest, AgentRunResult } from './agent-request.ts';
import { modelOf, optionsForScripts, startingOptions, withScriptOptions } from './agent-settings.ts';
import { type AgentRun, inStage, runStageScript } from './agent-stage.ts';
import { asksForRedo, readBeforeAllResult, type SkipDirective } from './directive.ts';
import { withDisplay } from './input-label.ts';
import { runInputs } from './run-inputs.ts';
import { runContextOf } from './script-context.ts';

/** Runs an agent to its end. Expected failures are part of the result, never thrown. */
export async function runAgentFile(request: AgentRequest, harness: Harness): Promise<AgentRunResult> {
  const execution = new AgentExecution(request, harness);
  try {
    return await execution.run();
  } catch (thrown) {
    if (isCancellation(thrown)) return execution.result('cancelled', {});
    return execution.result('failed', { error: toErrorRecord(thrown) });
  }
}

/** What the inputs and After All go by. */
interface Prepared {
  readonly kind: 'value';
  readonly beforeAll: JsonValue;
  readonly inputs: readonly JsonValue[] | null;
  readonly options: AgentOptions;
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

  /** @throws EngineError what ends the run, with its stage; `run.cancelled` */
  async run(): Promise<AgentRunResult> {
    const prepared = await this.#harness.phase('Before All', (inner) => this.#beforeAll(inner));
    if (prepared.kind === 'skip') return this.result('skipped', { skipReason: prepared.reason });
    if (prepared.kind === 'redo') return this.result('completed', { redoRequested: true });
    this.#tellSettings(prepared.options);
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

  async #beforeAll(harness: Harness): Promise<Prepared | SkipDirective | { readonly kind: 'redo' }> {
    const { doc, inputs } = this.#request;
    const options = startingOptions(this.#request);
    const script = doc.scripts.beforeAll;
    if (script === undefined) return { kind: 'value', beforeAll: null, inputs, options };
    const globals = { inputs, options: optionsForScripts(options) };
    const place = this.#placeIn(harness);
    return await inStage('BeforeAll', place, async () => {
      const value = await runStageScript(this.#run, { stage: 'BeforeAll', script, globals }, place);
      const result = readBeforeAllResult(value);
      if (result.kind !== 'value') return result;
      return { inputs, ...result, options: withScriptOptions(options, result.options) };
    });
  }

  async #tasks(job: { inputs: readonly JsonValue[]; beforeAll: JsonValue; options: AgentOptions }) {
    const failedTasks = this.#failedTasks;
    return await this.#harness.phase('Tasks', (inner) => runInputs(this.#run, { ...job, failedTasks }, inner));
  }

  async #afterAll(after: Prepared & { outputs: readonly JsonValue[] | null }, harness: Harness): Promise<JsonValue> {
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
    const { signal, clock } = this.#request;
    return { hub: new SpendingHub(hub, this.#run.spending), signal, clock };
  }

  #tellSettings(options: AgentOptions): void {
    const { name, shownPath } = this.#request.place;
    const text = [`Running agent command: ${name}`, `from: ${shownPath}`, ...modelLines(options)].join('\n');
    this.#harness.hub.emit({ type: 'log', level: 'info', text });
  }
}

/** An agent that does something with inputs, and has none, runs once with null. Null = no input is run. */
function inputsToRun(inputs: readonly JsonValue[] | null, { prompts, scripts }: AgentDoc): readonly JsonValue[] | null {
  if (inputs !== null && inputs.length > 0) return inputs.map(withDisplay);
  const hasTaskStages = prompts.length > 0 || scripts.data !== undefined || scripts.output !== undefined;
  return hasTaskStages ? [null] : null;
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
