/**
 * `aip.yaml`: parses and writes YAML.
 */
import { luaSequence, optionalString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';
import { parseYaml, yamlText } from '../formats/toml-yaml.ts';
import { scriptError } from '../script-error.ts';

export const yamlApi: ApiModule = {
  name: 'yaml',
  summary: 'Reads and writes YAML.',
  members: [
    {
      name: 'parse',
      signature: 'parse(text: string | nil) -> any[] | nil',
      summary:
        'The documents of a YAML text, as a list even when there is only one; an empty document is `null`. Raises with the place of what is no YAML, and for aliases that stand for too many values.',
      call: ([given]) => {
        const text = optionalString(given, 'aip.yaml.parse');
        return text === undefined ? undefined : parseYaml(text);
      },
    },
    {
      name: 'stringify',
      signature: 'stringify(value: any) -> string',
      summary: 'A value as a YAML document, ended by a newline.',
      call: ([value]) => yamlText(value ?? null),
    },
    {
      name: 'stringify_multi_docs',
      signature: 'stringify_multi_docs(documents: any[]) -> string',
      summary: 'A list of values as YAML documents, each but the first after a line `---`. Raises for what is no list.',
      call: ([given]) => {
        const documents = luaSequence(given);
        if (documents === undefined) throw scriptError('aip.yaml.stringify_multi_docs - the documents must be a list');
        return documents.map((document) => yamlText(document ?? null)).join('---\n');
      },
    },
  ],
};
