import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { findCommand, runCommand } from './commands.ts';

const path = 'a.flow.yaml';
const text = `flow: { name: One }
nodes:
  - { id: a, type: echo, input: { text: hi } }
edges: []
`;
const copied = `- id: a
    type: echo
    input: { text: ho }
`;

let window: TestWindow;
let clipboard: string;

beforeEach(async () => {
  clipboard = copied;
  vi.stubGlobal('navigator', { ...navigator, clipboard: { readText: async () => clipboard } });
  window = openTestWindow({ readFlow: () => ({ text }) });
  window.engine.connect();
  window.draw(
    <>
      <input id="field" />
      <button type="button" id="elsewhere" />
    </>,
  );
  void window.stores.openFiles.getState().open(path);
  await window.settle();
});
afterEach(() => {
  window.close();
  vi.unstubAllGlobals();
});

async function paste(selector: string): Promise<boolean> {
  const event = new KeyboardEvent('keydown', { key: 'v', ctrlKey: true, bubbles: true, cancelable: true });
  act(() => void document.querySelector(selector)?.dispatchEvent(event));
  await window.settle();
  return event.defaultPrevented;
}

const ids = () =>
  window.stores.openFiles
    .getState()
    .files.get(path)
    ?.doc?.nodes.map(({ id }) => id);

test('pastes nodes wherever the focus is, even without a canvas on screen, and selects them', async () => {
  expect(await paste('#elsewhere')).toBe(true);
  expect(ids()).toEqual(['a', 'a_2']);
  expect([...(window.stores.selection.getState().views.get(path)?.chosen.nodes ?? [])]).toEqual(['a_2']);
});

test('leaves the keys to a text field that has the focus', async () => {
  expect(await paste('#field')).toBe(false);
  expect(ids()).toEqual(['a']);
});

test('shows a notice if the clipboard holds no nodes', async () => {
  clipboard = 'some words';
  await paste('#elsewhere');
  expect(ids()).toEqual(['a']);
  expect(window.stores.notices.getState().list.map(({ title }) => title)).toContain('Nothing to paste');
});

test('has nothing to paste into without an open flow', () => {
  window.stores.openFiles.getState().close(path);
  const command = findCommand('edit.paste');
  expect(command !== undefined && runCommand(command, window.context)).toBe(false);
});

test('binds a pasted curl command to values of the flow and keeps other braces as text', async () => {
  clipboard = `curl https://a.example -d 'text={{a.text}}&city={{flow.input.city}}'`;
  await paste('#elsewhere');
  const node = window.stores.openFiles
    .getState()
    .files.get(path)
    ?.doc?.nodes.find(({ type }) => type === 'http.request');
  expect(node?.input).toMatchObject({ body: 'text={{a.text}}&city=\\{{flow.input.city}}' });
});
