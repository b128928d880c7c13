/**
 * The text of completions and hovers in agent files. Signatures, names and headings are not text. Descriptions of options,
 * `CTX` and `aip` come from the engine.
 */
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('agent-editor/language', {
  stages: {
    options: {
      when: 'read once',
      doc: 'Settings in TOML, such as the model and how many inputs run at once.',
    },
    beforeAll: {
      when: 'runs once, first',
      doc: 'Lua that runs once, before the inputs. It can choose them.',
    },
    data: {
      when: 'runs for each input',
      doc: 'Lua that runs for each input. It returns `data` for the prompts and Output.',
    },
    system: {
      when: 'sent first',
      doc: 'A prompt: how the model should behave.',
    },
    user: {
      when: 'sent for each input',
      doc: 'A prompt: the request to the model.',
    },
    assistant: {
      when: 'sent for each input',
      doc: 'A prompt: an earlier response that is attributed to the model.',
    },
    output: {
      when: 'runs after each response',
      doc: 'Lua that runs after the response. It returns the output for this input.',
    },
    afterAll: {
      when: 'runs once, last',
      doc: "Lua that runs once, after all inputs. It returns the agent's result.",
    },
  },
  returned: {
    byData: 'Returned by Data.',
    byBeforeAll: 'Returned by Before All.',
  },
  variables: {
    input: 'The input of this task: text, a value from Before All, or a file.',
    inputs: 'All inputs of the run, in order.',
    data: 'The value that the Data stage returned.',
    beforeAll: 'The value that Before All returned.',
    options: 'The options in effect here, with `resolved_model`: the model after aliases are resolved.',
    aiResponse: "The model's response; nil if there was no prompt.",
    outputs: 'The output for each input, in the same order; null for a skipped input.',
  },
  globals: {
    aip: 'The functions available to scripts, by module.',
    context: 'Information about the run: folders, the agent, the stage.',
    null: 'A null value for use inside tables, where nil would leave a gap.',
    isNull: 'Returns whether a value is nil or `null`.',
    isNotNull: 'Returns whether a value is neither nil nor `null`.',
    nilIfNull: 'Returns nil for `null`, and any other value unchanged.',
    valueOr: 'Returns the first value that is neither nil nor `null`.',
    isTable: 'Returns whether a value is a table.',
    isList: 'Returns whether a value is a table with an entry at 1.',
    isObject: 'Returns whether a value is a table without an entry at 1.',
    print: "Writes to the run's log.",
    require: "Loads `lua/NAME.lua` from the agent's folder or, failing that, from its pack.",
  },
  file: {
    path: 'The path, relative to the workspace if the file is in it.',
    dir: 'The folder.',
    name: 'The file name with its extension.',
    stem: 'The file name without its extension.',
    ext: 'The extension without the dot.',
    size: 'Size in bytes.',
    mtime: 'Modification time, in microseconds since 1970.',
    ctime: 'Creation time, in microseconds since 1970.',
    isLikelyText: 'Whether the extension indicates a text file.',
  },
  response: {
    content: 'The response text.',
    value: 'The parsed response, if the agent has an `output_schema`.',
    reasoning: "The model's thinking.",
    modelName: 'The model that responded.',
    adapterKind: "The model's provider.",
    usage: 'Tokens used.',
    priceUsd: 'Cost in US dollars.',
    durationSec: 'Time until the response was complete, in seconds.',
    info: 'A one-line summary of these values.',
  },
  prompt: {
    if: 'Inserts the part up to `{{/if}}` unless the value is missing, false, 0 or empty.',
    unless: 'Inserts the part up to `{{/unless}}` if the value is missing, false, 0 or empty.',
    each: 'Inserts the part up to `{{/each}}` for each item. The part can use `{{this}}`, `{{@index}}` and `{{@key}}`.',
    with: 'Inserts the part up to `{{/with}}`. The part can use the fields of the value by name.',
    else: 'Begins the part that is inserted if the condition is not met.',
    this: 'The current item of `#each`.',
    index: 'The position of the current item of `#each`, from 0.',
    key: 'The key of the current item of `#each`.',
    lookup: '`lookup list key`: the item with this key.',
    eq: '`(eq a b)`: whether the values are equal.',
    ne: '`(ne a b)`: whether the values differ.',
    gt: '`(gt a b)`: whether a is greater than b.',
    gte: '`(gte a b)`: whether a is greater than or equal to b.',
    lt: '`(lt a b)`: whether a is less than b.',
    lte: '`(lte a b)`: whether a is less than or equal to b.',
    and: '`(and a b)`: whether both conditions are met.',
    or: '`(or a b)`: whether at least one condition is met.',
    not: '`(not a)`: whether the condition is not met.',
    len: '`(len a)`: the number of items or characters.',
  },
});
