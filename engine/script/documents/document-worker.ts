/**
 * The program of the thread that works on one document.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { type DocumentJobName, type DocumentResults, documentJobs } from './document-jobs.ts';

/** What the thread is started with. */
export interface DocumentOrder {
  readonly job: DocumentJobName;
  readonly bytes: Uint8Array;
}

/** What it says, once. */
export type DocumentReport =
  | { readonly isOk: true; readonly value: DocumentResults[DocumentJobName] }
  | { readonly isOk: false; readonly error: ErrorRecord };

const { job, bytes } = workerData as DocumentOrder;

documentJobs[job](bytes).then(
  (value) => parentPort?.postMessage({ isOk: true, value } satisfies DocumentReport),
  (error) => parentPort?.postMessage({ isOk: false, error: toErrorRecord(error) } satisfies DocumentReport),
);
