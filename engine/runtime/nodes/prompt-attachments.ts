import { EngineError } from '../../base/engine-error.ts';
import { holdsBinding } from '../../language/bindings/bindings.ts';
import { isJsonList, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { Capabilities } from '../kernel/capabilities/capabilities.ts';
import { pictureTypeOf } from '../kernel/capabilities/media-type.ts';
import type { ModelAttachment } from '../kernel/models/model-capability.ts';
import { type AttachedFileInput, type Attachment, attachmentIn, maxAttachments } from './attachments-schema.ts';

const mebibyte = 1024 * 1024;

/** Maximum total size of a prompt's attachments, in bytes: more than any provider accepts. */
const maxTotalBytes = 32 * mebibyte;

/**
 * Reads the attachments.
 * @throws EngineError `files.*` for a path; `prompt.bad-attachment` for a file that is neither an image nor a PDF, or
 * that exceeds the maximum request size
 */
export async function readAttachments(
  attachments: readonly JsonValue[],
  files: Capabilities['files'],
  signal: AbortSignal,
): Promise<readonly ModelAttachment[]> {
  const read: ModelAttachment[] = [];
  let totalBytes = 0;
  for (const attachment of attachments.flatMap((value) => attachmentIn(value) ?? [])) {
    for (const file of await filesOf(attachment, files, signal)) {
      totalBytes += Math.floor((file.base64.length * 3) / 4);
      if (totalBytes > maxTotalBytes || read.length >= maxAttachments) throw tooMuch();
      read.push(attachmentOf(file));
    }
  }
  return read;
}

/** Returns the content of attached files that affects the response: files that the flow file names without bindings. */
export async function attachmentsText(
  input: JsonMap,
  { files, hash }: Pick<Capabilities, 'files' | 'hash'>,
): Promise<string> {
  const { attachments } = input;
  if (attachments === undefined || !isJsonList(attachments)) return '';
  const paths = attachments.filter((item) => typeof item === 'string' && !holdsBinding(item)) as string[];
  const { signal } = new AbortController();
  const texts = paths.map(async (path) => {
    // An unreadable file fails the node, so no result can be reused.
    const file = await files.readBytes(path, signal).catch(() => undefined);
    return file === undefined ? path : `${path} ${hash.sha256(file.base64)}`;
  });
  return (await Promise.all(texts)).join('\n');
}

async function filesOf(
  attachment: Attachment,
  files: Capabilities['files'],
  signal: AbortSignal,
): Promise<readonly AttachedFileInput[]> {
  if (typeof attachment === 'string') return [await files.readBytes(attachment, signal)];
  return 'files' in attachment ? attachment.files : [attachment];
}

/**
 * Determines the type from the first bytes, because a provider would reject a file that only has an image extension.
 */
function attachmentOf({ path, base64 }: AttachedFileInput): ModelAttachment {
  const mediaType = pictureTypeOf(base64);
  if (mediaType !== undefined) return { mediaType, fileName: path.slice(path.lastIndexOf('/') + 1), base64 };
  const found = base64 === '' ? 'is empty' : 'is not one of these';
  throw new EngineError({
    code: 'prompt.bad-attachment',
    message: `A prompt accepts images (PNG, JPEG, GIF, WebP) and PDFs, but "${path}" ${found}. For text, read it with file.read and insert {{<id>.text}} into the prompt.`,
    details: { path },
  });
}

function tooMuch(): EngineError {
  return new EngineError({
    code: 'prompt.bad-attachment',
    message: `The attachments of a prompt are limited to ${maxAttachments} files and ${maxTotalBytes / mebibyte} MiB in total. Attach fewer or smaller files.`,
    details: { maxBytes: maxTotalBytes, maxCount: maxAttachments },
  });
}
