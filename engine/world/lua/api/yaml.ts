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
        'Parses YAML and returns a list of its documents, even if there is only one. An empty document is `null`. Returns nil for nil. Raises an error with the position if the text is not valid YAML. Also raises an error if aliases expand to too many values.',
      call: ([given]) => {
        const text = optionalString(given, 'aip.yaml.parse');
        return text === undefined ? undefined : parseYaml(text);
      },
    },
    {
      name: 'stringify',
      signature: 'stringify(value: any) -> string',
      summary: 'Returns a value as a YAML document that ends with a newline.',
      call: ([value]) => yamlText(value ?? null),
    },
    {
      name: 'stringify_multi_docs',
      signature: 'stringify_multi_docs(documents: any[]) -> string',
      summary:
        'Returns a list of values as YAML documents, separated by `---` lines. Raises an error if the argument is not a list.',
      call: ([given]) => {
        const documents = luaSequence(given);
        if (documents === undefined) throw scriptError('aip.yaml.stringify_multi_docs - the documents must be a list');
        return documents.map((document) => yamlText(document ?? null)).join('---\n');
      },
    },
  ],
};
