import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeWindows, type FileWindow, file, openWindow, path } from '../testing/file-window.ts';
import { type Review, verdictOf } from './review.ts';

const before = `# Greets
flow: { name: Greeting }
nodes:
  - id: draft   # the text
    type: prompt
    input: { prompt: "Answer in a friendly tone." }
    config: { temperature: 0.7 }
  - id: send
    type: echo
    input: { text: "{{draft.text}}" }
  - id: log
    type: echo
    input: { text: hi }
edges:
  - { from: draft, to: send }
  - { from: draft, to: log }
`;
const after = before
  .replace('0.7', '0.2')
  .replace('friendly tone', 'plain tone')
  .replace('  - id: log\n    type: echo\n    input: { text: hi }\n', '')
  .replace('  - { from: draft, to: log }\n', '');

afterEach(closeWindows);

async function open(taken: 'all' | 'none'): Promise<FileWindow> {
  const world = await openWindow(undefined, new Map([[path, taken === 'all' ? after : before]]));
  const { reviews } = world.stores;
  const title = 'Plain answers';
  const source = taken === 'all' ? 'disk' : 'proposal';
  expect(await reviews.getState().openReview({ path, before, after, source, title, taken })).toBe(true);
  return world;
}

function review({ stores }: FileWindow): Review {
  const found = stores.reviews.getState().reviews.get(path);
  if (found === undefined) throw new Error('There is no review');
  return found;
}

function keyOf(world: FileWindow, part: string): string {
  const found = review(world).differences.find(({ key }) => key.includes(part));
  if (found === undefined) throw new Error(`No difference ${part}`);
  return found.key;
}

/** Waits until the review is about the text on screen. */
async function followed(world: FileWindow): Promise<void> {
  await vi.waitFor(() => {
    expect(review(world).text).toBe(file(world).text);
    expect(review(world).isBehind).toBe(false);
  }, 20_000);
}

describe('the review of a proposal', () => {
  test('13.7 changes nothing before the person accepts something, and saves nothing', async () => {
    const world = await open('none');
    expect(review(world).differences.length).toBe(3);
    expect(file(world)).toMatchObject({ text: before, isDirty: false });
    await world.stores.reviews.getState().accept(path, [keyOf(world, 'temperature')]);
    expect(file(world)).toMatchObject({ text: before.replace('0.7', '0.2'), isDirty: true });
    expect(world.disk.get(path)).toBe(before);
  });

  test('13.7 accepts one difference or all, each in one undo step that takes the decision back', async () => {
    const world = await open('none');
    const { reviews, edits } = world.stores;
    await reviews.getState().accept(path, [keyOf(world, 'temperature')]);
    await reviews.getState().acceptAll(path);
    expect(file(world).text).toBe(after);
    expect(review(world).decided.size).toBe(3);
    edits.undo(path);
    await followed(world);
    expect([...review(world).taken]).toEqual([keyOf(world, 'temperature')]);
    edits.undo(path);
    await followed(world);
    expect([file(world).text, review(world).decided.size]).toEqual([before, 0]);
    edits.redo(path);
    await followed(world);
    expect(review(world).decided.size).toBe(1);
  });

  test('remembers what was rejected, and accepts only the rest', async () => {
    const world = await open('none');
    const { reviews } = world.stores;
    await reviews.getState().reject(path, [keyOf(world, 'log')]);
    expect(file(world).text).toBe(before);
    await reviews.getState().acceptAll(path);
    expect(file(world).text).toContain('id: log');
    expect(file(world).text).toContain('plain tone');
    await reviews.getState().reset(path, [keyOf(world, 'log')]);
    expect(verdictOf(review(world), keyOf(world, 'log'))).toBe('open');
    expect(verdictOf(review(world), keyOf(world, 'temperature'))).toBe('accepted');
  });

  test('stays open when the person edits the text, with the edit in both texts', async () => {
    const world = await open('none');
    const { reviews, edits } = world.stores;
    await reviews.getState().accept(path, [keyOf(world, 'temperature')]);
    await edits.change(path, { do: 'set-node', id: 'send', path: ['name'], value: 'Send it' });
    await followed(world);
    expect(review(world).differences.length).toBe(3);
    await reviews.getState().acceptAll(path);
    expect(file(world).text).toContain('Send it');
    expect(file(world).text).toContain('plain tone');
    edits.undo(path);
    edits.undo(path);
    await followed(world);
    expect(review(world).texts.before).toBe(before);
  });

  test('keeps all decisions if the person edits another value of a changed line', async () => {
    const oneLine = '  - { id: draft, type: prompt, input: { prompt: Answer }, config: { temperature: 0.7 } }';
    const before = `flow: { name: A }\nnodes:\n${oneLine}\n  - { id: log, type: echo, input: { text: hi } }\nedges: []\n`;
    const after = before.replace('0.7', '0.2').replace('text: hi', 'text: bye');
    const world = await openWindow(undefined, new Map([[path, before]]));
    const { reviews, edits } = world.stores;
    await reviews.getState().openReview({ path, before, after, source: 'proposal', title: '', taken: 'none' });
    await reviews.getState().accept(path, [keyOf(world, 'log')]);
    await edits.change(path, { do: 'set-node', id: 'draft', path: ['input', 'prompt'], value: 'Reply' });
    await followed(world);
    expect(review(world).differences.length).toBe(2);
    expect(verdictOf(review(world), keyOf(world, 'log'))).toBe('accepted');
    await reviews.getState().acceptAll(path);
    expect(file(world).text).toBe(after.replace('Answer', 'Reply'));
  });

  test('waits while the text is not a valid flow, and goes on afterwards', async () => {
    const world = await open('none');
    const { reviews, edits, notices } = world.stores;
    edits.type(path, [{ start: 0, end: 0, text: '[' }]);
    await vi.waitFor(() => expect(review(world).isBehind).toBe(true), 20_000);
    await reviews.getState().acceptAll(path);
    expect(file(world).text).toBe(`[${before}`);
    expect(notices.getState().list).toMatchObject([{ title: "Couldn't apply the decision" }]);
    edits.type(path, [{ start: 0, end: 1, text: '' }]);
    await followed(world);
    await reviews.getState().acceptAll(path);
    expect(file(world).text).toBe(after);
  });

  test('leaves the text alone if both texts are equal or one is not a flow', async () => {
    const world = await openWindow(undefined, new Map([[path, before]]));
    const { reviews, notices } = world.stores;
    const about = { path, source: 'proposal', title: '', taken: 'none' } as const;
    expect(await reviews.getState().openReview({ ...about, before, after: before })).toBe(false);
    expect(await reviews.getState().openReview({ ...about, before, after: 'no flow: [' })).toBe(false);
    expect(notices.getState().list).toHaveLength(2);
    expect(file(world).text).toBe(before);
  });
});

describe('a file that another program changed', () => {
  async function changed(): Promise<FileWindow> {
    const world = await openWindow(undefined, new Map([[path, before]]));
    world.disk.set(path, before.replace('0.7', '0.2'));
    await world.stores.openFiles.getState().reload([path]);
    world.disk.set(path, after);
    await world.stores.openFiles.getState().reload([path]);
    await vi.waitFor(() => expect(world.stores.reviews.getState().offers.get(path)?.count).toBe(3), 20_000);
    return world;
  }

  test('13.7 is loaded, and offered with all its changes since the person last looked', async () => {
    const world = await changed();
    expect(file(world)).toMatchObject({ text: after, isDirty: false });
    world.stores.reviews.getState().end(path);
    expect(world.stores.reviews.getState().offers.size).toBe(0);
    world.disk.set(path, before);
    await world.stores.openFiles.getState().reload([path]);
    await vi.waitFor(() => {
      expect(world.stores.reviews.getState().offers.get(path)?.texts).toEqual({ before: after, after: before });
    }, 20_000);
  });

  test('13.7 keeps the disk until the person saves: rejecting is an edit that can be undone', async () => {
    const world = await changed();
    const { reviews, edits } = world.stores;
    expect(await reviews.getState().openOffer(path)).toBe(true);
    expect(reviews.getState().offers.size).toBe(0);
    await reviews.getState().reject(path, [keyOf(world, 'log')]);
    expect(file(world).text).toContain('id: log');
    expect(world.disk.get(path)).toBe(after);
    await reviews.getState().rejectAll(path);
    expect(file(world).text).toBe(before);
    edits.undo(path);
    edits.undo(path);
    await followed(world);
    expect([file(world).text, file(world).isDirty, review(world).taken.size]).toEqual([after, false, 3]);
  });

  test('13.7 is reviewed from the start when the other program goes on', async () => {
    const world = await changed();
    await world.stores.reviews.getState().openOffer(path);
    world.disk.set(path, after.replace('plain tone', 'rude tone').replace('Greeting', 'Rude'));
    await world.stores.openFiles.getState().reload([path]);
    await vi.waitFor(() => expect(review(world).differences.length).toBe(4), 20_000);
    expect(review(world)).toMatchObject({ texts: { before }, source: 'disk' });
  });

  test('is not offered with unsaved edits, which the person is asked about', async () => {
    const world = await openWindow(undefined, new Map([[path, before]]));
    await world.stores.edits.change(path, { do: 'rename', id: 'send', to: 'post' });
    world.disk.set(path, after);
    await world.stores.openFiles.getState().reload([path]);
    expect(file(world)).toMatchObject({ conflict: { diskText: after }, outside: null });
  });
});
