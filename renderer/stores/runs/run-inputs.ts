/**
 * The inputs of a run as form fields: kinds from the declarations or defaults of the flow, drafts as typed, values as
 * sent.
 */
import {
  defaultInputs,
  type FlowDoc,
  type InputDoc,
  inputProblemOf,
  isJsonList,
  isSecretSchema,
  isUnsafeNumber,
  type JsonMap,
  type JsonValue,
  readExactJson,
  repeatedKeyProblem,
  unsafeNumberMessage,
} from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

/** `any` is text as it is, and everything else as JSON. */
type InputKind = 'text' | 'number' | 'boolean' | 'choice' | 'json' | 'any';

interface InputChoice {
  /** Draft of the choice. */
  readonly value: string;
  readonly text: string;
}

export interface InputField {
  readonly key: string;
  /** The label, if it is not the key. */
  readonly title?: string;
  readonly kind: InputKind;
  /** The default as a draft. */
  readonly initial: string;
  /** Options of a choice. Their drafts are JSON. */
  readonly choices: readonly InputChoice[];
  /** The declaration in the flow. Undefined if the input has only a default. */
  readonly doc: InputDoc | undefined;
  /** Whether the value may be omitted. Its draft is then `notGiven` or empty. */
  readonly mayBeAbsent: boolean;
  /** The purpose of text: `secret` is never shown, `file` is a path in the workspace, `long` has several lines. */
  readonly look?: 'secret' | 'file' | 'long';
  /** Suggested values. Other text may be typed. */
  readonly suggestions?: readonly string[];
}

/** The draft of a choice without a selection. It is not valid JSON. */
const notGiven = 'not-given';

/** The texts typed into the input fields of a run, by key. */
export type InputDrafts = Readonly<Record<string, string>>;

type InputValues = Readonly<Record<string, JsonValue>>;

interface ReadInputs {
  /** Null if a field has a problem. */
  readonly inputs: InputValues | null;
  /** By key of the field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Key of the only field of a flow without inputs: a map of any values. */
export const freeInputs = '';

function kindOf(value: JsonValue): InputKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return 'json';
}

function draftOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

const plain = { choices: [], doc: undefined, mayBeAbsent: false } as const;

/** Returns the fields for the declared inputs in order, followed by the inputs that have only a default. */
export function fieldsOf(header: Pick<FlowDoc['flow'], 'input' | 'inputs'>): readonly InputField[] {
  const { inputs } = header;
  const defaults = defaultInputs(header);
  const declared = Object.entries(inputs ?? {}).map(([key, doc]) =>
    declaredField(key, doc, Object.hasOwn(defaults, key) ? defaults[key] : undefined),
  );
  const others = Object.entries(defaults).flatMap(([key, value]): InputField[] =>
    inputs !== undefined && Object.hasOwn(inputs, key)
      ? []
      : [{ ...plain, key, kind: kindOf(value), initial: draftOf(value) }],
  );
  const fields = [...declared, ...others];
  return fields.length > 0 || inputs !== undefined
    ? fields
    : [{ ...plain, key: freeInputs, kind: 'json', initial: '{}' }];
}

function declaredField(key: string, doc: InputDoc, value: JsonValue | undefined): InputField {
  const field = { key, doc, mayBeAbsent: doc.required !== true && value === undefined };
  // Without a default, a checkbox could not represent a missing value.
  const isYesOrNo = doc.type === 'boolean' && value === undefined;
  const options = doc.enum ?? (isYesOrNo ? [true, false] : undefined);
  if (options === undefined)
    return {
      ...field,
      ...{ kind: declaredKinds[doc.type], initial: value === undefined ? '' : draftOf(value), choices: [] },
      ...(doc.format === 'file' && doc.type === 'string' ? { look: 'file' as const } : {}),
    };
  const choices = options.map((option) => ({ value: JSON.stringify(option), text: choiceText(option) }));
  const none = field.mayBeAbsent ? [{ value: notGiven, text: text.inputs.notGiven }] : [];
  return {
    ...field,
    kind: 'choice',
    initial: value === undefined ? notGiven : JSON.stringify(value),
    choices: [...none, ...choices],
  };
}

const declaredKinds: Readonly<Record<InputDoc['type'], InputKind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'json',
  object: 'json',
};

/**
 * Returns the field for a value that is described at most by a schema. `known` is the existing value, which takes
 * precedence over the schema's default.
 */
export function schemaField(key: string, schema: JsonMap, known: JsonValue | undefined, isNeeded: boolean): InputField {
  const { description, enum: options, default: usual } = schema;
  const value = known ?? usual ?? undefined;
  const about = typeof description === 'string' ? { description } : {};
  const suggestions = suggestionsOf(schema);
  const type = schema['type'] ?? (suggestions.length > 0 ? 'string' : undefined);
  if (typeof type === 'string' && Object.hasOwn(declaredKinds, type)) {
    const choices = isJsonList(options) && options.length > 0 ? { enum: options } : {};
    const field = declaredField(
      key,
      { type: type as InputDoc['type'], ...about, ...choices, required: isNeeded },
      value,
    );
    return field.kind === 'text' ? { ...field, ...textLook(schema), suggestions } : field;
  }
  const mayBeAbsent = !isNeeded && value === undefined;
  return { ...plain, key, kind: 'any', initial: value === undefined ? '' : draftOf(value), mayBeAbsent };
}

/** Uses the same hints as the schemas of node types. */
function textLook(schema: JsonMap): Pick<InputField, 'look'> {
  if (isSecretSchema(schema)) return { look: 'secret' };
  if (schema['editor'] === 'file') return { look: 'file' };
  return schema['editor'] === 'long-text' ? { look: 'long' } : {};
}

/** Returns the `examples`, or a list of choices that also allows any text. */
function suggestionsOf({ examples, anyOf }: JsonMap): readonly string[] {
  const isText = (value: JsonValue): value is string => typeof value === 'string';
  if (isJsonList(examples)) return examples.filter(isText);
  const ways = isJsonList(anyOf) ? anyOf.filter(isMap) : [];
  const isAnyText = ways.some((way) => way['type'] === 'string' && way['enum'] === undefined);
  if (!isAnyText) return [];
  return ways.flatMap(({ enum: options = [] }) => (isJsonList(options) ? options.filter(isText) : []));
}

function choiceText(option: JsonValue): string {
  if (typeof option === 'boolean') return option ? text.inputs.yes : text.inputs.no;
  return typeof option === 'string' && option !== '' ? option : JSON.stringify(option);
}

type ParsedRunInput = { readonly value: JsonValue } | { readonly problem: string };

function readNumber(draft: string): ParsedRunInput {
  const value = Number(draft);
  if (draft.trim() === '' || !Number.isFinite(value)) return { problem: text.inputs.invalidNumber };
  if (isUnsafeNumber(draft.trim())) return { problem: text.inputs.inexactNumber };
  return { value };
}

function readJson(draft: string): ParsedRunInput {
  const read = readExactJson(draft);
  const repeated = repeatedKeyProblem(draft);
  if (repeated !== undefined) return { problem: repeated };
  if (read.kind === 'value') return read;
  if (read.kind === 'unsafe-number') return { problem: unsafeNumberMessage('This', read.number) };
  return { problem: text.inputs.invalidJson(read) };
}

function readAny(draft: string): ParsedRunInput {
  if (draft.trim() === '') return { problem: text.inputs.missing };
  const read = readExactJson(draft);
  const isJson = read.kind === 'unsafe-number' || (read.kind === 'value' && typeof read.value === 'object');
  return isJson ? readJson(draft) : { value: read.kind === 'value' ? read.value : draft };
}

function readDraft(kind: InputKind, draft: string): ParsedRunInput {
  switch (kind) {
    case 'text':
      return { value: draft };
    case 'number':
      return readNumber(draft);
    case 'boolean':
      return { value: draft === 'true' };
    case 'choice':
    case 'json':
      return readJson(draft);
    case 'any':
      return readAny(draft);
  }
}

/** Returns undefined if no value is given. */
function readField({ kind, doc, mayBeAbsent, initial }: InputField, draft: string): ParsedRunInput | undefined {
  const isEmpty = draft === notGiven || (draft.trim() === '' && (kind !== 'text' || initial === ''));
  if (doc === undefined) return isEmpty && mayBeAbsent ? undefined : readDraft(kind, draft);
  if (isEmpty && mayBeAbsent) return undefined;
  if (isEmpty && (doc.required === true || kind !== 'text')) return { problem: text.inputs.missing };
  const read = readDraft(kind, draft);
  if ('problem' in read) return read;
  const problem = inputProblemOf(read.value, doc);
  return problem === undefined ? read : { problem: text.inputs.invalid({ problem }) };
}

function isMap(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withFreeInputs(inputs: InputValues): ReadInputs {
  const free = inputs[freeInputs];
  if (isMap(free)) return { inputs: free, problems: {} };
  return { inputs: null, problems: { [freeInputs]: text.inputs.invalidMap } };
}

/** Reads all drafts. A missing draft counts as the default. */
export function readInputs(fields: readonly InputField[], drafts: InputDrafts): ReadInputs {
  const problems: Record<string, string> = {};
  const inputs: Record<string, JsonValue> = {};
  for (const field of fields) {
    const { key, initial } = field;
    const read = readField(field, drafts[key] ?? initial);
    if (read === undefined) continue;
    if ('problem' in read) problems[key] = read.problem;
    else inputs[key] = read.value;
  }
  if (Object.keys(problems).length > 0) return { inputs: null, problems };
  return freeInputs in inputs ? withFreeInputs(inputs) : { inputs, problems };
}
