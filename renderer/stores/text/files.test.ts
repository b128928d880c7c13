import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { createEngineStandIn, type EngineStandIn, settled } from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { createDirectDocuments } from '../testing/direct-documents.ts';
import { createNotices } from '../window/notices.ts';
import { createOpenFiles } from './files.ts';
import { createFileLogs } from './log.ts';

function flowText(name: string): string {
  return `flow: { name: ${name} }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n`;
}

function openFlowsOn(engine: EngineStandIn) {
  const logs = createFileLogs(createMainStandIn().client, (error) => {
    throw error;
  });
  return createOpenFiles({
    engine: engine.client,
    documents: createDirectDocuments(),
    logs,
    notices: createNotices(),
  });
}

/** Opens a workspace with files that the test can change. */
function openWorkspace(files: Map<string, string>) {
  const engine = createEngineStandIn({
    readFlow: (path) => {
      const text = files.get(path);
      if (text === undefined) throw new EngineError({ code: 'files.not-found', message: `There is no file ${path}.` });
      return { text };
    },
  });
  engine.connect();
  return openFlowsOn(engine);
}

describe('open files', () => {
  test('a file is read and checked when it is opened, and its tab is activated', async () => {
    const store = openWorkspace(new Map([['a.flow.yaml', flowText('One')]]));
    await store.getState().open('a.flow.yaml');
    const flow = store.getState().files.get('a.flow.yaml');
    expect([flow?.status, flow?.doc?.flow.name, flow?.order, flow?.nodeRanges.get('a')?.line]).toEqual([
      'ready',
      'One',
      ['a'],
      3,
    ]);
    expect(store.getState()).toMatchObject({ tabs: ['a.flow.yaml'], activePath: 'a.flow.yaml' });
  });

  test('a flow that does not exist can begin with a text that is not saved', async () => {
    const onDisk = new Map([['a.flow.yaml', flowText('One')]]);
    const store = openWorkspace(onDisk);
    expect(await store.getState().openNew('new.flow.yaml', flowText('New'))).toBe(true);
    expect(store.getState().files.get('new.flow.yaml')).toMatchObject({
      ...{ status: 'ready', text: flowText('New'), doc: { flow: { name: 'New' } } },
      ...{ isDirty: true, isMissing: true, wasSaved: false, readError: null, undoLabel: 'New flow' },
    });
    expect([
      await store.getState().openNew('a.flow.yaml', 'x'),
      await store.getState().openNew('new.flow.yaml', 'x'),
    ]).toEqual([false, false]);
    expect(store.getState().files.get('a.flow.yaml')).toMatchObject({ text: flowText('One'), isMissing: false });
    expect([...onDisk.keys()]).toEqual(['a.flow.yaml']);
  });

  test('waiting for a file resolves when it is loaded, even if another read replaced the first one', async () => {
    const answers: (() => void)[] = [];
    const engine = createEngineStandIn({
      readFlow: () => new Promise((resolve) => answers.push(() => resolve({ text: flowText('One') }))),
    });
    engine.connect();
    const store = openFlowsOn(engine);
    void store.getState().open('a.flow.yaml');
    const checked = store.getState().checked('a.flow.yaml');
    await settled();
    void store.getState().reload(['a.flow.yaml']);
    await settled();
    answers[0]?.();
    await settled();
    answers[1]?.();
    expect(await checked).toMatchObject({ status: 'ready', doc: { flow: { name: 'One' } } });
  });

  test('a text that cannot be parsed as a flow keeps the last document, marked as stale', async () => {
    const files = new Map([['a.flow.yaml', flowText('One')]]);
    const store = openWorkspace(files);
    await store.getState().open('a.flow.yaml');
    files.set('a.flow.yaml', '- just\n- a list\n');
    await store.getState().reload(['a.flow.yaml']);
    const broken = store.getState().files.get('a.flow.yaml');
    expect([broken?.doc?.flow.name, broken?.isDocStale, broken?.diagnostics.length]).toEqual(['One', true, 1]);
    files.set('a.flow.yaml', flowText('Two'));
    await store.getState().reload(['a.flow.yaml']);
    const mended = store.getState().files.get('a.flow.yaml');
    expect([mended?.doc?.flow.name, mended?.isDocStale, mended?.diagnostics]).toEqual(['Two', false, []]);
  });

  test('a file deleted while open keeps its text, and is unmarked when it is back', async () => {
    const files = new Map([['a.flow.yaml', flowText('One')]]);
    const store = openWorkspace(files);
    await store.getState().open('a.flow.yaml');
    files.clear();
    await store.getState().reload(['a.flow.yaml']);
    expect(store.getState().files.get('a.flow.yaml')).toMatchObject({ text: flowText('One'), isMissing: true });
    files.set('a.flow.yaml', flowText('One'));
    await store.getState().reload(['a.flow.yaml']);
    expect(store.getState().files.get('a.flow.yaml')).toMatchObject({ isMissing: false, readError: null });
  });

  test('a file that cannot be read shows why, and is shown once it can be read', async () => {
    const files = new Map<string, string>();
    const store = openWorkspace(files);
    await store.getState().open('a.flow.yaml');
    expect(store.getState().files.get('a.flow.yaml')).toMatchObject({
      status: 'unreadable',
      readError: { code: 'files.not-found' },
      isMissing: false,
    });
    files.set('a.flow.yaml', flowText('One'));
    await store.getState().reload(['a.flow.yaml']);
    expect(store.getState().files.get('a.flow.yaml')).toMatchObject({ status: 'ready', readError: null });
  });

  test('an unchanged text keeps the flow object, so nothing is drawn again', async () => {
    const store = openWorkspace(new Map([['a.flow.yaml', flowText('One')]]));
    await store.getState().open('a.flow.yaml');
    const before = store.getState().files.get('a.flow.yaml');
    await store.getState().reload(['a.flow.yaml', 'not-open.flow.yaml']);
    expect(store.getState().files.get('a.flow.yaml')).toBe(before);
  });

  test('an older response that arrives later is dropped', async () => {
    const answers: ((text: string) => void)[] = [];
    const engine = createEngineStandIn({
      readFlow: () => new Promise((resolve) => answers.push((text) => resolve({ text }))),
    });
    engine.connect();
    const store = openFlowsOn(engine);
    void store.getState().open('a.flow.yaml');
    void store.getState().reload(['a.flow.yaml']);
    await settled();
    answers[1]?.(flowText('New'));
    await settled();
    answers[0]?.(flowText('Old'));
    await settled();
    expect(store.getState().files.get('a.flow.yaml')?.doc?.flow.name).toBe('New');
  });

  test('an older response that arrives later is not taken for the content of the disk', async () => {
    const answers: ((text: string) => void)[] = [];
    const engine = createEngineStandIn({
      readFlow: () => new Promise((resolve) => answers.push((text) => resolve({ text }))),
    });
    engine.connect();
    const store = openFlowsOn(engine);
    const path = 'a.flow.yaml';
    const opened = store.getState().open(path);
    await settled();
    answers[0]?.(flowText('First'));
    await opened;
    const reads = [store.getState().reload([path]), store.getState().reload([path])];
    await settled();
    answers[2]?.(flowText('New'));
    await settled();
    answers[1]?.(flowText('Old'));
    await Promise.all(reads);
    expect(store.getState().files.get(path)).toMatchObject({ text: flowText('New'), isDirty: false });
  });

  test('a tab closed before its file was read leaves nothing behind', async () => {
    const calls: string[] = [];
    const main = createMainStandIn({
      'draft.open': ({ diskText }) => {
        calls.push('open');
        return { baseText: diskText ?? '', steps: [], version: 0 };
      },
      'draft.close': () => {
        calls.push('close');
      },
    });
    const engine = createEngineStandIn({ readFlow: () => ({ text: flowText('One') }) });
    engine.connect();
    const logs = createFileLogs(main.client, (error) => {
      throw error;
    });
    const [documents, notices] = [createDirectDocuments(), createNotices()];
    const store = createOpenFiles({ engine: engine.client, documents, logs, notices });
    const opened = store.getState().open('a.flow.yaml');
    store.getState().close('a.flow.yaml');
    await opened;
    await settled();
    expect([calls, logs.logOf('a.flow.yaml'), store.getState().tabs]).toEqual([['open', 'close'], undefined, []]);
  });

  test('closing the active tab activates its right neighbor, or else the left one', async () => {
    const store = openWorkspace(new Map(['a', 'b', 'c'].map((name) => [name, flowText(name)])));
    for (const name of ['a', 'b', 'c']) await store.getState().open(name);
    const fronts: (string | null)[] = [];
    for (const name of ['c', 'a', 'b']) {
      store.getState().activate(name);
      store.getState().close(name);
      fronts.push(store.getState().activePath);
    }
    expect(fronts).toEqual(['b', 'b', null]);
  });
});
