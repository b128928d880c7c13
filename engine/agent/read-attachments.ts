/**
 * Files that a Data script wants to go to the model: `{ file_source, file_name?, title? }`, one or a list.
 */
import { EngineError } from '../base/engine-error.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../flowspec/json-value.ts';

/** A file to attach, as the script named it. */
export interface AttachmentSource {
  /** A path as scripts write them. */
  readonly fileSource: string;
  readonly fileName?: string;
  readonly title?: string;
}

/**
 * Reads `attachments`; null and an empty table mean none.
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
