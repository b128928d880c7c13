/**
 * Converts curl's `--form` and `--form-string` options to the form of a request. Source of the format: the `--form`
 * section of the curl manual.
 */
import { isJsonList, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { CurlMessages } from './curl-messages.ts';
import type { CurlOption } from './curl-options.ts';
import { namesSecret, type SecretFinder } from './curl-secrets.ts';
import { cut } from './curl-texts.ts';

interface CurlForm {
  /** Fields by name. A repeated name has a list. Undefined if the command sends no form. */
  readonly form: JsonMap | undefined;
  /** Sentences about parts that were ignored, or that need to be checked. */
  readonly notes: readonly string[];
}

/** Reads the options of a form. */
export function readCurlForm(options: readonly CurlOption[], finder: SecretFinder, messages: CurlMessages): CurlForm {
  const form = new Map<string, JsonValue>();
  const notes: string[] = [];
  for (const { name: option, value } of options) {
    if (option !== 'form' && option !== 'form-string') continue;
    const [name, text] = [value.slice(0, Math.max(value.indexOf('='), 0)), value.slice(value.indexOf('=') + 1)];
    const field = fieldOf(name, text, { isText: option === 'form-string', finder, messages });
    const note = noteOf(name, field, messages.form);
    if (note !== undefined) notes.push(note);
    if (field !== undefined) form.set(name, joined(form.get(name), field));
  }
  return { form: form.size === 0 ? undefined : Object.fromEntries(form), notes };
}

function noteOf(
  name: string,
  field: string | CurlFileField | undefined,
  { unnamedIgnored, ignored, file }: CurlMessages['form'],
): string | undefined {
  if (field === undefined) return name === '' ? unnamedIgnored : ignored({ name: cut(name) });
  if (typeof field === 'string') return undefined;
  return file({ file: cut(field.file) });
}

function joined(former: JsonValue | undefined, field: JsonValue): JsonValue {
  if (former === undefined) return field;
  return [...(isJsonList(former) ? former : [former]), field];
}

interface FieldPlace {
  /** Whether `@`, `<` and `;` have no special meaning. */
  readonly isText: boolean;
  readonly finder: SecretFinder;
  readonly messages: CurlMessages;
}

/** Returns undefined for what a node cannot represent: a text read from a file, or several files in one part. */
function fieldOf(
  name: string,
  value: string,
  { isText, finder, messages }: FieldPlace,
): string | CurlFileField | undefined {
  if (name === '') return undefined;
  const place = messages.places.formField({ name: cut(name) });
  if (!isText && value.startsWith('<')) return undefined;
  if (!isText && value.startsWith('@')) return fileOf(value.slice(1));
  const text = isText ? value : (/^"([\s\S]*)"$/.exec(value)?.[1] ?? value).replace(/;type=[^;]*$/, '');
  return namesSecret(name) ? finder.hide(text, name, place) : finder.plain(text, place);
}

interface CurlFileField {
  readonly [key: string]: string;
  readonly file: string;
}

function fileOf(text: string): CurlFileField | undefined {
  const [path = '', ...rest] = text.split(';');
  const file = path.replace(/^"(.*)"$/, '$1').replace(/^\.\//, '');
  const extra = Object.fromEntries(
    rest.flatMap((part) => {
      const [, key, value = ''] = /^\s*(type|filename)=\s*"?(.*?)"?\s*$/.exec(part) ?? [];
      return key === undefined ? [] : [[key === 'type' ? 'mediaType' : 'fileName', value] as const];
    }),
  );
  return file === '' || file === '-' || file.includes(',') || /[\uE000]/.test(text) ? undefined : { file, ...extra };
}
