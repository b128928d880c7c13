/**
 * The inputs of a flow as rows of a table, and changes of them. A file has plain defaults (`flow.input`), declarations
 * (`flow.inputs`), or both. A change keeps the existing form, and declares an input only if a plain default is not
 * sufficient.
 */
import {
  type InputDoc,
  type InputDocs,
  type InputUse,
  inputProblemOf,
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  jsonEquals,
  readExactJson,
} from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

export type FlowInputType = InputDoc['type'];

/** The two sections in a flow's header. */
export interface FlowInputHeader {
  readonly input?: JsonMap;
  readonly inputs?: InputDocs;
}

export interface InputRow {
  readonly name: string;
  /** Null for any type: the input is not declared, and its default does not determine a type. */
  readonly type: FlowInputType | null;
  /** Undefined if there is none. */
  readonly default: JsonValue | undefined;
  readonly isRequired: boolean;
  /** Empty if there is none. */
  readonly description: string;
  /** The allowed values. Undefined if any value of its type is allowed. */
  readonly choices: readonly JsonValue[] | undefined;
  /** Why the default is not valid. Undefined if it is. */
  readonly problem: string | undefined;
}

function typeOf(value: JsonValue): FlowInputType | null {
  if (value === null) return null;
  if (isJsonList(value)) return 'array';
  if (isJsonMap(value)) return 'object';
  return typeof value as 'string' | 'number' | 'boolean';
}

/** Returns the declared inputs in their order, followed by the other defaults. */
export function inputRows({ input = {}, inputs = {} }: FlowInputHeader): readonly InputRow[] {
  const declared = Object.entries(inputs).map(([name, doc]): InputRow => {
    const value = doc.default ?? (Object.hasOwn(input, name) ? input[name] : undefined);
    const problem = value === undefined ? undefined : inputProblemOf(value, doc);
    return {
      ...{ name, type: doc.type, default: value, isRequired: doc.required === true },
      ...{
        description: doc.description ?? '',
        choices: doc.enum,
        problem: problem && text.inputs.invalid({ problem }),
      },
    };
  });
  const plain = Object.entries(input)
    .filter(([name]) => !Object.hasOwn(inputs, name))
    .map(
      ([name, value]): InputRow => ({
        ...{ name, type: typeOf(value), default: value, isRequired: false, description: '' },
        ...{ choices: undefined, problem: undefined },
      }),
    );
  return [...declared, ...plain];
}

/**
 * Sets a key of a map without changing its position. Undefined removes it. Returns undefined instead of an empty map.
 */
function put<Value>(map: Readonly<Record<string, Value>> = {}, name: string, value: Value | undefined) {
  const entries = Object.entries(map).filter(([own]) => own !== name || value !== undefined);
  const changed = entries.map(([own, former]): [string, Value] => [own, own === name ? (value as Value) : former]);
  if (value !== undefined && !Object.hasOwn(map, name)) changed.push([name, value]);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function headerOf(input: JsonMap | undefined, inputs: InputDocs | undefined): FlowInputHeader {
  return { ...(input === undefined ? {} : { input }), ...(inputs === undefined ? {} : { inputs }) };
}

/** Properties to change. Undefined removes a property. */
type DocChange = { readonly [Key in keyof InputDoc]?: InputDoc[Key] | undefined };

/** Declares an input, or changes its declaration. */
function withDoc({ input, inputs = {} }: FlowInputHeader, name: string, change: DocChange): FlowInputHeader {
  const plain = input?.[name];
  const begun = inputs[name] ?? { type: (plain === undefined ? null : typeOf(plain)) ?? 'string' };
  const changed = Object.entries({ ...begun, ...change }).filter(([, value]) => value !== undefined);
  return headerOf(input, put(inputs, name, Object.fromEntries(changed) as unknown as InputDoc));
}

/** Returns the section that contains, or would contain, the default of an input. */
function placeOfDefault({ input = {}, inputs = {} }: FlowInputHeader, name: string): 'input' | 'inputs' {
  if (inputs[name]?.default !== undefined) return 'inputs';
  if (Object.hasOwn(input, name) || inputs[name] === undefined) return 'input';
  const others = Object.values(inputs);
  return Object.keys(input).length > 0 && others.every((doc) => doc.default === undefined) ? 'input' : 'inputs';
}

/**
 * Sets the default. Undefined removes it. An input without a declaration exists only through its default, which becomes
 * the empty text instead.
 */
export function withDefault(header: FlowInputHeader, name: string, value: JsonValue | undefined): FlowInputHeader {
  if (placeOfDefault(header, name) === 'inputs') return withDoc(header, name, { default: value });
  const isDeclared = header.inputs?.[name] !== undefined;
  return headerOf(put<JsonValue>(header.input, name, value ?? (isDeclared ? undefined : '')), header.inputs);
}

/** Converts a default to another type. Undefined if that type has no equivalent value. */
function converted(value: JsonValue, type: FlowInputType): JsonValue | undefined {
  if (inputProblemOf(value, { type }) === undefined) return value;
  if (type === 'string') return typeof value === 'object' ? undefined : String(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const read = readExactJson(value);
  return read.kind === 'value' && inputProblemOf(read.value, { type }) === undefined ? read.value : undefined;
}

/**
 * Sets the type. A default with an equivalent value is converted, the empty text is removed, and any other default is
 * kept for the user to correct.
 */
export function withType(header: FlowInputHeader, name: string, type: FlowInputType): FlowInputHeader {
  const row = inputRows(header).find((one) => one.name === name);
  const before = row?.default;
  const after = before === undefined ? undefined : converted(before, type);
  const isDeclared = header.inputs?.[name] !== undefined;
  if (!isDeclared && after !== undefined && typeOf(after) === type) return withDefault(header, name, after);
  const kept = after ?? (before === '' ? undefined : before);
  const mayBeFile = type === 'string' || type === 'array';
  const file = mayBeFile ? {} : { format: undefined, accept: undefined };
  return withDefault(withDoc(header, name, { type, ...file }), name, kept);
}

/** Sets whether a run needs a value for it. */
export function withRequired(header: FlowInputHeader, name: string, isRequired: boolean): FlowInputHeader {
  const isDeclared = header.inputs?.[name] !== undefined;
  if (!isDeclared && !isRequired) return header;
  const declared = withDoc(header, name, { required: isRequired ? true : undefined });
  // The empty text was only a placeholder for an undeclared input.
  return !isDeclared && header.input?.[name] === '' ? withDefault(declared, name, undefined) : declared;
}

export function withDescription(header: FlowInputHeader, name: string, text: string): FlowInputHeader {
  const isDeclared = header.inputs?.[name] !== undefined;
  return !isDeclared && text === '' ? header : withDoc(header, name, { description: text === '' ? undefined : text });
}

/** Sets the allowed values. An empty list allows any value of its type. */
export function withChoices(header: FlowInputHeader, name: string, choices: readonly JsonValue[]): FlowInputHeader {
  const isDeclared = header.inputs?.[name] !== undefined;
  if (!isDeclared && choices.length === 0) return header;
  const declared = withDoc(header, name, { enum: choices.length === 0 ? undefined : choices });
  return !isDeclared && header.input?.[name] === '' ? withDefault(declared, name, undefined) : declared;
}

function renamed<Value>(map: Readonly<Record<string, Value>> | undefined, from: string, to: string) {
  if (map === undefined || !Object.hasOwn(map, from)) return map;
  return Object.fromEntries(Object.entries(map).map(([own, value]) => [own === from ? to : own, value]));
}

/** Renames an input at the same position. */
export function withInputName({ input, inputs }: FlowInputHeader, from: string, to: string): FlowInputHeader {
  return headerOf(renamed(input, from, to), renamed(inputs, from, to));
}

/** Returns the renamed input, if that is the only difference. */
export function renamedInput(
  before: FlowInputHeader,
  after: FlowInputHeader,
): { readonly name: string; readonly to: string } | undefined {
  const [old, now] = [before, after].map((header) => inputRows(header).map(({ name }) => name));
  const place = old?.findIndex((name, index) => name !== now?.[index]) ?? -1;
  const [name, to] = [old?.[place], now?.[place]];
  if (name === undefined || to === undefined) return undefined;
  return jsonEquals(withInputName(before, name, to) as JsonMap, after as JsonMap) ? { name, to } : undefined;
}

/** Describes where an input is used. Empty if it is not used. */
export function usesText(uses: readonly InputUse[]): string {
  const [code, others] = [true, false].map((isCode) => uses.filter((use) => (use.in === 'code') === isCode));
  const words = [...(others ?? []), ...(code ?? [])].map((use) => {
    if (use.in === 'outputs') return text.inputs.usedInOutputs;
    if (use.in === 'edge') return text.inputs.usedInCondition(use);
    return use.in === 'code' ? text.inputs.usedInCode(use) : use.id;
  });
  const more = words.length - mostUses + 1;
  const shown = more > 1 ? [...words.slice(0, mostUses - 1), text.inputs.usedElsewhere({ count: more })] : words;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : text.inputs.uses({ others: shown.slice(0, -1).join(', '), last });
}

/** Maximum number of uses to list. */
const mostUses = 5;

export function withoutInput({ input, inputs }: FlowInputHeader, name: string): FlowInputHeader {
  return headerOf(put(input, name, undefined), put(inputs, name, undefined));
}

/** Adds an input of type text. It is declared if all others are. */
export function withNewInput(header: FlowInputHeader, name: string): FlowInputHeader {
  const { input = {}, inputs = {} } = header;
  const areDeclared = Object.keys(inputs).length > 0 && Object.keys(input).every((own) => Object.hasOwn(inputs, own));
  return areDeclared ? withDoc(header, name, {}) : headerOf(put<JsonValue>(input, name, ''), header.inputs);
}
