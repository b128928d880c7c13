/**
 * Runs document jobs outside the engine's thread, because reading a large document takes seconds.
 */
import { EngineError, fromErrorRecord } from '../../../base/engine-error.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import type { DocumentJobName, DocumentResults } from './document-jobs.ts';
import type { DocumentOrder, DocumentReport } from './document-worker.ts';

const mebibyte = 2 ** 20;

/** Maximum size of a document in bytes; larger ones are rejected without processing. */
export const maxDocumentBytes = 256 * mebibyte;

const pool = new WorkerPool({
  name: 'documents',
  loadProgram: () => import('virtual:document-worker'),
  resourceLimits: { maxOldGenerationSizeMb: 2048 },
  size: Number.POSITIVE_INFINITY,
  kept: 0,
  failureOf: (error) =>
    tooLarge(`The document cannot be read: ${error?.message ?? 'its thread ended'}. It may be too large or damaged.`),
});

/**
 * Does the work in a new worker.
 * @param signal ends the worker when it aborts
 * @throws EngineError the job's error, `documents.too-large`; the signal's reason
 */
export async function runDocumentJob<Name extends DocumentJobName>(
  job: Name,
  bytes: Uint8Array,
  signal: AbortSignal = new AbortController().signal,
): Promise<DocumentResults[Name]> {
  signal.throwIfAborted();
  if (bytes.byteLength > maxDocumentBytes) {
    throw tooLarge(`The document is larger than ${maxDocumentBytes / mebibyte} MiB. Split it first.`);
  }
  const order: DocumentOrder = { job, bytes };
  return await pool.run(signal, ({ worker }) =>
    worker.run<DocumentReport, DocumentResults[Name]>(order, (report, { end, fail }) => {
      if (report.isOk) end(report.value as DocumentResults[Name]);
      else fail(fromErrorRecord(report.error));
    }),
  );
}

function tooLarge(message: string): EngineError {
  return new EngineError({ code: 'documents.too-large', message });
}
