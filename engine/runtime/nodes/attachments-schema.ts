/**
 * Schema of a prompt's attachments.
 */
import { z } from 'zod';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { FileBytes } from '../kernel/capabilities/files-capability.ts';
import { anyJson } from './shared-schemas.ts';

/** Maximum number of attachments, including those added by a path with several values. */
export const maxAttachments = 100;

/** A file as returned by `file.read`. */
export type AttachedFileInput = Pick<FileBytes, 'path' | 'base64'>;

/** A path, a file, or several files. */
export type Attachment = string | AttachedFileInput | { readonly files: readonly AttachedFileInput[] };

/** Not a union of schemas, because values that match none of them would be converted to text. */
const attachmentSchema = () =>
  anyJson
    .superRefine((value, { addIssue }) => {
      const message = 'must be the path of a file, or the output of file.read with as: base64';
      if (attachmentIn(value) === undefined) addIssue({ code: 'custom', message });
    })
    .meta({ editor: 'file' });

export const attachmentsSchema = () => z.array(attachmentSchema()).max(maxAttachments);

/** Returns a value's attachments; undefined if it cannot be attached. */
export function attachmentIn(value: JsonValue): Attachment | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (isGiven(value)) return value;
  const files = isJsonMap(value) ? value['files'] : undefined;
  return isJsonList(files) && files.every(isGiven) ? { files } : undefined;
}

function isGiven(value: JsonValue): value is JsonMap & AttachedFileInput {
  if (!isJsonMap(value) || typeof value['path'] !== 'string') return false;
  const { base64 } = value;
  return typeof base64 === 'string' && base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64);
}
