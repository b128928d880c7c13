import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Inspector } from '../../inspector/inspector.tsx';
import { useOpenFile } from '../../stores/use-flow.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { PasteRequestDialog } from './paste-request-dialog.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: One }
nodes:
  - { id: a, type: http.request, input: { url: "https://a.example" } }
edges: []
`;
const token = 'sk-0123456789abcdef';
const command = `curl https://api.acme.com/v1 -k -H 'Authorization: Bearer ${token}' --json '{"a":1}'`;

let window: TestWindow;
let clipboard: string;
let kept: { readonly name: string; readonly value: string }[];
let answer: { isDone: boolean; keptIn: 'vault' | 'file' };

function Shown() {
  const flow = useOpenFile(path);
  return flow === undefined ? null : <Inspector flow={flow} />;
}

beforeEach(async () => {
  clipboard = command;
  kept = [];
  answer = { isDone: true, keptIn: 'vault' };
  vi.stubGlobal('navigator', { ...navigator, clipboard: { readText: async () => clipboard } });
  window = openTestWindow(
    { readFlow: () => ({ text, isWritable: true }), listSecrets: () => [] },
    {
      'secrets.set': (request) => {
        kept.push(request);
        return answer;
      },
    },
  );
  window.engine.connect();
  window.draw(
    <>
      <button type="button" id="elsewhere" />
      <Shown />
      <PasteRequestDialog />
    </>,
  );
  void window.stores.openFiles.getState().open(path);
  await window.settle();
});
afterEach(() => {
  window.close();
  vi.unstubAllGlobals();
});

async function paste(): Promise<void> {
  const event = new KeyboardEvent('keydown', { key: 'v', ctrlKey: true, bubbles: true, cancelable: true });
  act(() => void document.querySelector('#elsewhere')?.dispatchEvent(event));
  await window.settle();
}

const dialog = () => document.querySelector('[role="dialog"]');

async function press(label: string): Promise<void> {
  const button = [...(dialog()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === label);
  if (button === undefined) throw new Error(`No button ${label}`);
  act(() => button.click());
  await window.settle();
}

function type(selector: string, value: string): void {
  const field = dialog()?.querySelector<HTMLInputElement>(selector);
  if (field === null || field === undefined) throw new Error(`No field ${selector}`);
  act(() => {
    typeInto(field, value);
  });
}

const file = () => window.stores.openFiles.getState().files.get(path);
const nodes = () => file()?.doc?.nodes ?? [];
const request = { url: 'https://api.acme.com/v1', method: 'POST', body: { a: 1 } };

test('a pasted command becomes a request, and its token is sent only to main', async () => {
  await paste();
  expect(dialog()?.textContent).toContain('header Authorization');
  expect(dialog()?.textContent).toContain('Certificates are always checked');
  expect(document.body.innerHTML).not.toContain(token);
  expect(nodes()).toHaveLength(1);
  type('input', 'MY_TOKEN');
  await press('Save and add');
  expect(kept).toEqual([{ name: 'MY_TOKEN', value: token }]);
  expect(dialog()).toBeNull();
  expect(nodes()[1]).toMatchObject({
    type: 'http.request',
    input: { ...request, headers: { Authorization: 'Bearer {{secret.MY_TOKEN}}' } },
  });
  expect(JSON.stringify([file(), window.stores.pastedRequests.getState(), document.body.innerHTML])).not.toContain(
    token,
  );
});

test('names the secrets without storing anything if their values are not saved', async () => {
  await paste();
  await press('Add without values');
  expect(kept).toEqual([]);
  expect(nodes()[1]?.input['headers']).toMatchObject({ Authorization: 'Bearer {{secret.ACME_TOKEN}}' });
});

test('reports a secret that could not be saved, and adds nothing', async () => {
  answer = { isDone: false, keptIn: 'vault' };
  await paste();
  await press('Save and add');
  expect(dialog()?.querySelector('[role="alert"]')?.textContent).toContain('you did not allow it');
  expect(nodes()).toHaveLength(1);
  await press('Cancel');
  expect([dialog(), window.stores.pastedRequests.getState().pending]).toEqual([null, null]);
});

test('requires a valid and unique secret name for each value', async () => {
  clipboard = `${command} -H 'X-Api-Key: other-key-1234'`;
  await paste();
  type('input', 'small');
  await press('Save and add');
  expect(dialog()?.querySelector('[role="alert"]')?.textContent).toContain('capital letters');
  type('input', 'ACME_API_KEY');
  await press('Save and add');
  expect(dialog()?.querySelector('[role="alert"]')?.textContent).toContain('the same name');
  expect(kept).toEqual([]);
});

test('asks for a value that the command does not contain', async () => {
  clipboard = 'curl https://api.acme.com -H "Authorization: Bearer $ACME_KEY"';
  await paste();
  type('input[type="password"]', 'typed-value');
  await press('Save and add');
  expect(kept).toEqual([{ name: 'ACME_KEY', value: 'typed-value' }]);
});

test('adds a command without secrets at once, and reports what was left out', async () => {
  clipboard = 'curl -k https://a.example/x';
  await paste();
  expect(dialog()).toBeNull();
  expect(nodes()[1]?.input).toEqual({ url: 'https://a.example/x', method: 'GET' });
  const told = window.stores.notices.getState().list.map(({ detail }) => detail);
  expect(told.join()).toContain('Certificates are always checked');
});

test('a command pasted into a URL field replaces the request and never enters the field', async () => {
  act(() => window.stores.selection.getState().selectNode(path, 'a'));
  await window.settle();
  const field = [...document.querySelectorAll('textarea')].find(({ value }) => value === 'https://a.example');
  const pasteInto = (words: string): boolean => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => words } });
    act(() => void field?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  expect(pasteInto('https://b.example')).toBe(false);
  expect(pasteInto(command)).toBe(true);
  await window.settle();
  await press('Save and add');
  expect(nodes()).toHaveLength(1);
  const [node] = nodes();
  expect(node?.input).toEqual({
    ...request,
    headers: {
      Authorization: 'Bearer {{secret.ACME_TOKEN}}',
      'Content-Type': 'application/json',
      Accept: 'application/json',
    },
  });
  expect(file()?.text).not.toContain(token);
});
