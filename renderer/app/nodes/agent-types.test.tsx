/** Node types that are not built in: agents, as described by the engine. */
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MissingNodeType, NodeTypeData } from '../../../engine/isomorphic.ts';
import { FlowCanvas } from '../../canvas/flow-canvas.tsx';
import { Inspector } from '../../inspector/inspector.tsx';
import { nodeTypes, typeChoice } from '../../stores/flow/node-types.ts';
import { useOpenFile } from '../../stores/use-flow.ts';
import { flowKnowledge } from '../../text-view/flow-language/flow-language.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: Times }
nodes:
  - { id: words, type: constant, input: { value: hello } }
  - { id: time, type: ./reading-time.aip, input: { text: "{{words.value}}", wordsPerMinute: 0 } }
  - { id: gone, type: acme@tools/gone, input: { keep: [1, 2] } }
  - { id: after, type: constant, input: { value: "{{time.minutes}}" } }
edges: []
`;

const readingTime: NodeTypeData = {
  ...{ type: './reading-time.aip', title: 'Reading time', description: 'Says how long a text takes.' },
  ...{ category: 'text', icon: 'clock', effects: 'external', group: 'This workspace' },
  summary: 'Times {{input.text}}',
  input: {
    type: 'object',
    required: ['text'],
    properties: {
      text: { type: 'string', title: 'The text', description: 'What is read' },
      wordsPerMinute: { type: 'integer', minimum: 1, default: 200 },
    },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { minutes: { type: 'integer', description: 'Whole minutes' } },
    required: ['minutes'],
  },
};
const problem = 'The pack "acme@tools" of the type "acme@tools/gone" is not installed. Install it under Packs.';
const gone: MissingNodeType = { type: 'acme@tools/gone', problem };

let listed: readonly (NodeTypeData | MissingNodeType)[];
let asked: readonly string[][];
let window: TestWindow;
let element: HTMLElement;

function Shown() {
  const flow = useOpenFile(path);
  return flow === undefined ? null : <Inspector flow={flow} />;
}

beforeEach(async () => {
  listed = [readingTime, gone];
  asked = [];
  window = openTestWindow({
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({ text }),
    listNodeTypes: ({ named }) => {
      asked = [...asked, [...named].sort()];
      return listed;
    },
  });
  window.engine.connect();
  await window.settle();
  element = window.draw(
    <>
      <FlowCanvas path={path} />
      <Shown />
    </>,
  );
  await window.until(() => expect(problems()).toHaveLength(2));
});
afterEach(() => window.close());

const problems = () =>
  (window.stores.openFiles.getState().files.get(path)?.diagnostics ?? []).map(({ code, message, nodeId }) => [
    nodeId,
    code,
    message,
  ]);

const card = (id: string): HTMLElement => {
  const found = element.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`);
  if (found === null) throw new Error(`No card ${id}`);
  return found;
};

async function select(id: string): Promise<void> {
  act(() => window.stores.selection.getState().selectNode(path, id));
  await window.settle();
}

test('BB-40 an agent is validated like a built-in type; BB-43 a missing agent explains how to get it', () => {
  expect(asked.at(-1)).toEqual(['./reading-time.aip', 'acme@tools/gone']);
  expect(problems()).toEqual([
    ['time', 'node.bad-input', '"input.wordsPerMinute" must be at least 1.'],
    ['gone', 'node.unknown-type', problem],
  ]);
  expect(card('gone').textContent).toContain(problem);
  expect(window.stores.openFiles.getState().files.get(path)?.text).toBe(text);
});

test('BB-42 builds its card, form and completion from data alone', async () => {
  await act(() =>
    window.stores.edits.change(path, { do: 'set-node', id: 'time', path: ['input', 'wordsPerMinute'], value: 250 }),
  );
  await window.until(() => expect(card('time').textContent).toContain('Times words.value'));
  await select('time');
  const labels = [...element.querySelectorAll('label')].map(({ textContent }) => textContent?.trim());
  expect(labels).toEqual(expect.arrayContaining(['The text', 'Words per minute']));
  const schema = JSON.stringify(flowKnowledge(nodeTypes).schema);
  expect(schema).toContain('"const":"./reading-time.aip","title":"Reading time"');
  expect(schema).toContain('"wordsPerMinute"');
});

test('BB-40 appears in the palette under a separate heading and is added with its defaults', async () => {
  expect(typeChoice('', null).at(-1)).toMatchObject({
    title: 'This workspace',
    types: [{ key: './reading-time.aip' }],
  });
  expect(typeChoice('reading', null)[0]?.types[0]?.title).toBe('Reading time');
  await select('words');
  const add = findCommand('edit.addNode');
  act(() => void (add !== undefined && runCommand(add, window.context)));
  await window.settle();
  act(() => element.querySelector<HTMLElement>('.node-palette-row[data-type="./reading-time.aip"]')?.click());
  await window.until(() =>
    expect(window.stores.openFiles.getState().files.get(path)?.text).toContain(
      '- { id: reading_time, type: ./reading-time.aip, input: { text: "{{words.value}}" } }',
    ),
  );
});

test('BB-43 follows an agent that changes, disappears and returns, and keeps the text of its node', async () => {
  listed = [{ type: readingTime.type, problem: 'reading-time.aip:3: This is broken.' }, gone];
  act(() => window.engine.push('watchFiles', { paths: ['reading-time.aip'], isTree: false }));
  await window.until(() =>
    expect(problems()[0]).toEqual(['time', 'node.unknown-type', 'reading-time.aip:3: This is broken.']),
  );
  expect(card('time').textContent).toContain('This is broken');
  await select('time');
  expect(element.textContent).toContain('Words per minute');
  listed = [{ ...readingTime, title: 'Minutes', input: { type: 'object' } }];
  act(() => window.engine.push('watchFiles', { paths: ['reading-time.aip'], isTree: true }));
  await window.until(() => expect(problems()).toEqual([]));
  expect(nodeTypes.get('./reading-time.aip')?.title).toBe('Minutes');
  expect(window.stores.openFiles.getState().files.get(path)?.text).toBe(text);
});

test('lists all types in a long palette, the first ones immediately', async () => {
  const many = Array.from({ length: 200 }, (_, index) => ({ ...readingTime, type: `./tools/${index}.aip` }));
  listed = [readingTime, gone, ...many];
  act(() => window.engine.push('watchFiles', { paths: [], isTree: true }));
  await window.until(() => expect(nodeTypes.get('./tools/199.aip')).toBeDefined());
  const add = findCommand('edit.addNode');
  act(() => void (add !== undefined && runCommand(add, window.context)));
  await window.until(() =>
    expect(element.querySelectorAll('.node-palette-row')).toHaveLength(
      typeChoice('', null).reduce((sum, { types }) => sum + types.length, 0),
    ),
  );
});

test('a scrolled palette keeps its position when types arrive, and follows the keyboard', async () => {
  const add = findCommand('edit.addNode');
  act(() => void (add !== undefined && runCommand(add, window.context)));
  await window.settle();
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  listed = [readingTime, gone, { ...readingTime, type: './new.aip' }];
  act(() => window.engine.push('watchFiles', { paths: [], isTree: true }));
  await window.until(() => expect(element.querySelector('[data-type="./new.aip"]')).not.toBeNull());
  expect(scrolled).not.toHaveBeenCalled();
  const search = element.querySelector('.node-palette input');
  act(() => void search?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })));
  expect(scrolled.mock.contexts).toEqual([element.querySelector('.node-palette-row[aria-selected="true"]')]);
});

test('requests a type by name after it is typed in the text', async () => {
  await act(() => window.stores.edits.change(path, { do: 'set-node', id: 'after', path: ['type'], value: 'a@b/c' }));
  await window.until(() => expect(asked.at(-1)).toContain('a@b/c'));
});
