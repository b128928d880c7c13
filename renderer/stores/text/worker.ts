/**
 * The thread that checks and edits documents. See `service.ts`.
 */
import { z } from 'zod';
import { createDocumentWork, type DocumentRequest } from './service.ts';

// Compiled checks require `new Function`, which the content security policy forbids.
z.config({ jitless: true });

const work = createDocumentWork();
addEventListener('message', ({ data }: MessageEvent<DocumentRequest>) => {
  const answer = work(data);
  if (answer !== undefined) postMessage(answer);
});
