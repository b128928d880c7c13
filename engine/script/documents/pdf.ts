/**
 * PDF files, for scripts.
 */
import { runDocumentJob } from './run-document-job.ts';

/**
 * How many pages a PDF file has.
 * @throws EngineError `documents.unreadable` | `documents.encrypted` | `documents.too-large`; the signal's reason
 */
export function pdfPageCount(bytes: Uint8Array, signal?: AbortSignal): Promise<number> {
  return runDocumentJob('pdfPageCount', bytes, signal);
}

/**
 * A PDF file for each page, in order.
 * @throws EngineError `documents.unreadable` | `documents.encrypted` | `documents.too-large`; the signal's reason
 */
export function splitPdf(bytes: Uint8Array, signal?: AbortSignal): Promise<readonly Uint8Array[]> {
  return runDocumentJob('splitPdf', bytes, signal);
}
