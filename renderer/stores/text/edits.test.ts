import { afterEach, describe, expect, test } from 'vitest';
import { settled } from '../../bridge/testing/engine-stand-in.ts';
import { createDirectDocuments } from '../testing/direct-documents.ts';
import { closeWindows, type FileWindow, file, openWindow, path, text } from '../testing/file-window.ts';

afterEach(closeWindows);

describe('editing', () => {
  test('a change on the canvas is the smallest edit of the text, and the graph shows it at once', async () => {
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

  test('a change on the canvas is checked once, together with the change itself, and a typed letter once after it', async () => {
    const asked: string[] = [];
    const documents = createDirectDocuments((request) => asked.push(request.do));
    const world = await openWindow(undefined, undefined, { documents });
    expect(asked.splice(0)).toEqual(['check']);
    await world.stores.edits.change(path, { do: 'rename', id: 'a', to: 'b' });
    await settled();
    expect([asked.splice(0), file(world).isCheckStale]).toEqual([['change'], false]);
    world.stores.edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    await settled();
    expect([asked.splice(0), file(world).isCheckStale]).toEqual([['check'], false]);
  });

  test('a late check of an older text does not replace the newer one', async () => {
    const world = await openWindow();
    const older = file(world);
    await world.stores.edits.change(path, { do: 'rename', id: 'a', to: 'b' });
    const newer = file(world);
    world.stores.openFiles.getState().takeCheck(path, older.text, older);
    expect(file(world)).toBe(newer);
  });

  test('consecutive changes are all applied', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    const set = (value: string) => edits.change(path, { do: 'set-node', id: 'a', path: ['name'], value });
    await Promise.all([set('One'), set('Two'), edits.change(path, { do: 'rename', id: 'a', to: 'b' })]);
    expect(file(world).doc?.nodes).toMatchObject([{ id: 'b', name: 'Two' }]);
  });

  test('a rejected change is reported and leaves the text unchanged', async () => {
    const world = await openWindow();
    const done = await world.stores.edits.change(path, { do: 'rename', id: 'a', to: 'not an id' });
    expect([done, file(world).text]).toEqual([false, text]);
    expect(world.stores.notices.getState().list).toMatchObject([{ tone: 'error', title: "Couldn't change the flow" }]);
  });

  test('undo and redo cover typing and canvas, and restore the exact text', async () => {
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

  test('an invalid text keeps the graph, and typing is not reported back to the editor', async () => {
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
  test('writes the text and marks it as saved', async () => {
    const world = await openWindow();
    world.stores.edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    expect(await world.stores.edits.saveAll()).toBe(true);
    expect([world.disk.get(path), file(world).isDirty]).toEqual([`# New\n${text}`, false]);
  });

  test('does not overwrite changes by others, and lets the user choose', async () => {
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

  test('changes by others can be accepted, and that can be undone', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# Mine\n' }]);
    world.disk.set(path, `# Theirs\n${text}`);
    await world.stores.openFiles.getState().reload([path]);
    edits.settle(path, 'theirs');
    expect(file(world)).toMatchObject({ text: `# Theirs\n${text}`, isDirty: false, conflict: null });
    edits.undo(path);
    expect(file(world)).toMatchObject({ text: `# Mine\n${text}`, isDirty: true });
  });

  test('a file without unsaved edits follows the disk, as an edit that can be undone', async () => {
    const world = await openWindow();
    world.disk.set(path, `# Theirs\n${text}`);
    await world.stores.openFiles.getState().reload([path]);
    expect(file(world)).toMatchObject({ text: `# Theirs\n${text}`, isDirty: false, conflict: null });
    world.stores.edits.undo(path);
    expect(file(world)).toMatchObject({ text, isDirty: true });
  });

  test('a deleted file is written again', async () => {
    const world = await openWindow();
    world.disk.clear();
    await world.stores.openFiles.getState().reload([path]);
    expect(file(world).isMissing).toBe(true);
    expect(await world.stores.edits.save(path)).toBe(true);
    expect([world.disk.get(path), file(world).isMissing]).toEqual([text, false]);
  });
});

describe('a new flow', () => {
  const created = 'new.flow.yaml';
  const openNew = async (world: FileWindow) => {
    await world.stores.openFiles.getState().openNew(created, text);
    return () => world.stores.openFiles.getState().files.get(created);
  };

  test('is unsaved until it is saved, and a reload keeps it', async () => {
    const world = await openWindow();
    const shown = await openNew(world);
    expect(shown()).toMatchObject({
      text,
      isDirty: true,
      isMissing: true,
      wasSaved: false,
      doc: { flow: { name: 'One' } },
    });
    await world.stores.openFiles.getState().reload([created]);
    expect(shown()).toMatchObject({ text, isDirty: true, isMissing: true });
    expect(world.disk.has(created)).toBe(false);
    expect(await world.stores.edits.save(created)).toBe(true);
    expect([world.disk.get(created), shown()?.isMissing, shown()?.isDirty]).toEqual([text, false, false]);
  });

  test('does not replace a file that was created meanwhile', async () => {
    const world = await openWindow();
    const shown = await openNew(world);
    world.disk.set(created, '# Theirs\n');
    expect(await world.stores.edits.save(created)).toBe(false);
    expect([world.disk.get(created), shown()?.conflict?.diskText]).toEqual(['# Theirs\n', '# Theirs\n']);
  });

  test('survives a restart before it is saved', async () => {
    const first = await openWindow();
    await openNew(first);
    await settled();
    const again = await openWindow(first.main, first.disk);
    await again.stores.openFiles.getState().open(created);
    const shown = again.stores.openFiles.getState().files.get(created);
    expect(shown).toMatchObject({ text, isDirty: true, isMissing: true, wasSaved: false });
  });
});

describe('reopening', () => {
  test('restores earlier unsaved edits with their undo history, and they can be discarded', async () => {
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
