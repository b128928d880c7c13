/**
 * What a person types into a form, and the values that it stands for. The service checks all values again.
 */
import type { PageField } from '../../engine/host/http/page-data.ts';
import type { JsonMap, JsonValue } from '../../engine/language/json/json-value.ts';
import { text } from './text.ts';

/** Typed text by field. A choice is JSON, or empty for none; files are a JSON list of `UploadedFile`. */
export type FormDrafts = Readonly<Record<string, string>>;

/** A file that the service has received. */
export interface UploadedFile {
  /** As a value of the input. */
  readonly path: string;
  /** On the person's computer. */
  readonly name: string;
  readonly bytes: number;
}

/** Values by field; null if there are problems. */
export interface ReadDrafts {
  readonly inputs: JsonMap | null;
  readonly problems: Readonly<Record<string, string>>;
}

/** Returns the options of a field that offers some. */
export function choicesOf({ type, choices }: PageField): readonly JsonValue[] | undefined {
  return choices ?? (type === 'boolean' ? [true, false] : undefined);
}

/** Returns the files in a draft. */
export function uploadedIn(draft: string): readonly UploadedFile[] {
  return draft === '' ? [] : (JSON.parse(draft) as readonly UploadedFile[]);
}

/** Returns the text that a field starts with. */
export function initialDraft(field: PageField): string {
  const { default: value, accept } = field;
  // The path of a file in the workspace, which the form does not show.
  if (value === undefined || accept !== undefined) return '';
  if (choicesOf(field) !== undefined) return JSON.stringify(value);
  if (typeof value === 'string') return value;
  const isLines = Array.isArray(value) && value.every((item) => typeof item === 'string' && !/\n|^\s*\[/.test(item));
  return isLines ? value.join('\n') : JSON.stringify(value, null, 2);
}

/** Reads all drafts. A field that is optional and empty has no value. */
export function readDrafts(fields: readonly PageField[], drafts: FormDrafts): ReadDrafts {
  const inputs: Record<string, JsonValue> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const draft = drafts[field.name] ?? initialDraft(field);
    const read = draft.trim() === '' ? readEmpty(field) : readDraft(field, draft);
    if (read === undefined) continue;
    if ('problem' in read) problems[field.name] = read.problem;
    else inputs[field.name] = read.value;
  }
  return { inputs: Object.keys(problems).length === 0 ? inputs : null, problems };
}

function readEmpty(field: PageField): ReadDraft | undefined {
  const isChoice = choicesOf(field) !== undefined;
  const isFile = field.accept !== undefined;
  if (field.isRequired)
    return { problem: isFile ? text.form.missingFile : isChoice ? text.form.missingChoice : text.form.missing };
  // An emptied text is a value: the default would come back otherwise.
  const isText = field.type === 'string' && !isChoice && !isFile;
  return isText && field.default !== undefined ? { value: '' } : undefined;
}

function readDraft(field: PageField, draft: string): ReadDraft {
  if (field.accept !== undefined) {
    const [first, ...others] = uploadedIn(draft).map(({ path }) => path);
    return { value: field.type === 'array' ? [first ?? '', ...others] : (first ?? '') };
  }
  return choicesOf(field) === undefined ? readText(field, draft) : { value: JSON.parse(draft) as JsonValue };
}

type ReadDraft = { readonly value: JsonValue } | { readonly problem: string };

function readText({ type }: PageField, draft: string): ReadDraft {
  switch (type) {
    case 'number':
    case 'integer':
      return readNumber(draft, type);
    case 'array':
      return readList(draft);
    case 'object':
      return readMap(draft);
    default:
      return { value: draft };
  }
}

/** Accepts a decimal comma. */
function readNumber(draft: string, type: 'number' | 'integer'): ReadDraft {
  const value = Number(draft.trim().replace(/^([-+]?\d+),(\d+)$/, '$1.$2'));
  if (type === 'integer' && !Number.isInteger(value)) return { problem: text.form.notInteger };
  return Number.isFinite(value) ? { value } : { problem: text.form.notNumber };
}

function readList(draft: string): ReadDraft {
  if (!draft.trim().startsWith('[')) {
    const lines = draft.split(/\r?\n/).map((line) => line.trim());
    return { value: lines.filter((line) => line !== '') };
  }
  const read = readJson(draft);
  return 'value' in read && !Array.isArray(read.value) ? { problem: text.form.notList } : read;
}

function readMap(draft: string): ReadDraft {
  const read = readJson(draft);
  return 'value' in read && !isMap(read.value) ? { problem: text.form.notMap } : read;
}

function readJson(draft: string): ReadDraft {
  try {
    return { value: JSON.parse(draft) as JsonValue };
  } catch {
    return { problem: text.form.notJson };
  }
}

function isMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

/** Returns the fields of a question. A value of another type is typed as text. */
export function fieldsOfSchema({ properties, required }: JsonMap, defaults: JsonMap = {}): readonly PageField[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isMap(properties) ? properties : {}).map(([name, value]) => {
    const schema = isMap(value) ? value : {};
    const { title, description, enum: choices } = schema;
    const initial = Object.hasOwn(defaults, name) ? defaults[name] : schema['default'];
    return {
      name,
      label: typeof title === 'string' ? title : name,
      type: types.find((type) => type === schema['type']) ?? 'string',
      isRequired: needed.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
      ...(Array.isArray(choices) ? { choices } : {}),
      ...(initial === undefined ? {} : { default: initial }),
    };
  });
}
