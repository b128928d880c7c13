import { afterEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { settled } from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { closeWindows, file, openWindow, path, text } from '../testing/file-window.ts';
import type { DocumentService } from './service.ts';

afterEach(closeWindows);

describe('failures', () => {
  test('saving twice while typing writes the last text and is not a conflict', async () => {
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

  test('text typed while the file is being written stays unsaved', async () => {
    const world = await openWindow();
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# One\n' }]);
    const saved = edits.save(path);
    // By now the save has its text, and its response is pending.
    for (let turn = 0; turn < 6; turn++) await Promise.resolve();
    edits.type(path, [{ start: 0, end: 0, text: '# Two\n' }]);
    await saved;
    const isWritten = world.disk.get(path) === file(world).text;
    expect(file(world)).toMatchObject({ text: `# Two\n# One\n${text}`, isDirty: !isWritten, conflict: null });
  });

  test('unsaved text of a deleted file is restored when it is opened, and can be saved', async () => {
    const first = await openWindow();
    first.stores.edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    await settled();
    first.disk.clear();
    const again = await openWindow(first.main, first.disk);
    expect(file(again)).toMatchObject({ status: 'ready', text: `# New\n${text}`, isDirty: true, isMissing: true });
    expect(await again.stores.edits.save(path)).toBe(true);
    expect(again.disk.get(path)).toBe(`# New\n${text}`);
  });

  test('a file that is only partly shown cannot be edited, so that saving cannot destroy the rest', async () => {
    const loss = 'It holds bytes that are no text.';
    const world = await openWindow(undefined, undefined, { loss });
    const { edits } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    expect(await edits.change(path, { do: 'rename', id: 'a', to: 'b' })).toBe(false);
    expect(await edits.save(path)).toBe(true);
    expect([file(world).readOnlyReason, file(world).text, world.disk.get(path)]).toEqual([loss, text, text]);
    expect(world.stores.notices.getState().list[0]).toMatchObject({ detail: loss });
  });

  test('a save that was not confirmed because the engine ended is not a conflict', async () => {
    const afterWrite = (): void => {
      throw new EngineError({ code: 'rpc.disconnected', message: 'The connection was cut.' });
    };
    const world = await openWindow(undefined, undefined, { afterWrite });
    const { edits } = world.stores;
    for (const letter of ['c', 'b', 'a']) edits.type(path, [{ start: 0, end: 0, text: `#${letter}\n` }], 'one');
    expect(await edits.save(path)).toBe(false);
    for (const letter of ['e', 'd']) edits.type(path, [{ start: 0, end: 0, text: `#${letter}\n` }], 'one');
    await world.stores.openFiles.getState().reload([path]);
    expect(file(world)).toMatchObject({ conflict: null, isDirty: true, text: `#d\n#e\n#a\n#b\n#c\n${text}` });
    edits.undo(path);
    world.disk.set(path, 'theirs');
    await world.stores.openFiles.getState().reload([path]);
    expect(file(world).conflict?.diskText).toBe('theirs');
  });

  test('main is informed of text that it could not store, until it is saved', async () => {
    const heard: (readonly string[])[] = [];
    const full = createMainStandIn({
      'draft.step': () => {
        throw new EngineError({ code: 'draft.not-written', message: 'The disk is full.' });
      },
      'draft.unkept': ({ paths }) => {
        heard.push(paths);
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

  test('text can be typed and saved without the worker that parses flows', async () => {
    const documents: DocumentService = {
      check: () => Promise.reject(new Error('dead')),
      change: () => Promise.reject(new Error('dead')),
      changeCatalogue: () => Promise.reject(new Error('dead')),
      extract: () => Promise.reject(new Error('dead')),
      compare: () => Promise.reject(new Error('dead')),
      locate: () => Promise.reject(new Error('dead')),
      merge: () => Promise.reject(new Error('dead')),
      mergeVersions: () => Promise.reject(new Error('dead')),
      takeTypes: () => undefined,
    };
    const world = await openWindow(undefined, undefined, { documents });
    const { edits } = world.stores;
    expect(await edits.change(path, { do: 'rename', id: 'a', to: 'b' })).toBe(false);
    edits.type(path, [{ start: 0, end: 0, text: '# New\n' }]);
    expect(await edits.save(path)).toBe(true);
    expect(world.disk.get(path)).toBe(`# New\n${text}`);
    const titles = world.stores.notices.getState().list.map(({ title }) => title);
    expect(titles).toEqual([`Couldn't check ${path}`, "Couldn't change the flow"]);
  });
});
