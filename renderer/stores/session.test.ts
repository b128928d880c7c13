import { afterEach, expect, test, vi } from 'vitest';
import type { JsonValue } from '../../engine/isomorphic.ts';
import { createEngineStandIn, settled } from '../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../bridge/testing/main-stand-in.ts';
import { createStores, type Stores } from './stores.ts';
import { createDirectDocuments } from './testing/direct-documents.ts';

const open: Stores[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const stores of open.splice(0)) stores.dispose();
});

function openWindow(kept: { state: JsonValue }, unsaved: { path: string; at: number }[] = []): Stores {
  const engine = createEngineStandIn({
    readNotices: () => [],
    listFolder: () => ({ entries: [], isCut: false }),
    listFlows: () => [{ path: 'first.flow.yaml', change: null }],
    listAgents: () => [],
    listRuns: () => [],
    readFlow: () => ({ text: 'flow: { name: x }\nnodes: []\nedges: []\n' }),
    readFile: () => ({ text: '# Notes\n', isWritable: true }),
  });
  const main = createMainStandIn({
    'session.read': () => kept,
    'draft.unsaved': () => ({ files: unsaved }),
    'session.write': ({ state }) => {
      kept.state = state;
    },
  });
  const documents = createDirectDocuments();
  const nextFrame = () => () => undefined;
  const stores = createStores({ engine: engine.client, main: main.client, documents, nextFrame });
  open.push(stores);
  engine.connect();
  return stores;
}

test('tabs, views, panes and viewports come back', async () => {
  const kept: { state: JsonValue } = { state: null };
  const first = openWindow(kept);
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

test('what has unsaved edits is opened although no tab was kept', async () => {
  const stores = openWindow({ state: null }, [{ path: 'lost.flow.yaml', at: 1 }]);
  expect(await stores.session.restore()).toBe(true);
  await settled();
  expect(stores.openFiles.getState().tabs).toContain('lost.flow.yaml');
});

test('without anything kept, or with something odd, the window begins as usual', async () => {
  for (const state of [null, { tabs: 'none' }]) {
    const stores = openWindow({ state });
    expect(await stores.session.restore()).toBe(false);
    await settled();
    expect(stores.openFiles.getState().tabs).toEqual(['first.flow.yaml']);
  }
});

test('changes are kept a moment later, and none after the end', async () => {
  const kept: { state: JsonValue } = { state: null };
  const stores = openWindow(kept);
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

test('answers that were typed and not sent come back, the last ones where there are too many', async () => {
  const kept: { state: JsonValue } = { state: null };
  const first = openWindow(kept);
  await settled();
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
