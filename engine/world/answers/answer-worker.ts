/**
 * The worker program that reads responses and validates them against their schemas.
 */

import { findJson, lastValues } from '../../language/schema/find-json.ts';
import type { JsonSchema } from '../../language/schema/json-schema.ts';
import type { AnswerParseRequest, ParsedAnswer } from '../../runtime/kernel/capabilities/capabilities.ts';
import { openEngineLink } from '../workers/engine-link.ts';
import { createValueCheck } from './check-value.ts';

/** A response to read. */
export type AnswerOrder = Pick<AnswerParseRequest, 'text' | 'find' | 'schema'>;

/** The result. */
export type AnswerReport = { readonly answer: ParsedAnswer } | { readonly error: unknown };

type CompiledValueCheck = ReturnType<typeof createValueCheck>;

/** Caches the last schema, because a node in a loop uses the same one repeatedly. */
let last: { readonly text: string; readonly check: CompiledValueCheck } | undefined;

function checkOf(schema: JsonSchema): CompiledValueCheck {
  const text = JSON.stringify(schema);
  if (last?.text !== text) last = { text, check: createValueCheck(schema) };
  return last.check;
}

/** Returns the last value in the response that matches the schema, or the last value if none does. */
function read({ text, find, schema }: AnswerOrder): ParsedAnswer {
  const check = schema === undefined ? () => [] : checkOf(schema);
  const found = find === 'last' && schema !== undefined ? lastValues(text) : [findJson(text, find)];
  let misfit: ParsedAnswer | undefined;
  for (const one of found) {
    const problems = 'value' in one ? check(one.value) : [];
    if ('value' in one && problems.length === 0) return one;
    misfit ??= 'value' in one ? { problems } : one;
  }
  return misfit ?? findJson(text, find);
}

function reportOf(order: AnswerOrder): AnswerReport {
  try {
    return { answer: read(order) };
  } catch (thrown) {
    // A schema may recurse until the stack overflows.
    return { error: thrown };
  }
}

const engine = openEngineLink();
engine.ready();
for (;;) engine.report(reportOf(engine.receive() as AnswerOrder));
