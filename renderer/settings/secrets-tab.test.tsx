import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { SecretRow } from '../stores/window/secrets.ts';
import { SecretsTab } from './secrets-tab.tsx';

const path = 'call.flow.yaml';

let window: TestWindow;
let rows: SecretRow[];
let asked: unknown[];
/** What the person says in dialogs of the system. */
let isAllowed: boolean;
/** What the engine says to each start of a run, in order; then it starts. */
let refusals: EngineError[];
let starts: number;
let panel: HTMLElement;

async function open(): Promise<void> {
  asked = [];
  isAllowed = true;
  refusals = [];
  starts = 0;
  window = openTestWindow(
    {
      listSecrets: () => rows,
      readFlow: () => ({ text: 'flow: { name: A }\nnodes: []\nedges: []\n' }),
      readNotices: () => [],
      listRuns: () => [],
      startRun: () => {
        starts++;
        const refusal = refusals.shift();
        if (refusal !== undefined) throw refusal;
        return { runId: 'r1' };
      },
    },
    {
      'secrets.set': ({ name, value }) => {
        asked.push({ name, value });
        if (isAllowed) rows = [...rows, { name, source: 'vault', hosts: [] }];
        return { isDone: isAllowed, keptIn: 'vault' };
      },
      'secrets.remove': ({ name }) => {
        rows = rows.filter((row) => row.name !== name);
      },
      'secrets.allowFlow': (wish) => {
        asked.push(wish);
        return { isDone: isAllowed };
      },
    },
  );
  window.engine.connect();
}
afterEach(() => window.close());

async function draw(): Promise<void> {
  panel = window.draw(<SecretsTab />);
  await window.settle();
}

const list = (): (string | null)[] => [...panel.querySelectorAll('li > div')].map(({ textContent }) => textContent);

async function press(name: string): Promise<void> {
  const all = [...panel.querySelectorAll('button')];
  const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);
  if (found === undefined) throw new Error(`There is no button ${name}`);
  act(() => found.click());
  await window.settle();
}

function field(label: string): HTMLInputElement {
  const found = [...panel.querySelectorAll('label')].find(({ textContent }) => textContent === label);
  return panel.querySelector<HTMLInputElement>(`[id="${found?.htmlFor}"]`) as HTMLInputElement;
}

function type(label: string, text: string): void {
  const input = field(label);
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  act(() => {
    set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

test('BB-15 names secrets, where each comes from and may go; their values are nowhere', async () => {
  rows = [
    { name: 'A', source: 'environment', hosts: [] },
    { name: 'B', source: 'file', hosts: ['*.example.com'] },
    { name: 'C', source: 'vault', hosts: [] },
  ];
  await open();
  await draw();
  expect(list()).toEqual([
    'Afrom the environmentno host allowed yet',
    'Bin .millrace/.envgoes to *.example.com',
    "Cin the system's vaultno host allowed yet",
  ]);
  // What the environment says cannot be changed here.
  expect([...panel.querySelectorAll('li')].map((row) => row.querySelectorAll('button').length)).toEqual([0, 2, 2]);
});

test('keeps a new one, and forgets its value at once', async () => {
  rows = [];
  await open();
  await draw();
  expect(panel.textContent).toContain('There are none yet.');
  type('Name', 'api-token');
  type('Value', 'the value');
  await press('Save secret');
  expect(panel.querySelector('[role="alert"]')?.textContent).toContain('capital letters');
  type('Name', 'API_TOKEN');
  await press('Save secret');
  expect(asked).toEqual([{ name: 'API_TOKEN', value: 'the value' }]);
  expect(field('Value').value).toBe('');
  expect(field('Value').type).toBe('password');
  expect(list()).toEqual(["API_TOKENin the system's vaultno host allowed yet"]);
  await press('Remove API_TOKEN');
  expect(list()).toEqual([]);
});

test('says that nothing was changed when the person did not allow it, and keeps what was typed', async () => {
  rows = [];
  await open();
  isAllowed = false;
  await draw();
  type('Name', 'API_TOKEN');
  type('Value', 'the value');
  await press('Save secret');
  expect(panel.querySelector('[role="alert"]')?.textContent).toBe('Nothing was changed: you did not allow it.');
  expect(field('Value').value).toBe('the value');
});

test('BB-11 a run whose secrets nobody has opens the settings on their names, one after the other', async () => {
  rows = [];
  await open();
  await window.stores.openFiles.getState().open(path);
  refusals = [
    new EngineError({ code: 'secret.missing', message: 'Nobody has them.', details: { names: ['ONE', 'TWO'] } }),
  ];
  await act(() => window.stores.runs.start(path, {}));
  expect(window.stores.preferences.getState().tab).toBe('secrets');
  expect(window.stores.notices.getState().list).toEqual([]);
  await draw();
  expect(panel.querySelector('[role="status"]')?.textContent).toBe('The flow needs ONE, TWO.');
  expect(field('Name').value).toBe('ONE');
  type('Value', 'first');
  await press('Save secret');
  expect(panel.querySelector('[role="status"]')?.textContent).toBe('The flow needs TWO.');
  expect(field('Name').value).toBe('TWO');
  expect(document.activeElement).toBe(field('Value'));
});

test('BB-16 a flow that was not allowed its secrets is asked about, and starts', async () => {
  rows = [];
  await open();
  await window.stores.openFiles.getState().open(path);
  const details = { names: ['ONE'], definitionHash: 'a'.repeat(64) };
  const refusal = new EngineError({ code: 'secret.not-allowed', message: 'Not allowed.', details });
  refusals = [refusal];
  await act(() => window.stores.runs.start(path, {}));
  expect([asked, starts]).toEqual([[details], 2]);
  expect(window.stores.notices.getState().list).toEqual([]);
  isAllowed = false;
  refusals = [refusal];
  await act(() => window.stores.runs.start(path, {}));
  expect(starts).toBe(3);
  expect(window.stores.notices.getState().list).toEqual([expect.objectContaining({ detail: 'Not allowed.' })]);
});
