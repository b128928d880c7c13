/** Starts a worker thread that checks and edits documents. */
export function startDocumentWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
