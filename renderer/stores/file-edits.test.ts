import { afterEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../engine/isomorphic.ts';
import { createEngineStandIn, settled } from '../bridge/engine-stand-in.ts';
import { createMainStandIn, type MainStandIn } from '../bridge/main-stand-in.ts';
import { createDirectDocuments, type DocumentService } from './document-service.ts';
import { createStores, type Stores } from './stores.ts';

const path = 'a.flow.yaml';
const text = `# The only flow
flow: { name: One }
nodes:
  - id: a   # says hi
    type: echo
    input: { text: hi }
edges: []
`;

const open: Stores[] = [];
afterEach(() => {
  for (const stores of open.splice(0)) stores.dispose();
});

interface World {
  readonly stores: Stores;
  readonly disk: Map<string, string>;
  readonly main: MainStandIn;
}

/** A window on a workspace of one flow, which is open. */
async function openWindow(
  main = createMainStandIn(),
  disk = new Map([[path, text]]),
  { loss, documents = createDirectDocuments() }: { loss?: string; documents?: DocumentService } = {},
): Promise<World> {
  const read = (name: string): { text: string } => {
    const found = disk.get(name);
    if (found === undefined) throw new EngineError({ code: 'files.not-found', message: `There is no file ${name}.` });
    return { text: found };
  };
  const engine = createEngineStandIn({
    'engine.info': () => ({ workspace: '/w', notices: [] }),
    'flow.list': () => ({ flows: [] }),
    'agent.list': () => ({ agents: [] }),
    'run.list': () => ({ runs: [] }),
    'flow.read': (request) => ({ ...read(request.path), ...(loss === undefined ? {} : { loss }) }),
    'file.read': (request) => ({ ...read(request.path), isWritable: true }),
    'file.write': (request) => {
      const before = disk.get(request.path) ?? null;
      if (request.expected !== undefined && request.expected !== before) {
        throw new EngineError({ code: 'files.changed', message: 'It was changed.', details: { text: before } });
      }
      disk.set(request.path, request.text);
      return {};
    },
  });
  const nextFrame = (callback: () => void) => {
    const timer = setTimeout(callback, 0);
    return () => clearTimeout(timer);
  };
  const stores = createStores({ engine: engine.client, main: main.client, documents, nextFrame });
  open.push(stores);
  engine.connect();
  await stores.openFlows.getState().open(path);
  return { stores, disk, main };
}

function file({ stores }: World) {
  const found = stores.openFlows.getState().flows.get(path);
  if (found === undefined) throw new Error('The flow is not open');
  return found;
}

describe('editing', () => {
  test('a change of the canvas is the smallest edit of the text, and the graph shows it at once', async () => {
    const world = await openWindow();
    const done = await world.stores.edits.change(path, {
      do: 'set-node',
      id: 'a',
      path: ['input', 'text'],
      value: 'ho',
    });
    expect(done).toBe(true);
    expect(file(world)).toMatchObject({ text: text.replace('hi }', 'ho }'), isDirty: true, isCheckStale: false });
    expect(file(world).doc?.nodes[0]?.input['text']).toBe('ho');
  });

  test('changes asked for one right after the other are all made', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    const set = (value: string) => edits.change(path, { do: 'set-node', id: 'a', path: ['name'], value });
    await Promise.all([set('One'), set('Two'), edits.change(path, { do: 'rename', id: 'a', to: 'b' })]);
    expect(file(world).doc?.nodes).toMatchObject([{ id: 'b', name: 'Two' }]);
  });

  test('a refused change leaves the text as it was and is told', async () => {
    const world = await openWindow();
    const done = await world.stores.edits.change(path, { do: 'rename', id: 'a', to: 'not an id' });
    expect([done, file(world).text]).toEqual([false, text]);
    expect(world.stores.notices.getState().list).toMatchObject([{ tone: 'error', title: 'The flow was not changed' }]);
  });

  test('undo and redo span typing and canvas, and give the very text', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    await edits.change(path, { do: 'rename', id: 'a', to: 'b' });
    const last = file(world).text;
    expect(file(world).undoLabel).toMatch(/a.*b/);
    edits.undo(path);
    edits.undo(path);
    expect(file(world)).toMatchObject({ text, isDirty: false, undoLabel: null });
    edits.redo(path);
    edits.redo(path);
    expect(file(world)).toMatchObject({ text: last, redoLabel: null });
  });

  test('text that is no flow keeps the graph, and typing is told to nobody who typed it', async () => {
    const world = await openWindow();
    const heard: string[] = [];
    world.stores.edits.onEdits(path, (_, origin) => heard.push(origin));
    world.stores.edits.type(path, [{ start: 0, end: 0, text: '[' }]);
    await settled();
    expect(file(world)).toMatchObject({ isDocStale: true, isCheckStale: false });
    expect(file(world).doc?.nodes).toHaveLength(1);
    world.stores.edits.undo(path);
    expect(heard).toEqual(['here']);
  });
});

describe('saving', () => {
  test('writes the text, and knows that it is saved', async () => {
    const world = await openWindow();
    world.stores.edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    expect(await world.stores.edits.saveAll()).toBe(true);
    expect([world.disk.get(path), file(world).isDirty]).toEqual([`# New\n${text}`, false]);
  });

  test('does not overwrite what others wrote, and lets the person choose', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# Mine\n' }]);
    world.disk.set(path, `# Theirs\n${text}`);
    expect(await edits.save(path)).toBe(false);
    expect(file(world).conflict).toEqual({ diskText: `# Theirs\n${text}`, baseText: text });
    edits.settle(path, 'mine');
    expect(await edits.save(path)).toBe(true);
    expect(world.disk.get(path)).toBe(`# Mine\n${text}`);
  });

  test('what others wrote can be taken, and that be undone', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# Mine\n' }]);
    world.disk.set(path, `# Theirs\n${text}`);
    await world.stores.openFlows.getState().reload([path]);
    edits.settle(path, 'theirs');
    expect(file(world)).toMatchObject({ text: `# Theirs\n${text}`, isDirty: false, conflict: null });
    edits.undo(path);
    expect(file(world)).toMatchObject({ text: `# Mine\n${text}`, isDirty: true });
  });

  test('a file without unsaved edits follows the disk, as an edit that can be undone', async () => {
    const world = await openWindow();
    world.disk.set(path, `# Theirs\n${text}`);
    await world.stores.openFlows.getState().reload([path]);
    expect(file(world)).toMatchObject({ text: `# Theirs\n${text}`, isDirty: false, conflict: null });
    world.stores.edits.undo(path);
    expect(file(world)).toMatchObject({ text, isDirty: true });
  });

  test('a file deleted meanwhile is written anew', async () => {
    const world = await openWindow();
    world.disk.clear();
    await world.stores.openFlows.getState().reload([path]);
    expect(file(world).isMissing).toBe(true);
    expect(await world.stores.edits.save(path)).toBe(true);
    expect([world.disk.get(path), file(world).isMissing]).toEqual([text, false]);
  });
});

describe('opening again', () => {
  test('unsaved edits of before are back, with their undo, and can be thrown away', async () => {
    const first = await openWindow();
    first.stores.edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    await settled();
    const again = await openWindow(first.main, first.disk);
    expect(file(again)).toMatchObject({ text: `# New\n${text}`, isDirty: true, undoLabel: 'Typing' });
    expect(file(again).restoredFrom).toBeTypeOf('number');
    again.stores.edits.revert(path);
    expect(file(again)).toMatchObject({ text, isDirty: false, restoredFrom: null });
  });

  test('the undo of a saved file survives', async () => {
    const first = await openWindow();
    first.stores.edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    await first.stores.edits.save(path);
    await settled();
    const again = await openWindow(first.main, first.disk);
    again.stores.edits.undo(path);
    expect(file(again)).toMatchObject({ text, isDirty: true });
  });
});

describe('bad times', () => {
  test('saving twice with letters in between writes the last text, and is no conflict', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# One\n' }]);
    const first = edits.save(path);
    edits.type(path, [{ start: 0, end: 0, text: '# Two\n' }]);
    const second = edits.save(path);
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect([world.disk.get(path), file(world).isDirty]).toEqual([`# Two\n# One\n${text}`, false]);
    expect(world.stores.notices.getState().list).toEqual([]);
  });

  test('letters typed while the file is written stay unsaved', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# One\n' }]);
    const saved = edits.save(path);
    // The save has its text by now, and its answer is on the way.
    for (let turn = 0; turn < 6; turn++) await Promise.resolve();
    edits.type(path, [{ start: 0, end: 0, text: '# Two\n' }]);
    await saved;
    const isWritten = world.disk.get(path) === file(world).text;
    expect(file(world)).toMatchObject({ text: `# Two\n# One\n${text}`, isDirty: !isWritten, conflict: null });
  });

  test('unsaved text of a file that was deleted is there when it is opened, and can be saved', async () => {
    const first = await openWindow();
    first.stores.edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    await settled();
    first.disk.clear();
    const again = await openWindow(first.main, first.disk);
    expect(file(again)).toMatchObject({ status: 'ready', text: `# New\n${text}`, isDirty: true, isMissing: true });
    expect(await again.stores.edits.save(path)).toBe(true);
    expect(again.disk.get(path)).toBe(`# New\n${text}`);
  });

  test('a file of which only a part can be shown is not edited, so that saving cannot destroy the rest', async () => {
    const loss = 'It holds bytes that are no text.';
    const world = await openWindow(undefined, undefined, { loss });
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    expect(await edits.change(path, { do: 'rename', id: 'a', to: 'b' })).toBe(false);
    expect(await edits.save(path)).toBe(true);
    expect([file(world).readOnlyReason, file(world).text, world.disk.get(path)]).toEqual([loss, text, text]);
    expect(world.stores.notices.getState().list[0]).toMatchObject({ detail: loss });
  });

  test('main knows of text that it could not keep, until it is saved', async () => {
    const heard: (readonly string[])[] = [];
    const full = createMainStandIn({
      'draft.step': () => {
        throw new EngineError({ code: 'draft.not-written', message: 'The disk is full.' });
      },
      'draft.unkept': ({ paths }) => {
        heard.push(paths);
        return {};
      },
    });
    const world = await openWindow(full);
    world.stores.edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    await settled();
    expect(heard).toEqual([[path]]);
    expect(world.stores.notices.getState().list).toMatchObject([{ detail: 'The disk is full.' }]);
    expect(await world.stores.edits.save(path)).toBe(true);
    await settled();
    expect(heard).toEqual([[path], []]);
  });

  test('without the worker that reads flows, text can be typed and saved', async () => {
    const documents: DocumentService = {
      check: () => Promise.reject(new Error('dead')),
      change: () => Promise.reject(new Error('dead')),
    };
    const world = await openWindow(undefined, undefined, { documents });
    const { edits } = world.stores;
    expect(await edits.change(path, { do: 'rename', id: 'a', to: 'b' })).toBe(false);
    edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    expect(await edits.save(path)).toBe(true);
    expect(world.disk.get(path)).toBe(`# New\n${text}`);
    const titles = world.stores.notices.getState().list.map(({ title }) => title);
    expect(titles).toEqual([`${path} was not checked`, 'The flow was not changed']);
  });
});
