/**
 * The thread that checks and edits documents. See `document-service.ts`.
 */
import { z } from 'zod';
import { checkDocument } from './checked-text.ts';
import { changeDocument, type DocumentAnswer, type DocumentRequest } from './document-service.ts';

// Compiled checks need `new Function`, which the content policy forbids.
z.config({ jitless: true });

function answer(request: DocumentRequest): DocumentAnswer {
  const { id } = request;
  try {
    const result =
      request.do === 'check' ? checkDocument(request.kind, request.text) : changeDocument(request.text, request.change);
    return { id, result };
  } catch (error) {
    return { id, thrown: error instanceof Error ? error.message : String(error) };
  }
}

addEventListener('message', ({ data }: MessageEvent<DocumentRequest>) => postMessage(answer(data)));
