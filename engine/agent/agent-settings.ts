/**
 * The options of an agent as they stand at one point of its run, and as its scripts see them.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { AgentOptions } from './agent-doc.ts';
import { mergeOptions, optionsFromLua, resolveAlias } from './agent-options.ts';
import type { AgentRequest } from './agent-request.ts';

/** Those that hold when a run begins. */
export function startingOptions({ baseOptions, doc, callOptions }: AgentRequest): AgentOptions {
  return mergeOptions([baseOptions, doc.options, callOptions ?? {}]);
}

/**
 * Those that hold after a script has given some; undefined = it gave none.
 * @throws EngineError `agent.bad-options`
 */
export function withScriptOptions(options: AgentOptions, given: JsonValue | undefined): AgentOptions {
  return given === undefined ? options : mergeOptions([options, optionsFromLua(given)]);
}

/** The model that is meant, aliases resolved; undefined = none is set, or only an empty text. */
export function modelOf({ model = '', model_aliases }: AgentOptions): string | undefined {
  return model === '' ? undefined : resolveAlias(model, model_aliases);
}

/** The variable `options` of scripts. */
export function optionsForScripts(options: AgentOptions): JsonMap {
  const resolved = modelOf(options);
  return { ...options, ...(resolved === undefined ? {} : { resolved_model: resolved }) };
}
