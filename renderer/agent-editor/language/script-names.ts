/**
 * Names available to scripts and prompts in addition to `aip`: variables of their stage, `CTX`, and fields of their
 * values.
 */
import { contextDocs, type SectionKind } from '../../../engine/isomorphic.ts';

/** A name with its type and description. */
export interface KnownName {
  readonly name: string;
  /** Type, for example `FileInfo | any`. */
  readonly type: string;
  readonly summary: string;
}

const input: KnownName = {
  name: 'input',
  type: 'any',
  summary: 'The input of this task: text, a value from Before All, or a file.',
};
const inputs: KnownName = { name: 'inputs', type: 'list | nil', summary: 'All inputs of the run, in order.' };
const data: KnownName = { name: 'data', type: 'any', summary: 'The value that the Data stage returned.' };
const beforeAll: KnownName = { name: 'before_all', type: 'any', summary: 'The value that Before All returned.' };
const options: KnownName = {
  name: 'options',
  type: 'AgentOptions',
  summary: 'The options in effect here, with `resolved_model`: the model after aliases are resolved.',
};
const aiResponse: KnownName = {
  name: 'ai_response',
  type: 'table | nil',
  summary: 'The response of the model; nil if there was no prompt.',
};
const outputs: KnownName = {
  name: 'outputs',
  type: 'list',
  summary: 'The output for each input, in the same order; null for a skipped input.',
};

/** Variables available to scripts, by stage. */
export const stageVariables: Readonly<Partial<Record<SectionKind, readonly KnownName[]>>> = {
  beforeAll: [inputs, options],
  data: [input, beforeAll, options],
  output: [input, data, beforeAll, aiResponse, options],
  afterAll: [inputs, outputs, beforeAll, options],
};

/** Names available to prompts. */
export const promptNames: readonly KnownName[] = [data, input, beforeAll];

/** Functions and values available to every script. */
export const globalNames: readonly KnownName[] = [
  { name: 'aip', type: 'table', summary: 'The functions available to scripts, by module.' },
  { name: 'CTX', type: 'table', summary: 'Information about the run: folders, the agent, the stage.' },
  { name: 'null', type: 'null', summary: 'A null value for use inside tables, where nil would leave a gap.' },
  { name: 'is_null', type: 'is_null(v) -> boolean', summary: 'Returns whether a value is nil or `null`.' },
  {
    name: 'is_not_null',
    type: 'is_not_null(v) -> boolean',
    summary: 'Returns whether a value is neither nil nor `null`.',
  },
  {
    name: 'nil_if_null',
    type: 'nil_if_null(v) -> any',
    summary: 'Returns nil for `null`, and any other value unchanged.',
  },
  {
    name: 'value_or',
    type: 'value_or(v, other, ...) -> any',
    summary: 'Returns the first value that is neither nil nor `null`.',
  },
  { name: 'is_table', type: 'is_table(v) -> boolean', summary: 'Returns whether a value is a table.' },
  { name: 'is_list', type: 'is_list(v) -> boolean', summary: 'Returns whether a value is a table with an entry at 1.' },
  {
    name: 'is_object',
    type: 'is_object(v) -> boolean',
    summary: 'Returns whether a value is a table without an entry at 1.',
  },
  { name: 'print', type: 'print(...)', summary: 'Writes to the log of the run.' },
  {
    name: 'require',
    type: 'require(name) -> any',
    summary: 'Loads `lua/NAME.lua` from the folder of the agent or, failing that, from its pack.',
  },
];

function text(name: string, summary: string): KnownName {
  return { name, type: 'string', summary };
}

/** Fields of `CTX`. */
export const contextNames: readonly KnownName[] = Object.entries(contextDocs).map(([name, doc]) => ({ name, ...doc }));

/** Fields of an input that is a file. */
export const fileFields: readonly KnownName[] = [
  text('path', 'The path, relative to the workspace if the file is in it.'),
  text('dir', 'The folder.'),
  text('name', 'The file name with its extension.'),
  text('stem', 'The file name without its extension.'),
  text('ext', 'The extension without the dot.'),
  { name: 'size', type: 'integer | nil', summary: 'Size in bytes.' },
  { name: 'mtime', type: 'integer | nil', summary: 'Time of the last change, in microseconds since 1970.' },
  { name: 'ctime', type: 'integer | nil', summary: 'Time of creation, in microseconds since 1970.' },
  { name: 'is_likely_text', type: 'boolean', summary: 'Whether the extension is that of a text file.' },
];

/** Fields of `ai_response`. */
export const responseFields: readonly KnownName[] = [
  text('content', 'The text of the response.'),
  { name: 'value', type: 'any', summary: 'The parsed response, if the agent has an `output_schema`.' },
  { name: 'reasoning_content', type: 'string | nil', summary: 'The thinking of the model.' },
  text('model_name', 'The model that responded.'),
  text('adapter_kind', 'The provider of the model.'),
  { name: 'usage', type: 'table', summary: 'Tokens used.' },
  { name: 'price_usd', type: 'number | nil', summary: 'Cost in US dollars.' },
  { name: 'duration_sec', type: 'number', summary: 'Time until the response was complete, in seconds.' },
  text('info', 'A one-line summary of these values.'),
];
