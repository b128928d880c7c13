import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openCanvas, press, type TestCanvas, write } from '../testing/test-canvas.tsx';

const flowText = `# Two triggers.
flow:
  name: demo
  triggers:
    - { id: daily, schedule: { cron: "0 9 * * *" } } # at nine
    - { id: files, files: { glob: "in/*" } }
nodes:
  - { id: read, type: echo, input: { text: hello } }
  - { id: other, type: echo, input: { text: hello } }
edges: []
layout:
  nodes:
    read: { x: 0, y: 0 }
    other: { x: 0, y: 120 }
  groups:
    g: { title: Both, nodes: [read, other] }
`;

let canvas: TestCanvas;
beforeEach(async () => {
  canvas = await openCanvas(flowText);
  // The layer is loaded with the first trigger.
  await canvas.window.until(() => expect(cards()).toHaveLength(2));
});
afterEach(() => {
  canvas.close();
  vi.restoreAllMocks();
});

function cards(): readonly HTMLElement[] {
  return [...canvas.host.querySelectorAll<HTMLElement>('[data-trigger]')];
}

function chosen(): readonly (readonly string[])[] {
  const { triggers = [], nodes = [] } = canvas.chosen() ?? {};
  return [[...triggers], [...nodes]];
}

async function choose(...triggers: string[]): Promise<void> {
  await act(async () => canvas.window.stores.selection.getState().choose(canvas.path, { triggers }, null));
}

function numbersOf({ style }: HTMLElement): { readonly left: number; readonly top: number; readonly right: number } {
  const [left, top] = [Number.parseFloat(style.left), Number.parseFloat(style.top)];
  return { left, top, right: left + Number.parseFloat(style.width) };
}

test('cards say what triggers wait for, left of everything else, and leave the positions in the file unchanged', () => {
  const [daily, files] = cards();
  expect(daily?.getAttribute('aria-label')).toBe('Trigger daily, schedule. Every day at 09:00, UTC. not saved yet');
  expect(files?.getAttribute('aria-label')).toContain('New and changed files in in/*');
  const boxes = cards().map((card) => numbersOf(card.parentElement!));
  const frame = numbersOf(canvas.find('[data-node-group]'));
  for (const { right } of boxes) expect(right).toBeLessThan(frame.left);
  expect(boxes[1]!.top).toBeGreaterThan(boxes[0]!.top);
  expect(canvas.text()).toBe(flowText);
});

test('arrow keys lead from a trigger to the next one, to a start node and back', async () => {
  await choose('daily');
  await canvas.run('canvas.move-down');
  expect(chosen()).toEqual([['files'], []]);
  await canvas.run('canvas.move-right');
  expect(chosen()).toEqual([[], ['other']]);
  await canvas.run('canvas.move-left');
  expect(chosen()).toEqual([['files'], []]);
  await canvas.run('canvas.move-down');
  expect(chosen()).toEqual([['files'], []]);
  await canvas.run('canvas.move-up');
  expect(chosen()).toEqual([['daily'], []]);
});

test('a click selects a trigger, and Delete removes only its lines, which undo restores', async () => {
  await act(async () => cards()[0]!.click());
  expect(chosen()).toEqual([['daily'], []]);
  await canvas.run('edit.delete');
  expect(canvas.text()).toBe(flowText.replace(/ {4}- \{ id: daily.*\n/, ''));
  expect(canvas.undoLabel()).toBe('Delete 1 trigger');
  await canvas.run('edit.undo');
  expect(canvas.text()).toBe(flowText);
});

test('a new trigger has a free ID, is valid, and is selected', async () => {
  await canvas.run('edit.addTrigger');
  await canvas.run('edit.addTrigger');
  await canvas.window.until(() => expect(cards()).toHaveLength(4));
  expect(cards().map((card) => card.dataset['trigger'])).toEqual(['daily', 'files', 'schedule', 'schedule_2']);
  expect(chosen()).toEqual([['schedule_2'], []]);
  expect(canvas.window.stores.openFiles.getState().files.get(canvas.path)?.diagnostics).toEqual([]);
});

test('Find marks triggers and steps through them, then through nodes', async () => {
  await canvas.run('canvas.find');
  const field = canvas.find<HTMLInputElement>('.find-bar input');
  await write(field, 'l');
  await canvas.window.settle();
  expect(canvas.find('.find-count').textContent).toBe('2 nodes and 2 triggers');
  expect(cards().map((card) => card.parentElement?.dataset['found'])).toEqual(['true', 'true']);
  await press(canvas, field, 'Enter');
  expect(chosen()).toEqual([['daily'], []]);
  await press(canvas, field, 'Enter');
  await press(canvas, field, 'Enter');
  expect(chosen()).toEqual([[], ['read']]);
  await write(field, 'glob');
  expect(canvas.find('.find-count').textContent).toBe('0 nodes');
});

test('a copied trigger is pasted under a free ID, with nodes, as one step', async () => {
  await choose('files');
  await canvas.run('edit.copy');
  expect(await navigator.clipboard.readText()).toBe(
    'flow:\n  triggers:\n    - id: files\n      files:\n        glob: in/*\n',
  );
  await canvas.run('edit.paste');
  expect(chosen()).toEqual([['files_2'], []]);
  expect(canvas.undoLabel()).toBe('Paste files_2');
  await canvas.run('canvas.selectAll');
  await canvas.run('edit.duplicate');
  expect(chosen()).toEqual([
    ['daily_2', 'files_3', 'files_4'],
    ['read_2', 'other_2'],
  ]);
  expect(canvas.window.stores.openFiles.getState().files.get(canvas.path)?.diagnostics).toEqual([]);
  await canvas.run('edit.undo');
  await canvas.run('edit.undo');
  expect(canvas.text()).toBe(flowText);
});

test('cutting a trigger removes it, and it can be pasted again', async () => {
  await choose('daily');
  await canvas.run('edit.cut');
  expect(canvas.text()).not.toContain('daily');
  await canvas.run('edit.paste');
  expect(canvas.text()).toContain('id: daily');
});

test('the minimap has triggers too', async () => {
  const boxes: number[] = [];
  const ignore = (): void => {};
  const context = new Proxy(
    { rect: (x: number) => boxes.push(x), roundRect: (x: number) => boxes.push(x) },
    { get: (known, name) => known[name as keyof typeof known] ?? ignore, set: () => true },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as unknown as null);
  await canvas.run('canvas.minimap');
  await canvas.window.until(() => expect(boxes.length).toBeGreaterThanOrEqual(4));
  // Two triggers at the left margin of the map, and two cards to their right.
  expect(boxes.slice(0, 4).map((x) => x > 40)).toEqual([false, false, true, true]);
});

test('a trigger of triggers.yaml has a card on its flow of steps, with a switch and a way to its file', async () => {
  canvas.close();
  const doc = { id: 'nightly', schedule: { cron: '0 3 * * *' } };
  const entry = { flow: canvas.path, trigger: 'nightly', doc, file: 'triggers.yaml', hash: 'h', state: 'on' } as const;
  const steps = 'flow: { name: Steps }\nsteps:\n  - { id: read, type: echo, input: { text: hello } }\n';
  const off: unknown[] = [];
  canvas = await openCanvas(steps, {
    listTriggers: () => [entry],
    switchTriggers: (request: unknown) => {
      off.push(request);
      return [];
    },
  });
  await canvas.window.until(() => expect(cards()).toHaveLength(1));
  expect(cards()[0]?.getAttribute('aria-label')).toContain('Every day at 03:00');
  // Files with steps have no room for triggers, so none can be added here.
  expect(canvas.host.querySelector('.trigger-add')).toBeNull();
  await act(async () => canvas.find('[role="switch"]').click());
  expect(off).toEqual([{ flow: canvas.path, trigger: 'nightly', isOn: false }]);
  await canvas.run('canvas.selectAll');
  expect(chosen()[0]).toEqual([]);
  await act(async () => canvas.find('.trigger-card-confirm').click());
  await canvas.window.settle();
  const { activePath, files } = canvas.window.stores.openFiles.getState();
  // It is a list, and not a flow.
  expect([activePath, files.get('triggers.yaml')?.kind]).toEqual(['triggers.yaml', 'file']);
});

test('a review marks changed triggers, and draws those that the text on screen does not have', async () => {
  const after = flowText
    .replace('0 9 * * *', '0 8 * * *')
    .replace('    - { id: files, files: { glob: "in/*" } }', '    - { id: hook, webhook: { path: a } }');
  const { reviews } = canvas.window.stores;
  const request = {
    path: canvas.path,
    before: flowText,
    after,
    source: 'proposal',
    title: 'x',
    taken: 'none',
  } as const;
  await act(async () => void (await reviews.getState().openReview(request)));
  await canvas.window.settle();
  const marks = (): (string | undefined)[][] =>
    [...canvas.host.querySelectorAll<HTMLElement>('.trigger-review')].map((one) => [
      one.querySelector<HTMLElement>('[data-trigger]')?.dataset['trigger'],
      one.querySelector<HTMLElement>('.card-review')?.dataset['mark'],
    ]);
  expect(marks()).toEqual([
    ['daily', 'changed'],
    ['files', 'removed'],
    ['hook', 'added'],
  ]);
  // A trigger that is only drawn cannot be switched on or selected.
  const hook = canvas.find('.trigger-card[data-ghost="true"]');
  expect(hook.querySelector<HTMLButtonElement>('[role="switch"]')?.disabled).toBe(true);
  await act(async () => hook.querySelector<HTMLElement>('[data-trigger]')?.click());
  expect(chosen()).toEqual([[], []]);
  expect(reviews.getState().reviews.get(canvas.path)?.selected).toContain('hook');
  await act(async () => void (await reviews.getState().acceptAll(canvas.path)));
  await canvas.window.until(() => expect(cards().map((card) => card.dataset['trigger'])).toEqual(['daily', 'hook']));
});

test('a trigger that was not listed yet is locked, without a notice, if it turns out to need trust', async () => {
  canvas.close();
  const doc = { id: 'daily', schedule: { cron: '0 9 * * *' } };
  const entry = {
    flow: canvas.path,
    trigger: 'daily',
    doc,
    hash: 'h',
    state: 'off',
    problem: 'x',
    needsTrust: true,
  } as const;
  let isListed = false;
  canvas = await openCanvas(flowText, { listTriggers: () => (isListed ? [entry] : []) });
  await canvas.window.until(() => expect(cards()).toHaveLength(2));
  isListed = true;
  const daily = canvas.find<HTMLButtonElement>('[role="switch"][aria-label="Trigger daily is on"]');
  await act(async () => daily.click());
  await canvas.window.until(() => expect(daily.disabled).toBe(true));
  expect(canvas.window.stores.notices.getState().list.filter(({ title }) => title.includes('daily'))).toEqual([]);
  await act(async () => canvas.find('.trigger-card-confirm').click());
  expect(canvas.window.stores.preferences.getState().tab).toBe('trust');
});
