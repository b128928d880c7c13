/**
 * Parses the outcome of a policy, which is one of three. Any other output counts as the data of a success.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { PlanFlowEntry } from '../plans/plan.ts';

export type SkillResult =
  | { readonly outcome: 'success'; readonly data: JsonValue; readonly entries: readonly string[] }
  | {
      readonly outcome: 'failure';
      /**
       * `validation_error`, `auth_error`, `not_found`, `rate_limit`, `timeout`, `server_error`, or a custom category.
       */
      readonly category: string;
      readonly message: string;
      readonly partialData: JsonValue;
    }
  | {
      readonly outcome: 'uncertain';
      readonly reason: string;
      readonly context: JsonMap;
      /** A flow that must run first and is stacked on top. */
      readonly stackOn?: PlanFlowEntry;
    };

/** Returns the JSON Schema of a skill's response; `data` is the schema declared by its flow. */
export function skillResultSchema(data: JsonMap | undefined): JsonMap {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      outcome: { enum: ['success', 'failure', 'uncertain'] },
      data: data ?? {},
      scratchpad_entries: { type: 'array', items: text, maxItems: 5 },
      error_category: text,
      message: text,
      partial_data: {},
      reason: text,
      context: { type: 'object' },
      stack_on: { type: 'object', properties: { flow: text, slots: { type: 'object' } }, required: ['flow'] },
    },
    required: ['outcome'],
  };
}

/**
 * Parses the output of a policy. A map that contains only an outcome's name and none of its other keys counts as data.
 */
export function readSkillResult(output: JsonValue): SkillResult {
  const given = isJsonMap(output) ? output : {};
  const has = (...keys: readonly string[]): boolean => keys.some((key) => given[key] !== undefined);
  const { outcome } = given;
  if (outcome === 'failure' && has('error_category', 'message')) return failureOf(given);
  if (outcome === 'uncertain' && has('reason', 'context', 'stack_on')) return uncertaintyOf(given);
  if (outcome === 'success' && has('data', 'scratchpad_entries'))
    return { outcome, data: given['data'] ?? null, entries: textsOf(given['scratchpad_entries']) };
  return { outcome: 'success', data: output, entries: [] };
}

function failureOf({ error_category, message, partial_data = null }: JsonMap): SkillResult {
  return {
    outcome: 'failure',
    category: textOf(error_category, 'server_error'),
    message: textOf(message, 'It failed without a reason.'),
    partialData: partial_data,
  };
}

function uncertaintyOf({ reason, context, stack_on }: JsonMap): SkillResult {
  const { flow, slots } = isJsonMap(stack_on) ? stack_on : {};
  const next = typeof flow === 'string' ? { flowName: flow, ...(isJsonMap(slots) ? { slots } : {}) } : undefined;
  return {
    outcome: 'uncertain',
    reason: textOf(reason, 'The next step is not clear.'),
    context: isJsonMap(context) ? context : {},
    ...(next === undefined ? {} : { stackOn: next }),
  };
}

function textOf(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonList(value) ? value.filter((one) => typeof one === 'string') : [];
}
