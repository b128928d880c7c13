/**
 * What may be attached to a prompt.
 */
import { z } from 'zod';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { FileBytes } from '../kernel/files-capability.ts';
import { anyJson } from './shared-schemas.ts';

/** So many may be attached, also after a path to several was followed. */
export const maxAttachments = 100;

/** A file as `file.read` gives it. */
export type GivenFile = Pick<FileBytes, 'path' | 'base64'>;

/** A path, a file, or several. */
export type Attachment = string | GivenFile | { readonly files: readonly GivenFile[] };

/** No union of schemas: text would be made of what is none of them. */
const attachmentSchema = () =>
  anyJson
    .superRefine((value, { addIssue }) => {
      const message = 'must be the path of a file, or what file.read gives with as: base64';
      if (attachmentIn(value) === undefined) addIssue({ code: 'custom', message });
    })
    .meta({ editor: 'file' });

export const attachmentsSchema = () => z.array(attachmentSchema()).max(maxAttachments);

/** What a value attaches; undefined when it is nothing that can be attached. */
export function attachmentIn(value: JsonValue): Attachment | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (isGiven(value)) return value;
  const files = isJsonMap(value) ? value['files'] : undefined;
  return isJsonList(files) && files.every(isGiven) ? { files } : undefined;
}

function isGiven(value: JsonValue): value is JsonMap & GivenFile {
  if (!isJsonMap(value) || typeof value['path'] !== 'string') return false;
  const { base64 } = value;
  return typeof base64 === 'string' && base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64);
}
