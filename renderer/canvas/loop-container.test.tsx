import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeComplete, nodeStart } from '../bridge/testing/run-events.ts';
import { openCanvas, type TestCanvas } from './testing/test-canvas.tsx';

const text = `flow: { name: loops }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2, 3, 4], as: note, body: [say, tell], maxParallel: 2 } }
  - { id: say, type: echo, input: { text: "{{note}}" } }
  - { id: tell, type: echo, input: { text: "{{say.text}}" } }
  - { id: none, type: control.foreach, input: { items: [1], body: [] } }
edges:
  - { from: say, to: tell }
`;

let canvas: TestCanvas;

beforeEach(async () => {
  canvas = await openCanvas(text);
});
afterEach(() => canvas.close());

function frame(id: string): HTMLElement {
  return canvas.find(`[data-frame="${id}"]`);
}

/** Returns the width of a part of the progress line, in percent. */
function share(part: string): number {
  return Number.parseFloat(frame('each').querySelector<HTMLElement>(`.loop-frame-${part}`)?.style.width ?? '');
}

test('a loop is drawn as the header of a container of the same width, and shows what it iterates over', () => {
  const header = canvas.find<HTMLElement>('[data-card="each"]');
  expect(header.textContent).toBe('eacheach note, 2 at a time');
  expect(canvas.find('[data-card="none"]').textContent).toContain('each item');
  const node = header.closest<HTMLElement>('.react-flow__node');
  const { left, top, width, height } = frame('each').style;
  expect(node?.style.transform).toBe(`translate(${left},${top})`);
  expect(node?.style.width).toBe(width);
  expect(node?.style.height).toBe('40px');
  expect(Number.parseFloat(height)).toBeGreaterThan(200);
});

test('the selection ring of a loop is around its container', async () => {
  await canvas.choose({ nodes: ['each'] });
  expect([frame('each').dataset['selected'], frame('none').dataset['selected']]).toEqual(['true', 'false']);
});

test('the first node of an empty body is added at its placeholder', async () => {
  await act(async () => frame('none').querySelector('button')?.click());
  await canvas.pick('control.noop');
  expect(canvas.newLines(text)).toContainEqual(expect.stringContaining('id: none'));
  expect(canvas.text()).toContain('body: [noop]');
  expect(frame('none').querySelector('button')).toBeNull();
});

test('a loop is copied and cut with its body', async () => {
  await canvas.choose({ nodes: ['each'] });
  await canvas.run('edit.duplicate');
  expect(canvas.text()).toContain('body: [say_2, tell_2]');
  expect(canvas.text()).toContain('"{{say_2.text}}"');
  expect(canvas.newLines(text)).toContainEqual(expect.stringContaining('{ from: say_2, to: tell_2 }'));
  expect(canvas.text()).toContain('body: [say, tell]');
  await canvas.choose({ nodes: ['each'] });
  await canvas.run('edit.cut');
  expect(canvas.text()).not.toMatch(/\bsay\b|\btell\b|\beach\b/);
  await canvas.run('edit.paste');
  expect(canvas.text()).toContain('body: [say, tell]');
});

test('a copied body that is before its loop in the file is added only to the copy', async () => {
  canvas.close();
  canvas = await openCanvas(`flow: { name: loops }
nodes:
  - { id: say, type: echo, input: { text: "{{note}}" } }
  - { id: each, type: control.foreach, input: { items: [1], as: note, body: [say] } }
edges: []
`);
  await canvas.choose({ nodes: ['each'] });
  await canvas.run('edit.duplicate');
  expect(canvas.text()).toContain('body: [say]');
  expect(canvas.text()).toContain('body: [say_2]');
});

test('during a run the border shows the state, and the line below the header shows progress', async () => {
  expect(frame('each').querySelector('.loop-frame-rule')).not.toBeNull();
  await canvas.window.tellRun(
    canvas.path,
    { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' },
    { type: 'node:input', nodeId: 'each', input: { items: [1, 2, 3, 4] } },
    ...['each[0].say', 'each[0].tell'].flatMap((place) => [nodeStart(place), nodeComplete(place)]),
    nodeStart('each[1].say'),
    nodeStart('each[2].say'),
  );
  expect(frame('each').dataset['state']).toBe('running');
  expect([share('done'), share('work')]).toEqual([25, 50]);
  expect(canvas.find('[data-card="each"]').textContent).toContain('1 of 4');
  expect(canvas.find('[data-card="each"]').getAttribute('aria-label')).toContain('1 of 4');
});

test('containers are hidden when the group of their loop is folded', async () => {
  canvas.close();
  canvas = await openCanvas(`${text}layout: { groups: { group: { title: All, nodes: [each] } } }\n`);
  expect(canvas.host.querySelectorAll('.loop-frame')).toHaveLength(2);
  await act(async () => canvas.find<HTMLElement>('.group-fold').click());
  expect([...canvas.host.querySelectorAll<HTMLElement>('.loop-frame')].map(({ dataset }) => dataset['frame'])).toEqual([
    'none',
  ]);
});
