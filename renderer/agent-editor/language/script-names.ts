/**
 * Names available to scripts and prompts in addition to `aip`: variables of their stage, `CTX`, and fields of their
 * values.
 */
import { contextDocs, type SectionKind } from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

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
  summary: text.variables.input,
};
const inputs: KnownName = { name: 'inputs', type: 'list | nil', summary: text.variables.inputs };
const data: KnownName = { name: 'data', type: 'any', summary: text.variables.data };
const beforeAll: KnownName = { name: 'before_all', type: 'any', summary: text.variables.beforeAll };
const options: KnownName = {
  name: 'options',
  type: 'AgentOptions',
  summary: text.variables.options,
};
const aiResponse: KnownName = {
  name: 'ai_response',
  type: 'table | nil',
  summary: text.variables.aiResponse,
};
const outputs: KnownName = {
  name: 'outputs',
  type: 'list',
  summary: text.variables.outputs,
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
  { name: 'aip', type: 'table', summary: text.globals.aip },
  { name: 'CTX', type: 'table', summary: text.globals.context },
  { name: 'null', type: 'null', summary: text.globals.null },
  { name: 'is_null', type: 'is_null(v) -> boolean', summary: text.globals.isNull },
  {
    name: 'is_not_null',
    type: 'is_not_null(v) -> boolean',
    summary: text.globals.isNotNull,
  },
  {
    name: 'nil_if_null',
    type: 'nil_if_null(v) -> any',
    summary: text.globals.nilIfNull,
  },
  {
    name: 'value_or',
    type: 'value_or(v, other, ...) -> any',
    summary: text.globals.valueOr,
  },
  { name: 'is_table', type: 'is_table(v) -> boolean', summary: text.globals.isTable },
  { name: 'is_list', type: 'is_list(v) -> boolean', summary: text.globals.isList },
  {
    name: 'is_object',
    type: 'is_object(v) -> boolean',
    summary: text.globals.isObject,
  },
  { name: 'print', type: 'print(...)', summary: text.globals.print },
  {
    name: 'require',
    type: 'require(name) -> any',
    summary: text.globals.require,
  },
];

function textField(name: string, summary: string): KnownName {
  return { name, type: 'string', summary };
}

/** Fields of `CTX`. */
export const contextNames: readonly KnownName[] = Object.entries(contextDocs).map(([name, doc]) => ({ name, ...doc }));

/** Fields of an input that is a file. */
export const fileFields: readonly KnownName[] = [
  textField('path', text.file.path),
  textField('dir', text.file.dir),
  textField('name', text.file.name),
  textField('stem', text.file.stem),
  textField('ext', text.file.ext),
  { name: 'size', type: 'integer | nil', summary: text.file.size },
  { name: 'mtime', type: 'integer | nil', summary: text.file.mtime },
  { name: 'ctime', type: 'integer | nil', summary: text.file.ctime },
  { name: 'is_likely_text', type: 'boolean', summary: text.file.isLikelyText },
];

/** Fields of `ai_response`. */
export const responseFields: readonly KnownName[] = [
  textField('content', text.response.content),
  { name: 'value', type: 'any', summary: text.response.value },
  { name: 'reasoning_content', type: 'string | nil', summary: text.response.reasoning },
  textField('model_name', text.response.modelName),
  textField('adapter_kind', text.response.adapterKind),
  { name: 'usage', type: 'table', summary: text.response.usage },
  { name: 'price_usd', type: 'number | nil', summary: text.response.priceUsd },
  { name: 'duration_sec', type: 'number', summary: text.response.durationSec },
  textField('info', text.response.info),
];
