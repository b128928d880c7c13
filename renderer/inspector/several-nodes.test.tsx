import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { parseFlow } from '../../engine/isomorphic.ts';
import { choose, element, field, leave, path, press, show, type, window } from './testing/test-inspector.tsx';

afterEach(() => window.close());

const text = `flow: { name: F }
nodes:
  - { id: a, type: prompt, input: { prompt: One }, config: { temperature: 0.3 }, policy: { timeoutMs: 5000 } }
  - { id: b, type: prompt, input: { prompt: Two }, config: { temperature: 0.3 }, policy: { retry: { maxAttempts: 3, backoffMs: 100 } } }
  - { id: c, type: echo, input: { text: x }, description: Says x, disabled: true }
edges: []
`;

/** Shows the inspector with these nodes selected. */
async function select(...nodes: string[]): Promise<void> {
  await show(null, {}, { readFlow: () => ({ text, isWritable: true }) });
  act(() => window.stores.selection.getState().choose(path, { nodes }));
  await window.settle();
}

async function write(label: string, value: string): Promise<void> {
  type(label, value);
  await leave(label);
}

async function step(what: 'undo' | 'redo'): Promise<void> {
  act(() => window.stores.edits[what](path));
  await window.settle();
}

const textNow = (): string => window.stores.openFiles.getState().files.get(path)?.text ?? '';
const nodeNow = (id: string) => parseFlow(textNow()).doc?.nodes.find((node) => node.id === id);
const shownOf = (label: string) => [field(label).value, field(label).placeholder];
const headings = () => [...element.querySelectorAll('h3')].map(({ textContent }) => textContent);

test('several selected nodes are counted by type, with the fields they have in common', async () => {
  await select('a', 'b', 'c');
  expect(element.textContent).toContain('3 nodes selected');
  expect(element.textContent).toContain('2 prompt, 1 echo');
  expect(headings()).toEqual(['Nodes', 'Policy']);
  expect(element.textContent).not.toContain('Temperature');
});

test('nodes of one type share the fields of the type', async () => {
  await select('a', 'b');
  expect(field('Temperature').value).toBe('0.3');
  expect(shownOf('Prompt')).toEqual(['', 'different values']);
});

test('a slider, which has no room for a placeholder, shows beside its label that the values differ', async () => {
  await select('a', 'b');
  await act(() =>
    window.stores.edits.change(path, { do: 'set-node', id: 'b', path: ['config', 'temperature'], value: 1 }),
  );
  await window.settle();
  expect(shownOf('Temperature')).toEqual(['', '–']);
  expect(element.querySelector('.form-mixed')?.textContent).toBe('different values');
});

test('a value that differs is marked, an equal one is shown, and a missing one shows its default', async () => {
  await select('a', 'b', 'c');
  expect(shownOf('Timeout')).toEqual(['', 'different values']);
  expect(shownOf('Attempts')).toEqual(['', 'different values']);
  expect(shownOf('Name')).toEqual(['', '']);
  expect(element.querySelector('[aria-label="Enabled"], .select-text')?.textContent).toBe('different values');
});

test('a value is written to all nodes, in one undo step', async () => {
  await select('a', 'b', 'c');
  await write('Timeout', '9');
  const times = () => ['a', 'b', 'c'].map((id) => nodeNow(id)?.policy?.timeoutMs);
  expect(times()).toEqual([9, 9, 9]);
  expect(window.stores.openFiles.getState().files.get(path)?.undoLabel).toBe('Set timeout of 3 nodes');
  await step('undo');
  expect([textNow(), shownOf('Timeout')]).toEqual([text, ['', 'different values']]);
  await step('redo');
  expect([times(), field('Timeout').value]).toEqual([[9, 9, 9], '9']);
  expect(element.textContent).toContain('3 nodes selected');
});

test.each([
  { label: 'Description', value: 'Both', of: (id: string) => nodeNow(id)?.description, written: 'Both' },
  { label: 'Name', value: 'N', of: (id: string) => nodeNow(id)?.name, written: 'N' },
  { label: 'Attempts', value: '4', of: (id: string) => nodeNow(id)?.policy?.retry?.maxAttempts, written: 4 },
  { label: 'Pause', value: '7', of: (id: string) => nodeNow(id)?.policy?.retry?.backoffMs, written: 7 },
  { label: 'Temperature', value: '1.5', of: (id: string) => nodeNow(id)?.config?.['temperature'], written: 1.5 },
  { label: 'Prompt', value: 'Three', of: (id: string) => nodeNow(id)?.input['prompt'], written: 'Three' },
])('$label is written to both nodes and removed by one undo', async ({ label, value, of, written }) => {
  await select('a', 'b');
  await write(label, value);
  expect([of('a'), of('b')]).toEqual([written, written]);
  await step('undo');
  expect(textNow()).toBe(text);
});

test('a pause for nodes with a single attempt adds the attempts that the file needs', async () => {
  await select('a', 'b');
  await write('Pause', '7');
  expect([nodeNow('a')?.policy?.retry, nodeNow('b')?.policy?.retry]).toEqual([
    { maxAttempts: 1, backoffMs: 7 },
    { maxAttempts: 3, backoffMs: 7 },
  ]);
});

test('choices are written to all nodes, and a reset removes the value from all', async () => {
  await select('a', 'c');
  await choose('Enabled', 'no, disabled');
  await choose('Continue when one of them fails', 'yes, the run continues');
  expect(['a', 'c'].map((id) => [nodeNow(id)?.disabled, nodeNow(id)?.policy?.continueOnError])).toEqual([
    [true, true],
    [true, true],
  ]);
  await choose('Enabled', 'yes');
  await write('Timeout', '9');
  await press('Restore default of Timeout');
  expect(['a', 'c'].map((id) => [nodeNow(id)?.disabled, nodeNow(id)?.policy?.timeoutMs])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('an invalid number is written to none of them', async () => {
  await select('a', 'b');
  await write('Timeout', 'soon');
  expect([textNow(), element.textContent?.includes('is not a number')]).toEqual([text, true]);
});

test('an undo that removes one of the nodes keeps the form of the others with their count', async () => {
  await select('a', 'b');
  await act(() => window.stores.edits.change(path, { do: 'add', nodes: [{ id: 'd', type: 'echo', input: {} }] }));
  act(() => window.stores.selection.getState().choose(path, { nodes: ['a', 'b', 'd'] }));
  await window.settle();
  expect(element.textContent).toContain('3 nodes selected');
  await step('undo');
  expect(element.textContent).toContain('2 nodes selected');
  expect(field('Temperature').value).toBe('0.3');
});

test('other selected elements are counted too, and the values are still those of the nodes', async () => {
  await select('a', 'b');
  await act(() => window.stores.edits.change(path, { do: 'connect', edges: [{ from: 'a', to: 'b' }] }));
  act(() => window.stores.selection.getState().choose(path, { nodes: ['a', 'b'], edges: ['a->b'] }));
  await window.settle();
  expect(element.textContent).toContain('2 nodes, 1 edge selected');
});

test('the version of an earlier run shows the values and explains why they cannot be changed', async () => {
  await show(null, { isOldVersion: true }, { readFlow: () => ({ text, isWritable: true }) });
  act(() => window.stores.selection.getState().choose(path, { nodes: ['a', 'b'] }));
  await window.settle();
  expect(field('Timeout').disabled).toBe(true);
  expect(element.textContent).toContain('This is the flow as an earlier run used it.');
});
