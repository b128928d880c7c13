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
      summary: 'The table of a TOML text; dates and times are text. Raises with the place of what is no TOML.',
      call: ([text]) => parseToml(requiredString(text, 1)),
    },
    {
      name: 'stringify',
      signature: 'stringify(table: table) -> string',
      summary: 'A table as TOML. Keys with `null` are left out. Raises for lists and for `null` in a list.',
      call: ([value]) => {
        const table = asMap(value);
        if (table === undefined)
          throw scriptError(`aip.toml.stringify - a table with names is needed, but was ${luaTypeOf(value)}`);
        return tomlText(table);
      },
    },
  ],
};
