/** Merges of a flow: conflicts that Git has left in its text, and unsaved edits with the changes of another program. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeWindows, type FileWindow, file, openWindow, path } from '../testing/file-window.ts';
import { type Review, verdictOf } from './review.ts';

const base = `# Greets
flow: { name: Greeting }
nodes:
  - { id: draft, type: prompt, input: { prompt: Answer }, config: { temperature: 0.7 } }   # the text
  - { id: send, type: echo, input: { text: "{{draft.text}}" } }
edges:
  - { from: draft, to: send }
`;
const [, , , draftLine = '', sendLine = ''] = base.split('\n');
const mineLine = draftLine.replace('0.7', '0.1').replace('Answer', 'Reply');
const theirsLine = draftLine.replace('0.7', '0.2');
const theirSend = sendLine.replace('draft.text', 'draft.output');
/** Git merges the line of `send` by itself. */
const conflicted = base
  .replace(draftLine, `<<<<<<< HEAD\n${mineLine}\n=======\n${theirsLine}\n>>>>>>> feature/cold`)
  .replace(sendLine, theirSend);
const mine = base.replace(draftLine, mineLine).replace(sendLine, theirSend);
const theirs = mine.replace('0.1', '0.2');

afterEach(closeWindows);

function review({ stores }: FileWindow): Review | undefined {
  return stores.reviews.getState().reviews.get(path);
}

function keysOf(world: FileWindow): readonly string[] {
  return review(world)?.differences.map(({ key }) => key) ?? [];
}

async function openConflicted(mergeBase?: string, text = conflicted): Promise<FileWindow> {
  const disk = new Map([[path, text]]);
  return openWindow(undefined, disk, mergeBase === undefined ? {} : { mergeBase });
}

describe('conflicts that Git has left in a flow', () => {
  test.each([
    ['the index of Git', base, conflicted],
    ['the markers', undefined, conflicted.replace('=======', `||||||| 1234567\n${draftLine}\n=======`)],
  ])('13.7 are reduced to what both sides changed, with the common text of %s', async (_, mergeBase, text) => {
    const world = await openConflicted(mergeBase, text);
    expect(await world.stores.reviews.getState().resolve(path)).toBe('conflicts');
    expect(review(world)).toMatchObject({ source: 'merge', title: 'Yours: HEAD, theirs: feature/cold' });
    expect(keysOf(world)).toEqual(['node-changed draft ["config","temperature"]']);
    expect(file(world)).toMatchObject({ text: mine, openConflicts: 1, isDirty: true });
    await world.stores.reviews.getState().accept(path, keysOf(world));
    expect(file(world)).toMatchObject({ text: theirs, openConflicts: 0 });
  });

  test('13.7 are all asked without a common text', async () => {
    const world = await openConflicted();
    await world.stores.reviews.getState().resolve(path);
    expect(keysOf(world)).toHaveLength(2);
    expect(file(world).text).toBe(mine);
  });

  test('13.7 are resolved in one undo step, whatever is decided in between', async () => {
    const world = await openConflicted();
    const { reviews, edits } = world.stores;
    await reviews.getState().resolve(path);
    const [first = '', second = ''] = keysOf(world);
    await reviews.getState().accept(path, [first]);
    await reviews.getState().accept(path, [second]);
    await reviews.getState().reset(path, [first]);
    await reviews.getState().reject(path, [first]);
    const resolved = file(world).text;
    expect([verdictOf(review(world) as Review, first), file(world).openConflicts]).toEqual(['rejected', 0]);
    edits.undo(path);
    expect(file(world)).toMatchObject({ text: conflicted, undoLabel: null, isDirty: false });
    await vi.waitFor(() => expect(review(world)?.isBehind).toBe(true), 20_000);
    edits.redo(path);
    await vi.waitFor(() => expect(review(world)?.isBehind).toBe(false), 20_000);
    expect([file(world).text, review(world)?.decided.size]).toEqual([resolved, 2]);
  });

  test('13.7 are not saved before each is decided', async () => {
    const world = await openConflicted(base);
    const { reviews, edits, notices } = world.stores;
    await reviews.getState().resolve(path);
    expect(await edits.save(path)).toBe(false);
    expect(world.disk.get(path)).toBe(conflicted);
    expect(notices.getState().list.at(-1)?.title).toBe(`${path} has 1 conflict to resolve`);
    await reviews.getState().rejectAll(path);
    expect(await edits.save(path)).toBe(true);
    expect(world.disk.get(path)).toBe(mine);
  });

  test('come back when the merge is canceled', async () => {
    const world = await openConflicted(base);
    await world.stores.reviews.getState().resolve(path);
    world.stores.reviews.getState().cancelMerge(path);
    expect(file(world)).toMatchObject({ text: conflicted, openConflicts: 0 });
    expect(review(world)).toBeUndefined();
  });

  test('disappear if both sides changed different parts', async () => {
    const text = conflicted.replace(mineLine, draftLine.replace('Answer', 'Reply'));
    const world = await openConflicted(base, text);
    expect(await world.stores.reviews.getState().resolve(path)).toBe('merged');
    expect(file(world).text).toBe(base.replace('Answer', 'Reply').replace('0.7', '0.2').replace(sendLine, theirSend));
    world.stores.edits.undo(path);
    expect(file(world).text).toBe(text);
  });

  test('stay in the text if a side is not a flow', async () => {
    const text = conflicted.replace(mineLine, '  - [');
    const world = await openConflicted(base, text);
    expect(await world.stores.reviews.getState().resolve(path)).toBe('failed');
    expect(file(world)).toMatchObject({ text, isDirty: false, openConflicts: 0 });
    expect(world.stores.notices.getState().list.at(-1)?.title).toBe("Couldn't merge the versions");
  });
});

describe('unsaved edits of a flow that another program changed', () => {
  const edited = base.replace(draftLine, mineLine);
  const changed = base.replace(draftLine, theirsLine).replace(sendLine, theirSend);

  async function openChanged(onDisk = changed): Promise<FileWindow> {
    const world = await openWindow(undefined, new Map([[path, base]]));
    world.stores.edits.replace(path, edited, 'Edit');
    world.disk.set(path, onDisk);
    await world.stores.openFiles.getState().reload([path]);
    expect(file(world).conflict?.diskText).toBe(onDisk);
    return world;
  }

  test('13.7 are merged by parts, and only what both changed is asked', async () => {
    const world = await openChanged();
    const { reviews, edits } = world.stores;
    expect(await reviews.getState().resolve(path)).toBe('conflicts');
    expect(keysOf(world)).toEqual(['node-changed draft ["config","temperature"]']);
    expect(file(world)).toMatchObject({ text: mine, openConflicts: 1 });
    await reviews.getState().accept(path, keysOf(world));
    expect(file(world)).toMatchObject({ text: theirs, openConflicts: 0, conflict: null });
    expect(await edits.save(path)).toBe(true);
    expect(world.disk.get(path)).toBe(theirs);
  });

  test('13.7 conflict again after the merge is undone or canceled', async () => {
    const world = await openChanged();
    const { reviews, edits } = world.stores;
    await reviews.getState().resolve(path);
    await reviews.getState().rejectAll(path);
    expect(file(world).conflict).toBeNull();
    edits.undo(path);
    await vi.waitFor(() => expect(file(world).conflict?.diskText).toBe(changed), 20_000);
    expect([file(world).text, await edits.save(path), world.disk.get(path)]).toEqual([edited, false, changed]);
    edits.redo(path);
    await vi.waitFor(() => expect(file(world).conflict).toBeNull(), 20_000);
    reviews.getState().cancelMerge(path);
    expect(file(world)).toMatchObject({ text: edited, conflict: { diskText: changed } });
  });

  test('13.7 are asked again if the file changes once more', async () => {
    const world = await openChanged();
    const { reviews, openFiles } = world.stores;
    await reviews.getState().resolve(path);
    const again = changed.replace('Greeting', 'Good morning');
    world.disk.set(path, again);
    await openFiles.getState().reload([path]);
    expect(review(world)).toBeUndefined();
    expect(file(world)).toMatchObject({ text: mine, conflict: { diskText: again, baseText: base } });
    await reviews.getState().resolve(path);
    expect(keysOf(world)).toEqual(['node-changed draft ["config","temperature"]']);
    expect(file(world).text).toBe(mine.replace('Greeting', 'Good morning'));
  });

  test('13.7 are merged without questions if both changed different parts', async () => {
    const world = await openChanged(base.replace(sendLine, theirSend));
    expect(await world.stores.reviews.getState().resolve(path)).toBe('merged');
    expect(file(world)).toMatchObject({ text: mine, conflict: null });
  });
});
