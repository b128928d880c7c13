import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { StatusBar, textFormatOf } from './status-bar.tsx';

const text = 'flow: { name: Two }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n';

let window: TestWindow;
afterEach(() => window.close());

async function openBar(path: string, more: Parameters<typeof openTestWindow>[0] = {}): Promise<() => string> {
  window = openTestWindow({
    ...more,
    readFlow: () => ({ text }),
    readFile: () => ({ text, isWritable: true }),
    readGit: () => ({ branch: 'topic', changed: 3 }),
  });
  const info = { version: '', workspace: '/work', theme: 'system' as const, recentWorkspaces: [] };
  window.stores.workspace.getState().setInfo(info);
  window.engine.connect();
  void window.stores.openFiles.getState().open(path, path.endsWith('.md') ? 'file' : 'flow');
  const bar = window.draw(<StatusBar />);
  await window.settle();
  return () => [...bar.querySelectorAll('.status-item')].map(({ textContent }) => textContent).join(' | ');
}

test('shows branch, problems and size of a flow, and whether it is saved', async () => {
  const words = await openBar('a.flow.yaml');
  expect(words()).toContain('topic | 3 changed | 00 | 1 node, 0 edges | Saved');
  window.stores.edits.type('a.flow.yaml', [{ start: 0, end: 0, text: '# ' }]);
  await window.settle();
  expect(words()).toMatch(/Unsaved, backed up at \d{1,2}:\d{2}:\d{2}/);
});

test('shows the cursor position and the format of a text', async () => {
  const words = await openBar('notes.md');
  expect(words()).toContain('UTF-8 | LF | Saved');
  act(() => window.stores.cursors.getState().put('notes.md', { line: 3, column: 7 }));
  await window.settle();
  expect(words()).toContain('Ln 3, Col 7 | UTF-8 | LF | Saved');
});

test('shows that a newer version is available, unless that version failed here before', async () => {
  const words = await openBar('a.flow.yaml');
  const release = { version: '1.2.0', date: '', size: 1, notes: '', hasFailed: false };
  const known = {
    version: '1.1.0',
    never: null,
    isAutomatic: true,
    channel: 'stable',
    lockedBy: null,
    checkedAt: null,
  };
  const tell = (step: object) => window.tellFromMain('updates.changed', { ...known, step });
  tell({ name: 'newest', note: null });
  expect(words()).not.toContain('Millrace');
  tell({ name: 'found', release: { ...release, hasFailed: true }, manual: null });
  expect(words()).not.toContain('Millrace');
  tell({ name: 'found', release, manual: null });
  expect(words()).toContain('Millrace 1.2.0 is available');
  tell({ name: 'ready', release, wayBack: null });
  expect(words()).toContain('Millrace 1.2.0 is downloaded');
  const mark = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('1.2.0'));
  act(() => mark?.click());
  expect(window.stores.preferences.getState().tab).toBe('updates');
});

test('13.7 shows how many proposals are pending, when they change', async () => {
  const one = { file: 'a.flow.yaml', title: 'x', by: 'y', at: 1, baseHash: '' };
  const proposals = [{ ...one, id: '1', status: 'rejected' as 'rejected' | 'pending' }];
  const words = await openBar('a.flow.yaml', { listProposals: () => ({ proposals, problems: [] }) });
  expect(words()).not.toContain('proposal');
  proposals.push({ ...one, id: '2', status: 'pending' });
  window.engine.push('watchProposals', undefined);
  await window.settle();
  expect(words()).toContain('1 proposal |');
});

test('shows what prevents a flow from running after a pause in typing', async () => {
  await openBar('a.flow.yaml');
  const words = (): string => document.querySelector('.status-refusal')?.textContent ?? 'nothing';
  expect(words()).toBe('');
  const start = text.indexOf('echo');
  window.stores.typedLines.type('a.flow.yaml', 3);
  window.stores.edits.type('a.flow.yaml', [{ start, end: start + 4, text: 'ecko' }]);
  await window.settle();
  expect(words()).toBe('');
  act(() => window.stores.typedLines.stay('a.flow.yaml', 1));
  await window.settle();
  expect(words()).toBe('1 error prevents this flow from running');
});

test.each([
  ['', 'utf8', 'LF'],
  ['a\nb\n', 'utf8', 'LF'],
  ['\ufeffa\r\nb\r\n', 'utf8WithBom', 'CRLF'],
  ['a\rb', 'utf8', 'CR'],
  ['a\r\nb\n', 'utf8', 'mixed'],
])('shows the encoding and line endings of %j', (text, encoding, lineEnds) => {
  expect(textFormatOf(text)).toEqual({ encoding, lineEnds });
});

test('shows that triggers run in the background, or that they cannot', async () => {
  const words = await openBar('a.flow.yaml');
  const known = { isOn: true, service: 'running', address: null, published: 0, workspaces: [], problem: null };
  window.tellFromMain('background.changed', { ...known, isOn: false, service: 'off' });
  expect(words()).not.toContain('background');
  window.tellFromMain('background.changed', known);
  expect(words()).toContain('Keeps running in the background');
  expect(words()).not.toContain('Published');
  window.tellFromMain('background.changed', { ...known, address: 'http://127.0.0.1:7420', published: 1 });
  expect(words()).toContain('Published on 127.0.0.1:7420 | Keeps running in the background');
  window.tellFromMain('background.changed', { ...known, service: 'waiting' });
  expect(words()).toContain('Triggers are not running');
});

test('counts the triggers that are on and those to confirm, and shows the next one', async () => {
  const doc = { id: 'daily', schedule: { every: '1h' } };
  const dueAt = Date.now() + 60_000;
  const trigger = { flow: 'a.flow.yaml', trigger: 'daily', doc, hash: 'h', state: 'on', dueAt } as const;
  const words = await openBar('a.flow.yaml', {
    listTriggers: () => [
      trigger,
      { ...trigger, trigger: 'later', dueAt: dueAt + 1 },
      { ...trigger, trigger: 'other', state: 'changed' },
      { ...trigger, trigger: 'off', state: 'off' },
      { ...trigger, trigger: 'broken', problem: 'no' },
    ],
  });
  await window.until(() => expect(words()).toContain('2 triggers on | 1 trigger to confirm | next: daily, '));
  const confirm = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('confirm'));
  act(() => confirm?.click());
  await window.settle();
  expect([...(window.stores.selection.getState().views.get('a.flow.yaml')?.chosen.triggers ?? [])]).toEqual(['other']);
});
