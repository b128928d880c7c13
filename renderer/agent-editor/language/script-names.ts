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
  summary: 'The input of this task: a text, what Before All chose, or the file that was named.',
};
const inputs: KnownName = { name: 'inputs', type: 'list | nil', summary: 'All inputs of the run, in their order.' };
const data: KnownName = { name: 'data', type: 'any', summary: 'What the Data stage has returned.' };
const beforeAll: KnownName = { name: 'before_all', type: 'any', summary: 'What Before All has returned.' };
const options: KnownName = {
  name: 'options',
  type: 'AgentOptions',
  summary: 'The options that hold here, with `resolved_model`: the model when aliases are looked up.',
};
const aiResponse: KnownName = {
  name: 'ai_response',
  type: 'table | nil',
  summary: "The model's answer; nil when there was nothing to ask.",
};
const outputs: KnownName = {
  name: 'outputs',
  type: 'list',
  summary: 'The output of each input, in their order; null for one that was skipped.',
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
  { name: 'aip', type: 'table', summary: 'Everything that scripts can do, by module.' },
  { name: 'CTX', type: 'table', summary: 'What is known of the run: folders, the agent, the stage.' },
  { name: 'null', type: 'null', summary: 'Stands for nothing inside of tables, where nil would leave a hole.' },
  { name: 'is_null', type: 'is_null(v) -> boolean', summary: 'Whether a value is nil or `null`.' },
  { name: 'is_not_null', type: 'is_not_null(v) -> boolean', summary: 'Whether a value is neither nil nor `null`.' },
  { name: 'nil_if_null', type: 'nil_if_null(v) -> any', summary: 'Nil for `null`, all else as it is.' },
  { name: 'value_or', type: 'value_or(v, other, ...) -> any', summary: 'The first that is neither nil nor `null`.' },
  { name: 'is_table', type: 'is_table(v) -> boolean', summary: 'Whether a value is a table.' },
  { name: 'is_list', type: 'is_list(v) -> boolean', summary: 'Whether a value is a table with an entry at 1.' },
  { name: 'is_object', type: 'is_object(v) -> boolean', summary: 'Whether a value is a table without an entry at 1.' },
  { name: 'print', type: 'print(...)', summary: 'Writes to the log of the run.' },
  {
    name: 'require',
    type: 'require(name) -> any',
    summary: 'Loads `lua/NAME.lua` beside the agent, then of its pack.',
  },
];

function text(name: string, summary: string): KnownName {
  return { name, type: 'string', summary };
}

/** Fields of `CTX`. */
export const contextNames: readonly KnownName[] = Object.entries(contextDocs).map(([name, doc]) => ({ name, ...doc }));

/** Fields of an input that is a file. */
export const fileFields: readonly KnownName[] = [
  text('path', 'Relative to the workspace, when the file lies in it.'),
  text('dir', 'The folder.'),
  text('name', 'The name with its ending.'),
  text('stem', 'The name without its ending.'),
  text('ext', 'The ending without the dot.'),
  { name: 'size', type: 'integer | nil', summary: 'Bytes.' },
  { name: 'mtime', type: 'integer | nil', summary: 'When it was last changed, microseconds since 1970.' },
  { name: 'ctime', type: 'integer | nil', summary: 'When it was made, microseconds since 1970.' },
  { name: 'is_likely_text', type: 'boolean', summary: 'Whether its ending is one of text files.' },
];

/** Fields of `ai_response`. */
export const responseFields: readonly KnownName[] = [
  text('content', 'The text of the answer.'),
  { name: 'value', type: 'any', summary: 'The answer as a value, where the agent has an `output_schema`.' },
  { name: 'reasoning_content', type: 'string | nil', summary: 'What the model thought aloud.' },
  text('model_name', 'The model that has answered.'),
  text('adapter_kind', 'The provider that was asked.'),
  { name: 'usage', type: 'table', summary: 'Tokens that were used.' },
  { name: 'price_usd', type: 'number | nil', summary: 'What it has cost.' },
  { name: 'duration_sec', type: 'number', summary: 'Seconds until the whole answer was there.' },
  text('info', 'All that in one line.'),
];
