/**
 * Parses the files that a Data script attaches to the prompt, `{ file_source, file_name?, title? }` (one or a list),
 * and creates messages for them.
 */
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { ModelAttachment, SpokenMessage } from '../kernel/models/model-capability.ts';

/** A file to attach, as specified by the script. */
export interface AttachmentSource {
  /** A path as written in scripts. */
  readonly fileSource: string;
  readonly fileName?: string;
  readonly title?: string;
}

/**
 * Parses `attachments`. Null and an empty table mean no attachments.
 * @throws EngineError `agent.bad-response`
 */
export function readAttachments(value: JsonValue): readonly AttachmentSource[] {
  if (value === null) return [];
  if (isJsonList(value)) return value.map((item) => readAttachment(item, value));
  if (isJsonMap(value) && Object.keys(value).length === 0) return [];
  return [readAttachment(value, value)];
}

function readAttachment(item: JsonValue, whole: JsonValue): AttachmentSource {
  const source = isJsonMap(item) ? item['file_source'] : undefined;
  if (!isJsonMap(item) || typeof source !== 'string') {
    const message = `Expected an array of attachments, a single attachment object, or null, found: ${JSON.stringify(whole)}`;
    throw new EngineError({ code: 'agent.bad-response', message });
  }
  const { file_name: fileName, title } = item;
  return {
    fileSource: source,
    ...(typeof fileName === 'string' ? { fileName } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  };
}

/** Reads a file by its path as written in scripts. */
type AttachmentReader = (path: string) => Promise<ModelAttachment>;

/** Returns one user message per file, in order. If a file is unreadable, its message contains the error. */
export async function attachmentMessages(
  attachments: readonly AttachmentSource[],
  read: AttachmentReader,
): Promise<readonly SpokenMessage[]> {
  const messages: SpokenMessage[] = [];
  for (const attachment of attachments) messages.push(await messageOf(attachment, read));
  return messages;
}

async function messageOf({ fileSource, fileName, title }: AttachmentSource, read: AttachmentReader) {
  try {
    const file = await read(fileSource);
    const name = fileName ?? file.fileName;
    const place = `Here is file attachment.\nFile Path: '${fileSource}'\nFile Name: '${name}'\n`;
    const content = title === undefined ? `${place}\n` : `${place}\nFile Title: ${title}\n`;
    return { role: 'user', content, attachments: [{ ...file, fileName: name }] } as const;
  } catch (thrown) {
    const content = `Error while attaching file '${fileSource}'\nCause: ${toErrorRecord(thrown).message}`;
    return { role: 'user', content } as const;
  }
}
