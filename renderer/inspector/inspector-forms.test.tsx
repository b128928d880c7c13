import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import {
  changes,
  element,
  field,
  key,
  leave,
  path,
  press,
  put,
  show,
  type,
  window,
} from './testing/test-inspector.tsx';

afterEach(() => {
  window.close();
});

test('a condition is built from rows, and one that is not complete stays out of the file', async () => {
  await show('after');
  await press('Condition');
  expect(changes()).toEqual({ gone: [], come: [] });
  const paths = [...element.querySelectorAll<HTMLInputElement>('[aria-label="Path"]')];
  expect(paths.map(({ value }) => value)).toEqual(['ask.text', '']);
  act(() => {
    paths[1]?.focus();
    put(paths[1] as HTMLInputElement, 'ask.model');
  });
  act(() => paths[1]?.blur());
  await window.settle();
  expect(changes().come.join()).toContain('ask.model');
  expect(changes().come.join()).toContain('and:');
});

test('a node is renamed everywhere; an id that cannot be says why and is left alone', async () => {
  await show('ask');
  type('Id', 'after');
  await leave('Id');
  expect(element.textContent).toContain('There is a node "after" already.');
  key('Id', 'Escape');
  expect(field('Id').value).toBe('ask');
  type('Id', 'question');
  key('Id', 'Enter');
  await window.settle();
  expect(changes().come).toEqual([
    '- id: question # who',
    'when: { equals: { var: question.text, value: "yes" } }',
    '- { from: question, to: after }',
  ]);
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('question');
});

test('the focus stays in the id through a rename', async () => {
  await show('ask');
  const before = field('Id');
  type('Id', 'question');
  key('Id', 'Enter');
  await window.settle();
  expect(field('Id')).toBe(before);
  expect(document.activeElement).toBe(before);
  expect(before.value).toBe('question');
});

test('times are typed in seconds or milliseconds and written in milliseconds', async () => {
  await show('after');
  type('Unit of time-out', 's');
  type('Time-out', '1.5');
  await leave('Time-out');
  expect(changes().come.join(' ')).toContain('timeoutMs: 1500');
  type('Pause', '250');
  await leave('Pause');
  expect(changes().come.join(' ')).toContain('backoffMs: 250');
});

test('a node is named and switched off at its top', async () => {
  await show('ask');
  await press('Name the node');
  act(() => put(field('Name of the node'), 'Question'));
  key('Name of the node', 'Enter');
  await window.settle();
  expect(changes().come).toEqual(['name: Question']);
  await press('Takes part in runs');
  expect(changes().come).toEqual(['name: Question', 'disabled: true']);
});

test('a folded section stays folded for the next node', async () => {
  await show('ask');
  const fold = (): HTMLButtonElement | undefined =>
    [...element.querySelectorAll<HTMLButtonElement>('.inspector-fold')].find(
      ({ textContent }) => textContent === 'Policy',
    );
  act(() => fold()?.click());
  act(() => window.stores.selection.getState().selectNode(path, 'after'));
  expect(fold()?.getAttribute('aria-expanded')).toBe('false');
  act(() => fold()?.click());
});

test('what another window writes into a field that is typed in is shown beside it, and the person chooses', async () => {
  await show('ask');
  type('Prompt', 'Mine');
  await act(async () => {
    await window.stores.edits.change(path, { do: 'set-node', id: 'ask', path: ['input', 'prompt'], value: 'Theirs' });
  });
  await leave('Prompt');
  expect(field('Prompt').value).toBe('Mine');
  expect(element.querySelector('[role="alert"]')?.textContent).toContain('Theirs');
  expect(changes().come).toEqual(['prompt: "Theirs"']);
  await press('Keep mine');
  expect(changes().come).toEqual(['prompt: "Mine"']);
});

test('the policy is written only as far as it says something', async () => {
  await show('after');
  type('Attempts', '3');
  await leave('Attempts');
  expect(changes().come.join(' ')).toMatch(/policy:.*maxAttempts: 3/);
  type('Attempts', '');
  await leave('Attempts');
  expect(changes()).toEqual({ gone: [], come: [] });
});

test('edges, notes and the flow itself have forms, and several things are counted', async () => {
  await show(null);
  type('Name', 'Diary');
  await leave('Name');
  expect(changes().come).toEqual(['name: Diary']);
  act(() => window.stores.selection.getState().choose(path, { notes: ['n'] }));
  type('Text', 'bye');
  await leave('Text');
  expect(changes().come.at(-1)).toContain('text: bye');
  act(() => window.stores.selection.getState().choose(path, { edges: ['ask->after'] }));
  expect(element.textContent).toContain('Fires when');
  await press('Delete the edge');
  expect(changes().gone).toContain('- { from: ask, to: after }');
  act(() => window.stores.selection.getState().choose(path, { nodes: ['ask', 'each'] }));
  expect(element.textContent).toContain('2 nodes selected');
});

test('a model can be chosen by keys, or be any other text', async () => {
  await show('ask');
  act(() => field('Model').focus());
  await window.settle();
  key('Model', 'ArrowDown');
  await window.settle();
  key('Model', 'ArrowDown');
  key('Model', 'Enter');
  expect(field('Model').value).toBe('fast');
  type('Model', 'own::thing');
  await leave('Model');
  expect(changes().come.join()).toContain('own::thing');
});

test('the flow of an earlier run shows its values, and why they cannot be changed', async () => {
  await show('ask', { isOldVersion: true });
  expect(field('Prompt').disabled).toBe(true);
  expect(element.textContent).toContain('This is the flow as an earlier run had it.');
});

test('the lines of a node are shown as they stand', async () => {
  await show('ask');
  const tab = [...element.querySelectorAll<HTMLElement>('[role="tab"]')].find((one) => one.textContent === 'YAML');
  act(() => tab?.focus());
  await window.settle();
  expect(element.querySelector('.inspector-yaml')?.textContent).toContain('- id: ask # who\n    type: prompt');
});
