/**
 * The inputs of a run as form fields: kinds from the flow's defaults, drafts as typed, values as sent.
 */
import { isUnsafeNumber, type JsonValue, readExactJson, unsafeNumberMessage } from '../../../engine/isomorphic.ts';
import type { InputDrafts } from '../commands/dialogs.ts';

type InputKind = 'text' | 'number' | 'boolean' | 'json';

export interface InputField {
  readonly key: string;
  readonly kind: InputKind;
  /** The default as a draft. */
  readonly initial: string;
}

type InputValues = Readonly<Record<string, JsonValue>>;

interface ReadInputs {
  /** Null when a field has a problem. */
  readonly inputs: InputValues | null;
  /** By key of the field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Key of the one field that a flow without declared inputs gets: a map of whatever it is to be given. */
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

/** The fields for a flow's default inputs. */
export function fieldsOf(defaults: InputValues): readonly InputField[] {
  const fields = Object.entries(defaults).map(([key, value]) => ({
    key,
    kind: kindOf(value),
    initial: draftOf(value),
  }));
  return fields.length > 0 ? fields : [{ key: freeInputs, kind: 'json', initial: '{}' }];
}

type ReadValue = { readonly value: JsonValue } | { readonly problem: string };

function readNumber(draft: string): ReadValue {
  const value = Number(draft);
  if (draft.trim() === '' || !Number.isFinite(value))
    return { problem: 'This must be a number, for example 3 or 0.5.' };
  if (isUnsafeNumber(draft.trim())) return { problem: 'This number has too many digits: it would be rounded.' };
  return { value };
}

function readJson(draft: string): ReadValue {
  const read = readExactJson(draft);
  if (read.kind === 'value') return read;
  if (read.kind === 'unsafe-number') return { problem: unsafeNumberMessage('This', read.number) };
  return { problem: `This must be JSON. ${read.problem}` };
}

function readDraft(kind: InputKind, draft: string): ReadValue {
  switch (kind) {
    case 'text':
      return { value: draft };
    case 'number':
      return readNumber(draft);
    case 'boolean':
      return { value: draft === 'true' };
    case 'json':
      return readJson(draft);
  }
}

function isMap(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withFreeInputs(inputs: InputValues): ReadInputs {
  const free = inputs[freeInputs];
  if (isMap(free)) return { inputs: free, problems: {} };
  return { inputs: null, problems: { [freeInputs]: 'This must be a map, for example { "topic": "bees" }.' } };
}

/** Reads all drafts; a missing draft counts as the default. */
export function readInputs(fields: readonly InputField[], drafts: InputDrafts): ReadInputs {
  const problems: Record<string, string> = {};
  const inputs: Record<string, JsonValue> = {};
  for (const { key, kind, initial } of fields) {
    const read = readDraft(kind, drafts[key] ?? initial);
    if ('problem' in read) problems[key] = read.problem;
    else inputs[key] = read.value;
  }
  if (Object.keys(problems).length > 0) return { inputs: null, problems };
  return freeInputs in inputs ? withFreeInputs(inputs) : { inputs, problems };
}
