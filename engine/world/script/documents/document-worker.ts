/**
 * The program of a worker that processes one document.
 */
import { type ErrorRecord, toErrorRecord } from '../../../base/engine-error.ts';
import { openEngineLink } from '../../workers/engine-link.ts';
import { type DocumentJobName, type DocumentResults, documentJobs } from './document-jobs.ts';

/** A job for the worker. */
export interface DocumentOrder {
  readonly job: DocumentJobName;
  readonly bytes: Uint8Array;
}

/** The only message that the thread sends. */
export type DocumentReport =
  | { readonly isOk: true; readonly value: DocumentResults[DocumentJobName] }
  | { readonly isOk: false; readonly error: ErrorRecord };

const engine = openEngineLink();
engine.ready();
const { job, bytes } = engine.receive() as DocumentOrder;

documentJobs[job](bytes).then(
  (value) => engine.report({ isOk: true, value } satisfies DocumentReport),
  (error) => engine.report({ isOk: false, error: toErrorRecord(error) } satisfies DocumentReport),
);
