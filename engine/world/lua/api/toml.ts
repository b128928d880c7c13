/**
 * `aip.toml`: parses and writes TOML.
 */
import { asMap, luaTypeOf, requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';
import { parseToml, tomlText } from '../formats/toml-yaml.ts';
import { scriptError } from '../script-error.ts';

export const tomlApi: ApiModule = {
  name: 'toml',
  summary: 'Reads and writes TOML.',
  members: [
    {
      name: 'parse',
      signature: 'parse(text: string) -> table',
      summary:
        'Parses TOML. Dates and times become strings. Raises an error with the position if the text is not valid TOML.',
      call: ([text]) => parseToml(requiredString(text, 1)),
    },
    {
      name: 'stringify',
      signature: 'stringify(table: table) -> string',
      summary:
        'Returns a table as TOML. Omits keys with the value `null`. Raises an error if the value is a list or a list in it contains `null`.',
      call: ([value]) => {
        const table = asMap(value);
        if (table === undefined)
          throw scriptError(
            `aip.toml.stringify - the value must be a table with string keys, but was ${luaTypeOf(value)}`,
          );
        return tomlText(table);
      },
    },
  ],
};
