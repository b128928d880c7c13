import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import {
  changes,
  choose,
  element,
  field,
  key,
  leave,
  openChoices,
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

test('a condition is built from rows, and an incomplete one is not written to the file', async () => {
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

test('a node is renamed everywhere, and an invalid id shows why and is not written', async () => {
  await show('ask');
  type('ID', 'after');
  await leave('ID');
  expect(element.textContent).toContain('A node "after" already exists.');
  key('ID', 'Escape');
  expect(field('ID').value).toBe('ask');
  type('ID', 'question');
  key('ID', 'Enter');
  await window.settle();
  expect(changes().come).toEqual([
    '- id: question # who',
    'when: { equals: { var: question.text, value: "yes" } }',
    '- { from: question, to: after }',
  ]);
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('question');
});

test('the focus stays in the id field during a rename', async () => {
  await show('ask');
  const before = field('ID');
  type('ID', 'question');
  key('ID', 'Enter');
  await window.settle();
  expect(field('ID')).toBe(before);
  expect(document.activeElement).toBe(before);
  expect(before.value).toBe('question');
});

test('durations are entered in any unit and written in milliseconds', async () => {
  await show('after');
  await choose('Unit of timeout', 's');
  type('Timeout', '1.5');
  await leave('Timeout');
  expect(changes().come.join(' ')).toContain('timeoutMs: 1500');
  await choose('Unit of timeout', 'h');
  type('Timeout', '2');
  await leave('Timeout');
  expect(changes().come.join(' ')).toContain('timeoutMs: 7200000');
  type('Pause', '250');
  await leave('Pause');
  expect(changes().come.join(' ')).toContain('backoffMs: 250');
});

test('a node is named and disabled in its header', async () => {
  await show('ask');
  await press('Name the node');
  act(() => put(field('Name of the node'), 'Question'));
  key('Name of the node', 'Enter');
  await window.settle();
  expect(changes().come).toEqual(['name: Question']);
  await press('Enabled');
  expect(changes().come).toEqual(['name: Question', 'disabled: true']);
});

test('a section that was unfolded stays unfolded for the next node', async () => {
  await show('ask');
  const fold = (): HTMLButtonElement | undefined =>
    [...element.querySelectorAll<HTMLButtonElement>('.inspector-fold')].find(
      ({ textContent }) => textContent === 'Policy',
    );
  expect(fold()?.getAttribute('aria-expanded')).toBe('false');
  act(() => fold()?.click());
  act(() => window.stores.selection.getState().selectNode(path, 'after'));
  expect(fold()?.getAttribute('aria-expanded')).toBe('true');
  act(() => fold()?.click());
});

test('a value written by another window while the field is edited is shown beside it, and the user chooses', async () => {
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

test('the policy is written only if it differs from the default', async () => {
  await show('after');
  type('Attempts', '3');
  await leave('Attempts');
  expect(changes().come.join(' ')).toMatch(/policy:.*maxAttempts: 3/);
  type('Attempts', '');
  await leave('Attempts');
  expect(changes()).toEqual({ gone: [], come: [] });
});

test('edges, notes and the flow itself have forms, and several selected elements are counted', async () => {
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

test('the flow of an earlier run shows its values and explains why they cannot be changed', async () => {
  await show('ask', { isOldVersion: true });
  expect(field('Prompt').disabled).toBe(true);
  expect(element.textContent).toContain('This is the flow as an earlier run used it.');
});

test('the YAML tab shows the lines of a node as they are in the file', async () => {
  await show('ask');
  const tab = [...element.querySelectorAll<HTMLElement>('[role="tab"]')].find((one) => one.textContent === 'YAML');
  act(() => tab?.focus());
  await window.settle();
  expect(element.querySelector('.inspector-yaml')?.textContent).toContain('- id: ask # who\n    type: prompt');
});

test('a loop adds nodes to its body from a list, which explains why some cannot be added', async () => {
  const text = `flow: { name: F }
nodes:
  - { id: each, type: control.foreach, input: { items: [1], body: [inner] } }
  - { id: inner, type: echo, input: { text: a } }
  - { id: other, type: control.foreach, input: { items: [1], body: [theirs] } }
  - { id: theirs, type: echo, input: { text: b } }
  - { id: free, name: Not yet in a loop, type: echo, input: { text: c } }
edges: []
`;
  await show('each', {}, { readFlow: () => ({ text, isWritable: true }) });
  const offered = openChoices('Add to body').map((one) => [
    one.textContent,
    one.getAttribute('aria-disabled') === 'true',
  ]);
  expect(offered).toEqual([
    ['other', false],
    ['theirsAlready in the loop other.', true],
    ['freeNot yet in a loop', false],
  ]);
  key('Add to body', 'Escape');
  await choose('Add to body', 'free');
  expect(changes().come.join()).toContain('body: [inner, free]');
});

describe('names available in the fields of a loop and in the settings of lists and templates', () => {
  const loops = `flow: { name: F }
nodes:
  - { id: people, type: constant, input: { value: [{ name: Ada, age: 3 }] } }
  - { id: each, type: control.foreach, input: { items: "{{people.value}}", as: person, body: [greet] } }
  - { id: greet, type: echo, input: { text: hi } }
  - { id: names, type: list.map, input: { items: "{{people.value}}" }, config: { template: x } }
  - { id: old, type: list.filter, input: { items: "{{people.value}}" }, config: { when: { exists: item } } }
  - { id: page, type: template, input: { people: "{{people.value}}" }, config: { template: x } }
edges: [{ from: people, to: each }, { from: people, to: names }, { from: people, to: old }, { from: people, to: page }]
`;
  const offeredFor = async (node: string, name: string, text: string): Promise<string[]> => {
    await show(node, {}, { readFlow: () => ({ text: loops, isWritable: true }) });
    type(name, text);
    await window.settle();
    return [...element.querySelectorAll('.suggestion-text')].map((one) => one.textContent ?? '');
  };

  test('a node in a loop can use the fields of its item', async () => {
    expect((await offeredFor('greet', 'Text', '{{pers')).slice(0, 3)).toEqual(['person.name', 'person.age', 'person']);
  });

  test('a template of a list can use the item, but nothing of the flow', async () => {
    expect(await offeredFor('names', 'Template', '{{')).toEqual(['item', 'item.name', 'item.age', 'loop.index']);
  });

  test('a condition of a list can use the item', async () => {
    await show('old', {}, { readFlow: () => ({ text: loops, isWritable: true }) });
    act(() => field('Path').click());
    const offered = [...element.querySelectorAll('.suggestion-text')].map((one) => one.textContent);
    expect(offered).toEqual(['item', 'item.name', 'item.age', 'loop.index']);
  });

  test('a Handlebars template can use the input of its node, level by level', async () => {
    expect(await offeredFor('page', 'Template', '{{')).toEqual(['people']);
    window.close();
    expect(await offeredFor('page', 'Template', '{{#')).toEqual(['#each people', '#if people']);
    window.close();
    expect(await offeredFor('page', 'Template', '{{#each people}}{{n')).toContain('name');
  });
});
