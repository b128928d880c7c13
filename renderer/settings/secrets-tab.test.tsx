import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { SecretRow } from '../stores/window/secrets.ts';
import { typeInto } from '../ui/testing/type-into.ts';
import { SecretsTab } from './secrets-tab.tsx';

const path = 'call.flow.yaml';

let window: TestWindow;
let rows: SecretRow[];
let asked: unknown[];
/** The user's response in system dialogs. */
let isAllowed: boolean;
/** The errors of the first attempts to start a run, in order. After those, it starts. */
let refusals: EngineError[];
let starts: number;
/** The secrets found in flows. */
let found: {
  path: string;
  matches: { line: number; column: number; length: number; text: string; start: number; end: number }[];
}[];
let panel: HTMLElement;

const match = { line: 1, column: 1, length: 1, start: 0, end: 1 };
const foundIn = ({ path: file, text }: { path: string; text: string }): (typeof found)[number] => ({
  path: file,
  matches: [{ ...match, text }],
});

async function open(): Promise<void> {
  asked = [];
  isAllowed = true;
  refusals = [];
  starts = 0;
  found = [];
  window = openTestWindow(
    {
      listSecrets: () => rows,
      readFlow: () => ({ text: 'flow: { name: A }\nnodes: []\nedges: []\n' }),
      readNotices: () => [],
      searchFiles: ({ unsaved }) => ({
        files: [...found, ...unsaved.map(foundIn)],
        end: 'all',
        slowPath: null,
        tooLarge: 0,
        isCut: false,
      }),
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
        if (isAllowed) rows = rows.filter((row) => row.name !== name);
        return { isDone: isAllowed };
      },
      'secrets.forgetHost': ({ name, host }) => {
        rows = rows.map((row) =>
          row.name === name ? { ...row, hosts: row.hosts.filter((one) => one !== host) } : row,
        );
      },
      'secrets.readEnv': ({ text }) => {
        asked.push({ read: text });
        return { names: ['A', 'NEW_TOKEN'], others: ['lower'] };
      },
      'secrets.setEnv': (wish) => {
        asked.push(wish);
        return { isDone: isAllowed, keptIn: 'vault' };
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
  act(() => {
    typeInto(input, text);
  });
}

test('BB-15 lists the names of secrets, their source and where they may be sent, but no values', async () => {
  rows = [
    { name: 'A', source: 'environment', hosts: [] },
    { name: 'B', source: 'file', hosts: ['*.example.com'] },
    { name: 'C', source: 'vault', hosts: [] },
  ];
  await open();
  found = [
    { path: 'a.flow.yaml', matches: [{ ...match, text: 'url: "{{secret.A}}"' }] },
    { path: 'b.flow.yaml', matches: [{ ...match, text: 'a: "{{ secret.A }}{{?secret.B}}"' }] },
    { path: 'c.aip', matches: [{ ...match, text: `local key = aip.secret("A") .. aip.secret 'A'` }] },
  ];
  await draw();
  expect(list()).toEqual([
    'Afrom the environmentno host allowed yetused by a.flow.yaml, b.flow.yaml, c.aip',
    'Bin .millrace/.envcan be sent to *.example.comused by b.flow.yaml',
    "Cin the system's vaultno host allowed yetno flow here uses it",
  ]);
  // Variables of the environment cannot be changed here.
  expect([...panel.querySelectorAll('li')].map((row) => row.querySelectorAll('button').length)).toEqual([0, 3, 2]);
  await press('No longer send B to *.example.com');
  expect(list()[1]).toContain('no host allowed yet');
});

test('saves a new secret, and clears its value at once', async () => {
  rows = [];
  await open();
  await draw();
  expect(panel.textContent).toContain('No secrets yet.');
  type('Name', 'api-token');
  type('Value', 'the value');
  await press('Save secret');
  expect(panel.querySelector('[role="alert"]')?.textContent).toContain('capital letters');
  type('Name', 'API_TOKEN');
  await press('Save secret');
  expect(asked).toEqual([{ name: 'API_TOKEN', value: 'the value' }]);
  expect(field('Value').value).toBe('');
  expect(field('Value').type).toBe('password');
  expect(list()).toEqual(["API_TOKENin the system's vaultno host allowed yetno flow here uses it"]);
  isAllowed = false;
  await press('Remove API_TOKEN');
  expect(list()[0]).toContain('Nothing was changed: you did not allow it.');
  isAllowed = true;
  await press('Remove API_TOKEN');
  expect(list()).toEqual([]);
});

test('reports that nothing changed if the user did not allow it, and keeps the typed values', async () => {
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

test('BB-11 a run with missing secrets opens the settings for each of them, one after the other', async () => {
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
  // The element that the dialog focuses when it opens.
  expect(panel.querySelector('[data-first-focus]')).toBe(field('Value'));
  type('Value', 'first');
  await press('Save secret');
  expect(panel.querySelector('[role="status"]')?.textContent).toBe('The flow needs TWO.');
  expect(field('Name').value).toBe('TWO');
  expect(document.activeElement).toBe(field('Value'));
});

test('BB-15 finds the secrets of a flow that is not saved yet', async () => {
  rows = [{ name: 'A', source: 'vault', hosts: [] }];
  await open();
  await window.stores.openFiles.getState().open(path);
  act(() => window.stores.edits.type(path, [{ start: 0, end: 0, text: '# {{secret.A}}\n' }]));
  await draw();
  expect(list()).toEqual([`Ain the system's vaultno host allowed yetused by ${path}`]);
});

test('BB-16 asks about a flow without permission to use its secrets, and starts it', async () => {
  rows = [];
  await open();
  await window.stores.openFiles.getState().open(path);
  const details = { path: 'a.flow.yaml', names: ['ONE'], definitionHash: 'a'.repeat(64) };
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

test('BB-15 imports a whole .env by its names, and its values are in no field and not on the page', async () => {
  rows = [{ name: 'A', source: 'vault', hosts: [] }];
  await open();
  await draw();
  const text = "export NEW_TOKEN='the new value'\nA=other\nlower=x\n# A=no\n";
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { getData: () => text } });
  act(() => void panel.querySelector('textarea')?.dispatchEvent(event));
  await window.settle();
  expect(event.defaultPrevented).toBe(true);
  const names = [...panel.querySelectorAll('.secret-env-names label')].map(({ textContent }) => textContent);
  expect(names).toEqual(['Areplaces the saved secret', 'NEW_TOKEN']);
  expect(panel.textContent).toContain('other than capital letters, digits and _: lower');
  const shown =
    panel.innerHTML + [...panel.querySelectorAll('textarea, input')].map((one) => Reflect.get(one, 'value'));
  expect(shown).not.toContain('the new value');
  act(() => panel.querySelector<HTMLInputElement>('.secret-env-names input')?.click());
  await press('Save 1 secret');
  expect(asked).toEqual([{ read: text }, { text, names: ['NEW_TOKEN'] }]);
  expect(panel.querySelector('.secret-env-names')).toBeNull();
});
