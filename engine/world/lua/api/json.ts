/**
 * `aip.json`: parses and writes JSON.
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
        'The value of a JSON text, which may have comments, trailing or missing commas, single quotes, keys without quotes, hex numbers and leading plus signs. Nil for nil, for a blank text and for `null`; nulls further inside become `null`. Raises for anything else, with the place.',
      call: ([text]) => read('aip.json.parse', text, parseRelaxedJson) ?? undefined,
    },
    {
      name: 'parse_ndjson',
      signature: 'parse_ndjson(text: string | nil) -> any[] | nil',
      summary:
        'The values of a text with one strict JSON value a line; blank lines are passed over. Raises for a line that is none.',
      call: ([text]) => read('aip.json.parse_ndjson', text, parseNdjson),
    },
    {
      name: 'stringify',
      signature: 'stringify(value: any) -> string',
      summary:
        'A value as JSON in one line. A table with keys 1 to n, and an empty one, is a list; the keys of other tables are in alphabetical order. Raises for functions and for numbers that JSON does not have.',
      call: ([value]) => jsonText(value),
    },
    {
      name: 'stringify_pretty',
      signature: 'stringify_pretty(value: any) -> string',
      summary: 'Like `stringify`, over several lines, each level indented by two spaces.',
      call: ([value]) => jsonText(value, 2),
    },
    {
      name: 'stringify_to_line',
      signature: 'stringify_to_line(value: any) -> string',
      summary: 'The old name of `stringify`.',
      call: ([value]) => jsonText(value),
    },
  ],
};
