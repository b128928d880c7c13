import { afterEach, expect, test, vi } from 'vitest';
import { createEngineStandIn, type EngineAnswers, settled } from '../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../bridge/testing/main-stand-in.ts';
import { whenFirstShown } from './first-look.ts';
import { createStores, type Stores } from './stores.ts';
import { createDirectDocuments } from './testing/direct-documents.ts';

let stores: Stores;
afterEach(() => {
  stores.dispose();
  vi.useRealTimers();
});

const flow = 'flow: { name: x }\nnodes: []\nedges: []\n';
const flows = [{ path: 'first.flow.yaml', change: null }];

/** Opens a window with an engine that returns these responses. Returns whether the window shows something. */
function openWindow(answers: EngineAnswers) {
  const engine = createEngineStandIn({ readNotices: () => [], ...answers });
  const { client: main } = createMainStandIn({});
  const documents = createDirectDocuments();
  stores = createStores({ engine: engine.client, main, documents, nextFrame: () => () => undefined });
  const shown = vi.fn();
  void whenFirstShown(stores).then(shown);
  return { engine, shown };
}

test('a window shows something as soon as its first flow is read and validated', async () => {
  let answer: (read: { text: string }) => void = () => undefined;
  const read = new Promise<{ text: string }>((resolve) => {
    answer = resolve;
  });
  const { engine, shown } = openWindow({ listFlows: () => flows, readFlow: () => read });
  engine.connect();
  await settled();
  expect(engine.calls).toContain('readFlow');
  expect(shown).not.toHaveBeenCalled();
  answer({ text: flow });
  await settled();
  expect(stores.openFiles.getState().files.get('first.flow.yaml')).toMatchObject({ status: 'ready' });
  expect(shown).toHaveBeenCalled();
});

test('the welcome example opens before all other flows', async () => {
  const paths = ['feedback.flow.yaml', 'sub/a.flow.yaml', 'welcome-letter.flow.yaml'];
  const listed = paths.map((path) => ({ path, change: null }));
  const { engine } = openWindow({ listFlows: () => listed, readFlow: () => ({ text: flow }) });
  engine.connect();
  await settled();
  expect(stores.openFiles.getState().tabs).toEqual(['welcome-letter.flow.yaml']);
});

test.each<[string, EngineAnswers]>([
  ['there is no flow', { listFlows: () => [] }],
  ['flows cannot be listed', { listFlows: () => Promise.reject(new Error('torn')) }],
  ['the first flow cannot be read', { listFlows: () => flows, readFlow: () => Promise.reject(new Error('torn')) }],
])('it waits for nothing more when %s', async (_what, answers) => {
  const { engine, shown } = openWindow(answers);
  expect(shown).not.toHaveBeenCalled();
  engine.connect();
  await settled();
  expect(shown).toHaveBeenCalled();
});

test('waits for two seconds at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { shown } = openWindow({});
  await vi.advanceTimersByTimeAsync(1_999);
  expect(shown).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toHaveBeenCalled();
});
