import { afterEach, expect, test, vi } from 'vitest';
import { closeWindows, type FileWindow, file, openWindow, path } from '../testing/file-window.ts';
import { chooseDifference, chooseDifferenceOf, chooseDifferenceOfTrigger, decideByKey } from './choose-difference.ts';
import type { Review } from './review.ts';
import { marksOf } from './review-marks.ts';

const before = `flow: { name: Mail }
nodes:
  - { id: read, type: echo, input: { text: mail } }
  - { id: draft, type: prompt, input: { prompt: hi }, config: { temperature: 0.7 } }
  - { id: log, type: echo, input: { text: hi } }
edges: []
`;
const after = before
  .replace('prompt: hi', 'prompt: hello')
  .replace('0.7', '0.2')
  .replace('  - { id: log, type: echo, input: { text: hi } }\n', '');

afterEach(closeWindows);

async function open(): Promise<FileWindow> {
  const world = await openWindow(undefined, new Map([[path, after]]));
  const request = { path, before, after, source: 'disk', title: '', taken: 'all' } as const;
  expect(await world.stores.reviews.getState().openReview(request)).toBe(true);
  return world;
}

function review({ stores }: FileWindow): Review | undefined {
  return stores.reviews.getState().reviews.get(path);
}

/** Returns the selected difference and node. */
function selected(world: FileWindow) {
  const { nodeId, chosen } = world.stores.selection.getState().views.get(path) ?? {};
  return [review(world)?.selected?.split(' ').slice(0, 2).join(' '), nodeId ?? null, [...(chosen?.nodes ?? [])]];
}

const plain = { ctrlKey: false, metaKey: false, altKey: false };

test('keys select differences with their nodes, and decide about the selected one', async () => {
  const world = await open();
  const press = (key: string, more = {}): boolean => decideByKey(world.stores, path, { ...plain, key, ...more });
  expect(press('j')).toBe(true);
  expect(selected(world)).toEqual(['node-changed draft', 'draft', ['draft']]);
  // The text on screen no longer has the node.
  press('J');
  expect(selected(world)).toEqual(['node-removed log', null, []]);
  press('j');
  expect(selected(world)[0]).toBe('node-removed log');
  press('r');
  await vi.waitFor(() => expect(file(world).text).toContain('id: log'), 20_000);
  press('u');
  await vi.waitFor(() => expect(file(world).text).toBe(after), 20_000);
  expect([press('a', { ctrlKey: true }), press('a', { altKey: true }), press('x')]).toEqual([false, false, false]);
  press('Enter', { ctrlKey: true });
  await vi.waitFor(() => expect(review(world)?.decided.size).toBe(3), 20_000);
  expect(press('Escape')).toBe(true);
  expect(review(world)).toBeUndefined();
  expect(press('a')).toBe(false);
});

test('selecting a node selects its difference, and keeps other selected nodes', async () => {
  const world = await open();
  const { selection, reviews } = world.stores;
  chooseDifferenceOf(world.stores, path, 'log');
  expect(selected(world)).toEqual(['node-removed log', null, []]);
  selection.getState().choose(path, { nodes: ['read', 'draft'] }, 'draft');
  expect(selected(world)).toEqual(['node-changed draft', 'draft', ['read', 'draft']]);
  const second = review(world)?.differences[1]?.key ?? null;
  reviews.getState().select(path, second);
  chooseDifferenceOf(world.stores, path, 'draft');
  expect(review(world)?.selected).toBe(second);
  chooseDifferenceOf(world.stores, path, 'log');
  expect(selected(world)).toEqual(['node-removed log', null, []]);
  selection.getState().selectNode(path, 'read');
  expect(selected(world)).toEqual(['node-removed log', 'read', ['read']]);
});

test('a difference of a trigger selects the trigger, and one that the text does not have selects nothing', async () => {
  const daily = '    - { id: daily, schedule: { every: 1d } }\n';
  const withTriggers = (lines: string): string =>
    before.replace('flow: { name: Mail }\n', `flow:\n  name: Mail\n  triggers:\n${lines}`);
  const texts = {
    before: withTriggers(`${daily}    - { id: mail, files: { glob: "*.eml" } }\n`),
    after: withTriggers(daily.replace('1d', '2d')),
  };
  const world = await openWindow(undefined, new Map([[path, texts.after]]));
  const { reviews, selection } = world.stores;
  await reviews.getState().openReview({ path, ...texts, source: 'disk', title: '', taken: 'all' });
  const [changed, removed] = review(world)?.differences ?? [];
  expect([changed?.text, removed?.text]).toEqual(['Changes the trigger daily', 'Removes the trigger mail']);
  const triggers = (): readonly string[] => [...(selection.getState().views.get(path)?.chosen.triggers ?? [])];
  chooseDifference(world.stores, path, changed);
  expect(triggers()).toEqual(['daily']);
  chooseDifference(world.stores, path, removed);
  expect(triggers()).toEqual([]);
  chooseDifferenceOfTrigger(world.stores, path, 'daily');
  expect(review(world)?.selected).toBe(changed?.key);
  const marks = review(world) === undefined ? undefined : marksOf(review(world)!).triggers;
  expect([...(marks ?? [])].map(([id, { kind }]) => [id, kind])).toEqual([
    ['daily', 'changed'],
    ['mail', 'removed'],
  ]);
});
