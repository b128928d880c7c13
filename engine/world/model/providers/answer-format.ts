/**
 * Requests a response in the shape of a schema: in the provider's own mode if it supports the schema, otherwise in the
 * prompt. For the modes see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas and
 * https://ai.google.dev/api/caching#Schema. Responses are always validated, whatever the provider promises.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../language/json/json-value.ts';
import type { JsonSchema } from '../../../language/schema/json-schema.ts';
import type { ModelMessage } from '../../../runtime/kernel/models/model-capability.ts';
import type { ProviderConfig } from '../provider-config.ts';

/**
 * `schema`: the provider receives the schema and enforces it if it is strict. `json`: JSON mode, with the schema in the
 * prompt. `words`: everything in the prompt.
 */
export type AnswerFormat =
  | { readonly mode: 'schema'; readonly schema: JsonMap; readonly isStrict: boolean }
  | { readonly mode: 'json' | 'words'; readonly schema: JsonSchema };

/** Returns the formats to try, best first. Every provider accepts the last format. */
export function answerFormats(schema: JsonSchema, config: ProviderConfig): readonly AnswerFormat[] {
  const words: AnswerFormat = { mode: 'words', schema };
  if (!isJsonMap(schema) || schema['type'] !== 'object') return [words];
  switch (config.kind) {
    case 'openai':
      return [{ mode: 'schema', schema, isStrict: isStrictSchema(schema) }, words];
    case 'anthropic':
    case 'ollama':
      return [{ mode: 'schema', schema, isStrict: false }, words];
    case 'gemini':
      return isHeld(schema, geminiKeywords) ? [{ mode: 'schema', schema, isStrict: false }, words] : [words];
    case 'openai-compatible':
      return compatibleFormats(schema, config, words);
  }
}

function compatibleFormats(schema: JsonMap, { structuredOutput }: ProviderConfig, words: AnswerFormat) {
  if (structuredOutput === 'schema')
    return [{ mode: 'schema', schema, isStrict: isStrictSchema(schema) }, words] as const;
  return structuredOutput === 'json' ? ([{ mode: 'json', schema }, words] as const) : [words];
}

/** Returns the messages with the schema in the prompt if the format requires it. */
export function withFormatInstructions(
  messages: readonly ModelMessage[],
  { mode, schema }: AnswerFormat,
): readonly ModelMessage[] {
  if (mode === 'schema') return messages;
  const words = `Respond with one JSON value that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;
  const index = messages.findLastIndex(({ role }) => role === 'system');
  const last = messages[index];
  if (last === undefined) return [{ role: 'system', content: words }, ...messages];
  return messages.with(index, { ...last, content: last.content === '' ? words : `${last.content}\n\n${words}` });
}

const strictKeywords = new Set([
  ...['$schema', '$defs', '$ref', 'title', 'description', 'type', 'properties', 'required', 'additionalProperties'],
  ...['items', 'enum', 'const', 'anyOf', 'pattern', 'format', 'minItems', 'maxItems'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

const geminiKeywords = new Set([
  ...['$schema', 'title', 'description', 'type', 'properties', 'required', 'items', 'enum', 'anyOf', 'format'],
  ...['minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'nullable'],
]);

const saysKind = ['type', 'anyOf', '$ref', 'enum', 'const'];

/** OpenAI enforces a schema strictly only if each object declares all of its properties and requires all of them. */
function isStrictSchema(schema: JsonMap): boolean {
  return isHeld(schema, strictKeywords, (map) => {
    const { type, properties, required } = map;
    if (!saysKind.some((key) => key in map)) return false;
    const isObject = type === 'object' || (isJsonList(type) && type.includes('object')) || properties !== undefined;
    if (!isObject) return true;
    const names = isJsonMap(properties) ? Object.keys(properties) : [];
    const needed: readonly JsonValue[] = isJsonList(required) ? required : [];
    return map['additionalProperties'] === false && names.every((name) => needed.includes(name));
  });
}

const mapsOfSchemas = ['properties', '$defs'];

/** Whether a schema and all its subschemas use only these keywords and pass the test. */
function isHeld(
  schema: JsonValue,
  keywords: ReadonlySet<string>,
  test: (map: JsonMap) => boolean = () => true,
): boolean {
  if (!isJsonMap(schema) || !test(schema)) return false;
  const inner = (value: JsonValue): boolean => isHeld(value, keywords, test);
  return Object.entries(schema).every(([key, value]) => {
    if (!keywords.has(key)) return false;
    if (mapsOfSchemas.includes(key)) return isJsonMap(value) && Object.values(value).every(inner);
    if (key === 'anyOf') return isJsonList(value) && value.every(inner);
    return key !== 'items' || inner(value);
  });
}
