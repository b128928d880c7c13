/** Derives a JSON Schema from an example. */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';

/** Returns a schema that requires the fields of an example. */
export function schemaOfExample(example: JsonValue): JsonMap {
  if (isJsonList(example)) {
    const [first] = example;
    return { type: 'array', ...(first === undefined ? {} : { items: schemaOfExample(first) }) };
  }
  if (isJsonMap(example)) {
    const properties = Object.entries(example).map(([key, value]) => [key, schemaOfExample(value)] as const);
    return { type: 'object', properties: Object.fromEntries(properties), required: Object.keys(example) };
  }
  return example === null ? {} : { type: typeof example };
}
