import { afterEach, expect, test, vi } from 'vitest';
import { EngineError, type JsonValue } from '../../engine/isomorphic.ts';
import { createEngineStandIn, settled } from '../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../bridge/testing/main-stand-in.ts';
import { createStores, type Stores } from './stores.ts';
import { createDirectDocuments } from './testing/direct-documents.ts';

const open: Stores[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const stores of open.splice(0)) stores.dispose();
});

interface Kept {
  state: JsonValue;
  savedFor?: string;
}

function openWindow(kept: Kept, unsaved: { path: string; at: number }[] = []): Stores {
  const { stores, connect } = makeWindow(kept, unsaved);
  connect();
  return stores;
}

function makeWindow(kept: Kept, unsaved: { path: string; at: number }[] = []) {
  const engine = createEngineStandIn({
    readNotices: () => [],
    listFolder: () => ({ entries: [], isCut: false }),
    listFlows: () => [{ path: 'first.flow.yaml', change: null }],
    listAgents: () => [],
    listRuns: () => [],
    readFlow: (path) => {
      if (path.startsWith('gone')) throw new EngineError({ code: 'files.not-found', message: `${path} is not there.` });
      if (path.startsWith('locked'))
        throw new EngineError({ code: 'files.not-readable', message: 'Permission denied.' });
      return { text: 'flow: { name: x }\nnodes: []\nedges: []\n' };
    },
    readFile: () => ({ text: '# Notes\n', isWritable: true }),
  });
  const main = createMainStandIn({
    'session.read': () => ({ workspace: '/w', ...kept }),
    'draft.unsaved': () => ({ files: unsaved }),
    'session.write': ({ workspace, state }) => {
      kept.state = state;
      kept.savedFor = workspace;
    },
  });
  const documents = createDirectDocuments();
  const nextFrame = () => () => undefined;
  const stores = createStores({ engine: engine.client, main: main.client, documents, nextFrame });
  open.push(stores);
  return { stores, connect: () => engine.connect() };
}

test('restores tabs, views, panes and viewports', async () => {
  const kept: { state: JsonValue } = { state: null };
  const first = openWindow(kept);
  await first.session.restore();
  await settled();
  await first.openFiles.getState().open('b.flow.yaml');
  await first.openFiles.getState().open('notes.md', 'file');
  first.openFiles.getState().activate('b.flow.yaml');
  first.selection.getState().setMode('b.flow.yaml', 'split');
  first.panes.getState().setOpen('inspector', false);
  first.fileTree.getState().setExpanded('notes', true);
  first.canvasViews.set('b.flow.yaml', { viewport: { x: 1, y: 2, zoom: 0.5 }, look: 'own' });
  first.session.keep();
  await settled();

  const second = openWindow(kept);
  expect(await second.session.restore()).toBe(true);
  await settled();
  expect(second.openFiles.getState()).toMatchObject({
    tabs: ['first.flow.yaml', 'b.flow.yaml', 'notes.md'],
    activePath: 'b.flow.yaml',
  });
  expect(second.openFiles.getState().files.get('notes.md')).toMatchObject({ kind: 'file', text: '# Notes\n' });
  expect(second.selection.getState().views.get('b.flow.yaml')?.mode).toBe('split');
  expect(second.panes.getState().isOpen.inspector).toBe(false);
  expect(second.fileTree.getState().expanded).toEqual(new Set(['notes']));
  expect(second.canvasViews.get('b.flow.yaml')).toEqual({ viewport: { x: 1, y: 2, zoom: 0.5 }, look: 'own' });
});

test('opens files with unsaved edits even if their tabs were not saved', async () => {
  const stores = openWindow({ state: null }, [{ path: 'lost.flow.yaml', at: 1 }]);
  expect(await stores.session.restore()).toBe(true);
  await settled();
  expect(stores.openFiles.getState().tabs).toContain('lost.flow.yaml');
});

const tab = (path: string) => ({ path, kind: 'flow', mode: 'canvas', nodeId: null, viewport: null });
const panesOfSession = {
  isOpen: { side: true, inspector: true, dock: true },
  sideView: 'flows',
  dockTab: 'timeline',
};
const session = (tabs: readonly string[], activePath: string) => ({
  tabs: tabs.map(tab),
  activePath,
  panes: panesOfSession,
});

test.each([
  {
    where: 'between tabs of this folder',
    kept: session(['a.flow.yaml', 'gone.flow.yaml', 'b.flow.yaml'], 'a.flow.yaml'),
    healed: { tabs: ['a.flow.yaml', 'b.flow.yaml'], activePath: 'a.flow.yaml' },
  },
  {
    where: 'in front',
    kept: session(['a.flow.yaml', 'gone-1.flow.yaml', 'gone-2.flow.yaml'], 'gone-2.flow.yaml'),
    healed: { tabs: ['a.flow.yaml'], activePath: 'a.flow.yaml' },
  },
  {
    where: 'and no other tab',
    kept: session(['gone-1.flow.yaml', 'gone-2.flow.yaml'], 'gone-1.flow.yaml'),
    healed: { tabs: ['first.flow.yaml'], activePath: 'first.flow.yaml' },
  },
  {
    where: 'beside one that cannot be read',
    kept: session(['gone.flow.yaml', 'locked.flow.yaml'], 'gone.flow.yaml'),
    healed: { tabs: ['locked.flow.yaml'], activePath: 'locked.flow.yaml' },
  },
])('repairs a session with tabs of files that do not exist here: $where', async ({ kept, healed }) => {
  const { stores, connect } = makeWindow({ state: kept });
  expect(await stores.session.restore()).toBe(true);
  connect();
  await vi.waitFor(() => {
    const { tabs, activePath } = stores.openFiles.getState();
    expect({ tabs, activePath }).toEqual(healed);
  });
});

test('a page saves its tabs for the folder for which it was loaded', async () => {
  const kept: Kept = { state: null };
  const stores = openWindow(kept);
  stores.session.keep();
  await settled();
  expect(kept.savedFor).toBeUndefined();
  await stores.session.restore();
  stores.session.keep();
  await settled();
  expect(kept.savedFor).toBe('/w');
});

test('without a saved session, or with an invalid one, the window starts with defaults', async () => {
  for (const state of [null, { tabs: 'none' }]) {
    const stores = openWindow({ state });
    expect(await stores.session.restore()).toBe(false);
    await settled();
    expect(stores.openFiles.getState().tabs).toEqual(['first.flow.yaml']);
  }
});

test('saves changes a moment later, and none after the end', async () => {
  const kept: { state: JsonValue } = { state: null };
  const stores = openWindow(kept);
  await stores.session.restore();
  await settled();
  const end = stores.session.follow();
  vi.useFakeTimers();
  stores.panes.getState().toggle('side');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(kept.state).toMatchObject({ panes: { isOpen: { side: false } } });
  stores.panes.getState().toggle('side');
  end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(kept.state).toMatchObject({ panes: { isOpen: { side: false } } });
});

test('restores unsent answers, and only the latest if there are too many', async () => {
  const kept: { state: JsonValue } = { state: null };
  const first = openWindow(kept);
  await first.session.restore();
  const long = { fields: { text: 'x'.repeat(200_000) }, comment: '' };
  for (const key of ['a', 'b', 'c']) first.answerDrafts.getState().keep(key, long);
  first.answerDrafts.getState().keep('d', { fields: { name: 'Jo' }, comment: 'so' });
  first.session.keep();
  await settled();

  const second = openWindow(kept);
  await second.session.restore();
  const { drafts } = second.answerDrafts.getState();
  expect([...drafts.keys()]).toEqual(['b', 'c', 'd']);
  expect(drafts.get('d')).toEqual({ fields: { name: 'Jo' }, comment: 'so' });
});
