import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkDocument, type DocumentKind } from './check.ts';
import {
  createDocumentService,
  createDocumentWork,
  type DocumentRequest,
  type WorkerPort,
  withFirstChecksOnPage,
} from './service.ts';

const text = 'flow: { name: x }\nnodes: []\nedges: []\n';

interface TestWorker extends WorkerPort {
  readonly asked: DocumentRequest[];
  readonly isEnded: () => boolean;
  die(): void;
}

/** Creates a worker that responds to checks, or never responds. */
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
      if (data !== undefined) queueMicrotask(() => listeners.get('message')?.({ data } as never));
    },
  };
}

/** Creates a service with consecutive workers that respond or not. */
function serviceWith(...answers: readonly boolean[]) {
  const workers: TestWorker[] = [];
  const service = createDocumentService(() => {
    const worker = createWorker(answers[workers.length] ?? true);
    workers.push(worker);
    return worker;
  });
  return { service, workers };
}

/** Creates the service of a window that draws its first file until `whenPainted` resolves. */
function serviceUntil(whenPainted: Promise<void>) {
  const { service, workers } = serviceWith();
  return { service: withFirstChecksOnPage(service, whenPainted), workers };
}

function drawingWindow() {
  let paint = (): void => undefined;
  const whenPainted = new Promise<void>((resolve) => {
    paint = resolve;
  });
  return { whenPainted, paint: () => paint() };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a service in a worker', () => {
  test('responds, with one worker for all calls', async () => {
    const { service, workers } = serviceWith(true);
    expect((await service.check('flow', text)).diagnostics).toEqual(checkDocument('flow', text).diagnostics);
    await service.check('file', '');
    expect(workers.map(({ asked }) => asked.length)).toEqual([2]);
  });

  test('rejects pending calls when the worker dies, and continues with another one', async () => {
    const { service, workers } = serviceWith(false, true);
    const changed = service.change(text, { do: 'move', positions: {} });
    const checked = service.check('flow', text);
    workers[0]?.die();
    await expect(changed).rejects.toMatchObject({ code: 'document.stopped' });
    await expect(checked).rejects.toMatchObject({ code: 'document.stopped' });
    expect(workers[0]?.isEnded()).toBe(true);
    expect((await service.check('flow', text)).doc?.flow.name).toBe('x');
  });

  test('gives up on a call that takes too long', async () => {
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

describe('a service of a window that draws its first file', () => {
  const first: readonly { readonly kind: DocumentKind; readonly of: string; readonly text: string }[] = [
    { kind: 'flow', of: 'a flow', text },
    {
      kind: 'flow',
      of: 'a flow with a mistake',
      text: 'flow: { name: x }\nnodes: [{ id: a, type: nothing }]\nedges: []\n',
    },
    { kind: 'flow', of: 'a text that is not YAML', text: 'flow: [' },
    { kind: 'flow', of: 'an empty text', text: '' },
    { kind: 'agent', of: 'an agent', text: '# Agent\n' },
    { kind: 'dialogue', of: 'a catalogue of conversations', text: 'flows: []\n' },
    { kind: 'file', of: 'another file', text: 'hello' },
  ];

  test.each(first)('checks $of without a worker, with the same result', async ({ kind, text: shown }) => {
    const drawing = drawingWindow();
    const early = serviceUntil(drawing.whenPainted);
    const found = await early.service.check(kind, shown);
    expect(early.workers).toEqual([]);
    const { service } = serviceWith(true);
    expect(found).toEqual(await service.check(kind, shown));
  });

  test('checks a long text in a worker, so that the window stays responsive', async () => {
    const { service, workers } = serviceUntil(drawingWindow().whenPainted);
    await service.check('flow', `${text}${'# more\n'.repeat(6_000)}`);
    expect(workers.map(({ asked }) => asked.length)).toEqual([1]);
  });

  test('starts its worker when the file is painted, before the first request', async () => {
    const drawing = drawingWindow();
    const { service, workers } = serviceUntil(drawing.whenPainted);
    drawing.paint();
    await vi.waitFor(() => expect(workers.length).toBe(1));
    await service.check('flow', text);
    expect(workers.map(({ asked }) => asked.length)).toEqual([2]);
  });

  test('sends the worker the types that were known before it started', async () => {
    const drawing = drawingWindow();
    const { service, workers } = serviceUntil(drawing.whenPainted);
    service.takeTypes([{ type: 'team/helper' } as never]);
    drawing.paint();
    await vi.waitFor(() => expect(workers[0]?.asked.map((one) => one.do)).toEqual(['take-types', 'check']));
    service.takeTypes([]);
  });
});
