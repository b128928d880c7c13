/**
 * JSON Schema of a node type's values → of what a file may write for them.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from './json-value.ts';

/** Whether text with a binding may stand for any value. */
export type BoundValues = 'allowed' | 'refused';

const textWithBinding: JsonMap = { type: 'string', pattern: '\\{\\{' };
const unquotedText: JsonMap = { type: ['number', 'boolean'] };
const notes: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

/** Takes unknown keys, and at every value below the map itself unquoted text and, where allowed, bindings. */
export function loosenSchema(schema: JsonMap, boundValues: BoundValues): JsonMap {
  const entries = Object.entries(schema).map(([key, part]): [string, JsonValue] => {
    if (key === 'properties' && isJsonMap(part)) return [key, mapEach(part, (value) => widen(value, boundValues))];
    if (key === 'items' || key === 'additionalProperties') return [key, widen(part, boundValues)];
    if (isJsonList(part) && ['anyOf', 'oneOf', 'allOf'].includes(key)) {
      return [key, part.map((option) => (isJsonMap(option) ? loosenSchema(option, boundValues) : option))];
    }
    return [key, part];
  });
  const isClosed = schema['additionalProperties'] === false;
  return Object.fromEntries(
    isClosed ? entries.filter(([key]) => key !== 'additionalProperties' && key !== 'patternProperties') : entries,
  );
}

function widen(schema: JsonValue, boundValues: BoundValues): JsonValue {
  if (!isJsonMap(schema)) return schema;
  const loose = Object.entries(loosenSchema(schema, boundValues));
  const rule = Object.fromEntries(loose.filter(([key]) => !notes.has(key)));
  const alternatives = [
    ...(rule['type'] === 'string' ? [unquotedText] : []),
    ...(boundValues === 'allowed' ? [textWithBinding] : []),
  ];
  if (Object.keys(rule).length === 0 || alternatives.length === 0) return Object.fromEntries(loose);
  return { ...Object.fromEntries(loose.filter(([key]) => notes.has(key))), anyOf: [rule, ...alternatives] };
}

function mapEach(map: JsonMap, change: (value: JsonValue) => JsonValue): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
