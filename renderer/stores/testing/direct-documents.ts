/**
 * For tests: the document service with its worker on the same thread.
 */
import {
  createDocumentService,
  createDocumentWork,
  type DocumentRequest,
  type DocumentService,
} from '../text/service.ts';

/** @param onRequest called with each request to the worker */
export function createDirectDocuments(
  onRequest: (request: DocumentRequest) => void = () => undefined,
): DocumentService {
  return createDocumentService(() => {
    const work = createDocumentWork();
    let answer: (event: MessageEvent) => void = () => undefined;
    return {
      postMessage(request) {
        onRequest(request);
        const data = work(request);
        if (data !== undefined) queueMicrotask(() => answer({ data } as MessageEvent));
      },
      addEventListener(type: string, listener: (event: never) => void) {
        if (type === 'message') answer = listener as typeof answer;
      },
      terminate: () => undefined,
    };
  });
}
