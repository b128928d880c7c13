/**
 * What scripts and prompts find beside `aip`: variables of their stage, `CTX`, and the fields of what these hold.
 */
import type { SectionKind } from '../../../engine/isomorphic.ts';

/** A name with what it holds. */
export interface KnownName {
  readonly name: string;
  /** For example `FileInfo | any`. */
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

/** Variables by the stage in which scripts see them. */
export const stageVariables: Readonly<Partial<Record<SectionKind, readonly KnownName[]>>> = {
  beforeAll: [inputs, options],
  data: [input, beforeAll, options],
  output: [input, data, beforeAll, aiResponse, options],
  afterAll: [inputs, outputs, beforeAll, options],
};

/** What prompts may name. */
export const promptNames: readonly KnownName[] = [data, input, beforeAll];

/** Functions and values that every script finds. */
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
export const contextNames: readonly KnownName[] = [
  text('WORKSPACE_DIR', 'The folder that is open.'),
  text('WORKSPACE_AIPACK_DIR', 'The folder of the workspace for packs and settings.'),
  text('BASE_AIPACK_DIR', "The folder with the person's packs and settings."),
  text('TMP_DIR', 'A folder of this session, the same for all its runs; `$tmp` in paths.'),
  text('PWD', 'The folder that the program was started in.'),
  text('SESSION_UID', 'Names the session: one start of the program.'),
  text('RUN_UID', 'Names the run.'),
  { name: 'RUN_NUM', type: 'integer', summary: 'How many runs the session had by now, this one included.' },
  text('PARENT_RUN_UID', 'The run that called this one; nil when none did.'),
  { name: 'RUN_FLOW_REDO_COUNT', type: 'integer | nil', summary: 'How many runs of a chain of redos came before.' },
  { name: 'REDO_COUNT', type: 'integer | nil', summary: 'The same as `RUN_FLOW_REDO_COUNT`.' },
  text('STAGE', '`BeforeAll`, `Data`, `Output` or `AfterAll`.'),
  text('TASK_UID', 'Names the task of this input; nil in Before All and After All.'),
  { name: 'TASK_NUM', type: 'integer', summary: 'The number of this input, from 1; nil in Before All and After All.' },
  text('AGENT_NAME', 'The agent as it was asked for.'),
  text('AGENT_FILE_PATH', 'Its file, absolute.'),
  text('AGENT_FILE_DIR', 'The folder of its file.'),
  text('AGENT_FILE_NAME', 'The name of its file.'),
  text('AGENT_FILE_STEM', 'The name of its file without `.aip`.'),
  text('PACK_NAMESPACE', 'Of the pack that the agent belongs to; nil without one.'),
  text('PACK_NAME', 'Of the pack that the agent belongs to; nil without one.'),
  text('PACK_IDENTITY', '`namespace@name` of the pack.'),
  text('PACK_REF', 'The pack as it was asked for, with the path inside of it.'),
  text('PACK_SUB_PATH', 'The path inside of the pack; nil for its main agent.'),
  text('PACK_DIR', 'The folder of the pack.'),
  text('PACK_BASE_SUPPORT_DIR', 'Where the pack keeps data for all workspaces.'),
  text('PACK_WORKSPACE_SUPPORT_DIR', 'Where the pack keeps data for this workspace.'),
  text('AIPACK_VERSION', 'The version whose behaviour packs find here.'),
  text('MILLRACE_VERSION', 'The version of this program.'),
];

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
  { name: 'reasoning_content', type: 'string | nil', summary: 'What the model thought aloud.' },
  text('model_name', 'The model that has answered.'),
  text('adapter_kind', 'The provider that was asked.'),
  { name: 'usage', type: 'table', summary: 'Tokens that were used.' },
  { name: 'price_usd', type: 'number | nil', summary: 'What it has cost.' },
  { name: 'duration_sec', type: 'number', summary: 'Seconds until the whole answer was there.' },
  text('info', 'All that in one line.'),
];
