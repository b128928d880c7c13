import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { element, field, key, leave, path, press, show, type, window } from './testing/test-inspector.tsx';

afterEach(() => window.close());

const text = `flow: { name: F }
nodes:
  - { id: draft, type: prompt, input: { prompt: Write } }
  - { id: ok, type: human_approval, input: { title: Send it? } }
edges: [{ from: draft, to: ok }]
`;

const list = 'Editable values';
const options = () => [...element.querySelectorAll('[role="option"] .suggestion-text')].map((one) => one.textContent);
const textNow = () => window.stores.openFiles.getState().files.get(path)?.text ?? '';

/** Opens the map of values that a person may edit, and names the first one. */
async function nameFirst(): Promise<void> {
  await show('ok', {}, { readFlow: () => ({ text, isWritable: true }) });
  await press(list);
  expect(document.activeElement).toBe(field(`New name in ${list}`));
  type(`New name in ${list}`, 'text');
  key(`New name in ${list}`, 'Enter');
  await window.settle();
}

test('adding an empty map focuses the name of its first entry', async () => {
  await show('ok', {}, { readFlow: () => ({ text, isWritable: true }) });
  await press(list);
  expect(document.activeElement).toBe(field(`New name in ${list}`));
  key(`New name in ${list}`, 'Escape');
  await window.settle();
  expect(textNow()).toBe(text);
});

test('the value of a new entry suggests the outputs of the previous node before anything is typed', async () => {
  await nameFirst();
  expect(document.activeElement).toBe(field('text'));
  expect(options()[0]).toBe('draft.text');
  key('text', 'ArrowDown');
  key('text', 'Enter');
  expect(field('text').value).toBe('{{draft.text}}');
  await leave('text');
  expect(textNow()).toMatch(/params: \{ text: "?\{\{draft\.text\}\}"? \}/);
});

test.each(['Enter', 'Tab'])('%s in the empty value accepts no suggestion', async (pressed) => {
  await nameFirst();
  key('text', pressed);
  await leave('text');
  expect(field('text').value).toBe('');
});

test('typing in the value closes the list, and braces open it with the first suggestion active', async () => {
  await nameFirst();
  type('text', 'Hello');
  expect(options()).toEqual([]);
  type('text', 'Hello {{');
  expect(options()[0]).toBe('draft.text');
  key('text', 'Enter');
  expect(field('text').value).toBe('Hello {{draft.text}}');
});

test('a map with entries does not open a row for another one', async () => {
  await show(
    'ok',
    {},
    { readFlow: () => ({ text: text.replace('Send it? }', 'Send it?, params: { a: b } }'), isWritable: true }) },
  );
  expect(element.querySelector(`[aria-label="New name in ${list}"]`)).toBeNull();
  act(() => field('a').focus());
  expect(options()).toEqual([]);
});
