/**
 * Parses the argument if it is text. Errors contain the function name.
 */
import { optionalString } from '../api-arguments.ts';
import type { ApiModule, LuaValue } from '../api-module.ts';
import { jsonText } from '../formats/json-text.ts';
import { parseNdjson, parseRelaxedJson } from '../formats/relaxed-json.ts';
import { scriptError } from '../script-error.ts';

/** Parses the argument if it is a text. Errors contain the name of the function. */
function read<Value>(name: string, argument: LuaValue, parse: (text: string) => Value): Value | undefined {
  const text = optionalString(argument, name);
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw scriptError(`${name} failed. ${error instanceof Error ? error.message : error}`);
  }
}

export const jsonApi: ApiModule = {
  name: 'json',
  summary: 'Reads and writes JSON.',
  members: [
    {
      name: 'parse',
      signature: 'parse(text: string | nil) -> any',
      summary:
        'Parses JSON. Accepts comments, trailing or missing commas, single quotes, unquoted keys, hexadecimal numbers and leading plus signs. Returns nil for nil, blank text and a top-level `null`; a nested null becomes `null`. Raises an error with the position for other invalid text.',
      call: ([text]) => read('aip.json.parse', text, parseRelaxedJson) ?? undefined,
    },
    {
      name: 'parse_ndjson',
      signature: 'parse_ndjson(text: string | nil) -> any[] | nil',
      summary:
        'Parses text with one strict JSON value per line. Skips blank lines. Returns nil for nil. Raises an error if a line is not valid JSON.',
      call: ([text]) => read('aip.json.parse_ndjson', text, parseNdjson),
    },
    {
      name: 'stringify',
      signature: 'stringify(value: any) -> string',
      summary:
        'Returns a value as JSON on one line. An empty table or a table with keys 1 to n becomes a list; other tables have their keys in alphabetical order. Raises an error for functions and for numbers that JSON cannot represent.',
      call: ([value]) => jsonText(value),
    },
    {
      name: 'stringify_pretty',
      signature: 'stringify_pretty(value: any) -> string',
      summary: 'Like `stringify`, but on several lines, with each level indented by two spaces.',
      call: ([value]) => jsonText(value, 2),
    },
    {
      name: 'stringify_to_line',
      signature: 'stringify_to_line(value: any) -> string',
      summary: 'Former name of `stringify`.',
      call: ([value]) => jsonText(value),
    },
  ],
};
