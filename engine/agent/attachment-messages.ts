/**
 * Attached files as messages to the model.
 */
import { toErrorRecord } from '../base/engine-error.ts';
import type { ModelMessage } from '../kernel/capabilities.ts';
import type { ModelAttachment } from '../kernel/model-attachment.ts';
import type { AttachmentSource } from './read-attachments.ts';

/** Reads the file of a path as scripts write them. */
export type AttachmentReader = (path: string) => Promise<ModelAttachment>;

/** One user message for each file, in order. A file that cannot be read becomes a message that says so. */
export async function attachmentMessages(
  attachments: readonly AttachmentSource[],
  read: AttachmentReader,
): Promise<readonly ModelMessage[]> {
  const messages: ModelMessage[] = [];
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
