/**
 * Starts an agent run: runs Before All and determines the inputs.
 */

import type { AgentDoc, AgentOptions } from '../../language/agent/agent-doc.ts';
import { optionsForScripts, startingOptions, withScriptOptions } from '../../language/agent/agent-options.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { AgentRun } from './agent-request.ts';
import { runLoneStage, type StageContext } from './agent-stage.ts';
import { readBeforeAllResult, type SkipDirective } from './directive.ts';
import { withDisplay } from './input-label.ts';

/** The values that the inputs and After All depend on. */
export interface PreparedRun {
  readonly kind: 'value';
  readonly beforeAll: JsonValue;
  readonly inputs: readonly JsonValue[] | null;
  readonly options: AgentOptions;
}

/**
 * Runs Before All if the agent has one.
 * @throws EngineError from the stage; `Suspension` if the stage was interrupted and nobody has decided yet
 */
export async function runBeforeAll(
  run: AgentRun,
  place: StageContext,
): Promise<PreparedRun | SkipDirective | { readonly kind: 'redo' }> {
  const { doc, inputs } = run.request;
  const options = startingOptions(run.request);
  const script = doc.scripts.beforeAll;
  if (script === undefined) return { kind: 'value', beforeAll: null, inputs, options };
  const globals = { inputs, options: optionsForScripts(options) };
  const read = (value: JsonValue) => {
    const result = readBeforeAllResult(value);
    if (result.kind !== 'value') return result;
    return { inputs, ...result, options: withScriptOptions(options, result.options) };
  };
  return await runLoneStage(run, { stage: 'BeforeAll', script, globals, read }, place);
}

/**
 * Restores the result of Before All from an earlier run.
 * @param result the script's return value; ignored without a script
 * @returns undefined if that run did not reach its inputs
 */
export function preparedAgain(
  {
    doc,
    inputs,
    options,
  }: { readonly doc: AgentDoc; readonly inputs: PreparedRun['inputs']; readonly options: AgentOptions },
  result: JsonValue | undefined,
):
  | { readonly beforeAll: JsonValue; readonly inputs: readonly JsonValue[]; readonly options: AgentOptions }
  | undefined {
  const hasScript = doc.scripts.beforeAll !== undefined;
  if (hasScript && result === undefined) return undefined;
  const read = hasScript ? readBeforeAllResult(result ?? null) : ({ kind: 'value', beforeAll: null } as const);
  if (read.kind !== 'value') return undefined;
  const given = 'inputs' in read && read.inputs !== undefined ? read.inputs : inputs;
  const scriptOptions = 'options' in read ? read.options : undefined;
  return {
    beforeAll: read.beforeAll,
    inputs: inputsToRun(given, doc) ?? [],
    options: withScriptOptions(options, scriptOptions),
  };
}

/**
 * Returns the inputs to run. An agent that processes inputs but received none runs once with null. Returns null if no
 * input runs.
 */
export function inputsToRun(
  inputs: readonly JsonValue[] | null,
  { prompts, scripts }: AgentDoc,
): readonly JsonValue[] | null {
  if (inputs !== null && inputs.length > 0) return inputs.map(withDisplay);
  const hasTaskStages = prompts.length > 0 || scripts.data !== undefined || scripts.output !== undefined;
  return hasTaskStages ? [null] : null;
}
