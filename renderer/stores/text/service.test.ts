import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkDocument } from './check.ts';
import { createDocumentService, createDocumentWork, type DocumentRequest, type WorkerPort } from './service.ts';

const text = 'flow: { name: x }\nnodes: []\nedges: []\n';

interface TestWorker extends WorkerPort {
  readonly asked: DocumentRequest[];
  readonly isEnded: () => boolean;
  die(): void;
}

/** A worker that answers checks, or keeps silent. */
function createWorker(answers: boolean): TestWorker {
  const listeners = new Map<string, (event: never) => void>();
  const asked: DocumentRequest[] = [];
  const work = createDocumentWork();
  let isEnded = false;
  return {
    asked,
    isEnded: () => isEnded,
    die: () => listeners.get('error')?.(new Event('error') as never),
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
    terminate: () => {
      isEnded = true;
    },
    postMessage(request) {
      asked.push(request);
      if (!answers) return;
      const data = structuredClone(work(request));
      queueMicrotask(() => listeners.get('message')?.({ data } as never));
    },
  };
}

/** A service whose workers, one after the other, answer or not. */
function serviceWith(...answers: readonly boolean[]) {
  const workers: TestWorker[] = [];
  const service = createDocumentService(() => {
    const worker = createWorker(answers[workers.length] ?? true);
    workers.push(worker);
    return worker;
  });
  return { service, workers };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a service in a worker', () => {
  test('answers, with one worker for all calls', async () => {
    const { service, workers } = serviceWith(true);
    expect((await service.check('flow', text)).diagnostics).toEqual(checkDocument('flow', text).diagnostics);
    await service.check('file', '');
    expect(workers.map(({ asked }) => asked.length)).toEqual([2]);
  });

  test('fails what waits when the worker dies, and goes on with another one', async () => {
    const { service, workers } = serviceWith(false, true);
    const changed = service.change(text, { do: 'move', positions: {} });
    const checked = service.check('flow', text);
    workers[0]?.die();
    await expect(changed).rejects.toMatchObject({ code: 'document.stopped' });
    await expect(checked).rejects.toMatchObject({ code: 'document.stopped' });
    expect(workers[0]?.isEnded()).toBe(true);
    expect((await service.check('flow', text)).doc?.flow.name).toBe('x');
  });

  test('gives up what has no end', async () => {
    vi.useFakeTimers();
    const { service, workers } = serviceWith(false, true);
    const refused = expect(service.check('flow', text)).rejects.toMatchObject({ code: 'document.stopped' });
    await vi.advanceTimersByTimeAsync(20_000);
    await refused;
    expect(workers[0]?.isEnded()).toBe(true);
    await service.check('flow', text);
    expect(workers.length).toBe(2);
  });
});
