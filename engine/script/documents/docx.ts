/**
 * Files of Word, for scripts.
 */
import { runDocumentJob } from './run-document-job.ts';

/**
 * A .docx file as markdown, without its pictures.
 * @throws EngineError `documents.unreadable` | `documents.too-large`; the signal's reason
 */
export function docxToMarkdown(bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  return runDocumentJob('docxToMarkdown', bytes, signal);
}
