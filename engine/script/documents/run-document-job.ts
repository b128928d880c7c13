/**
 * Work on documents, away from the engine's thread: reading a large one takes seconds.
 */
import { Worker } from 'node:worker_threads';
import { EngineError, fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { onAbort } from '../../base/on-abort.ts';
import type { DocumentJobName, DocumentResults } from './document-jobs.ts';
import type { DocumentOrder, DocumentReport } from './document-worker.ts';

const mebibyte = 2 ** 20;

/** Larger documents are refused before anything is done with them. */
export const maxDocumentBytes = 256 * mebibyte;

/** One thread for each document; it ends with its work, or when it takes more than this. */
const resourceLimits = { maxOldGenerationSizeMb: 2048 };

/**
 * Does the work in a new thread.
 * @param signal ends the thread when it aborts
 * @throws EngineError what the job throws, `documents.too-large`; the signal's reason
 */
export async function runDocumentJob<Name extends DocumentJobName>(
  job: Name,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<DocumentResults[Name]> {
  signal?.throwIfAborted();
  if (bytes.byteLength > maxDocumentBytes) {
    throw tooLarge(`It is larger than ${maxDocumentBytes / mebibyte} MiB. Divide the document first.`);
  }
  const { code } = await import('virtual:document-worker');
  const order: DocumentOrder = { job, bytes };
  const worker = new Worker(code, { eval: true, workerData: order, env: {}, argv: [], execArgv: [], resourceLimits });
  const stop = () => void worker.terminate();
  const stopListening = signal && onAbort(signal, stop);
  try {
    const report = await reportOf(worker);
    signal?.throwIfAborted();
    if (!report.isOk) throw fromErrorRecord(report.error);
    return report.value as DocumentResults[Name];
  } finally {
    stopListening?.();
    await worker.terminate();
  }
}

/** What the thread says; when it dies without a word, a report of that. */
function reportOf(worker: Worker): Promise<DocumentReport> {
  return new Promise((resolve) => {
    const die = (problem: string) =>
      resolve({
        isOk: false,
        error: toErrorRecord(tooLarge(`Reading it failed: ${problem}. It may be too large, or broken.`)),
      });
    worker.once('message', resolve);
    worker.once('error', (error) => die(error instanceof Error ? error.message : String(error)));
    worker.once('exit', () => die('its thread ended'));
  });
}

function tooLarge(message: string): EngineError {
  return new EngineError({ code: 'documents.too-large', message });
}
