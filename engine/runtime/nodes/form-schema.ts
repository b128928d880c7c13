/**
 * Schema of a form that a request sends.
 */
import { z } from 'zod';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { anyJson } from './shared-schemas.ts';

/** A file that a form sends. */
export interface FormFileField {
  readonly file: string;
  readonly fileName?: string;
  readonly mediaType?: string;
}

const fieldSchema = () =>
  anyJson.superRefine((value, { addIssue }) => {
    const message = 'must be text, { file: path, fileName?, mediaType? }, or a list of these';
    const fields = isJsonList(value) ? value : [value];
    if (!fields.every((field) => isFile(field) || isText(field))) addIssue({ code: 'custom', message });
  });

export const formSchema = () => z.record(z.string().min(1), fieldSchema());

function isText(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function isFile(value: JsonValue): value is JsonMap & FormFileField {
  if (!isJsonMap(value) || typeof value['file'] !== 'string' || value['file'] === '') return false;
  const { file: _, ...rest } = value;
  return Object.entries(rest).every(
    ([key, part]) => (key === 'fileName' || key === 'mediaType') && typeof part === 'string',
  );
}
