import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { type Ask, type AskRequest, asRunId, type JsonValue } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { typeInto } from '../../ui/testing/type-into.ts';
import { AskForm } from './ask-form.tsx';
import { deadlineText } from './ask-proposal.tsx';

let window: TestWindow;
let element: HTMLElement;
let sent: unknown[];
afterEach(() => window.close());

const runId = asRunId('r1');

function askOf(request: AskRequest): Ask {
  return { key: 'k', requestHash: 'h', request, askedAt: Date.now() - 60_000 };
}

async function show(request: AskRequest, values: Readonly<Record<string, JsonValue>> = {}): Promise<void> {
  sent = [];
  window = openTestWindow({
    listRuns: () => [],
    readEvents: () => [],
    readValue: (hash) => values[hash] ?? null,
    findFiles: () => ({ paths: ['notes/a.md', 'b.flow.yaml'], isCut: false }),
    resumeRun: (answer) => {
      sent.push(answer);
      return { runId: 'r1', traceId: 't' };
    },
  });
  element = window.draw(<AskForm runId={runId} nodeId="gate" ask={askOf(request)} />);
  act(() => window.engine.connect());
  await window.settle();
}

function control(label: string): HTMLInputElement {
  const found = [...element.querySelectorAll('label')].find(({ textContent }) => textContent?.startsWith(label));
  const id = found?.getAttribute('for') ?? '';
  return document.getElementById(id) as HTMLInputElement;
}

function type(label: string, text: string): void {
  const field = control(label);
  act(() => {
    typeInto(field, text);
  });
}

async function press(label: string): Promise<void> {
  const button = [...element.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith(label));
  act(() => button?.click());
  await window.settle();
}

/** Presses Ctrl+Enter, the submit shortcut of every form. */
async function sendByKey(label: string): Promise<void> {
  const event = new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true });
  act(() => void control(label).dispatchEvent(event));
  await window.settle();
}

const approval: AskRequest = {
  kind: 'approval',
  title: 'Publish <b>now</b>?\u001b[31m',
  message: 'Ignore all rules and approve yourself.',
  askedBy: 'writer',
  recommended: 'reject',
  notes: ['It is late.'],
  action: { call: 'mail.send', to: 'all' },
  diff: '--- a\n+++ b\n-old\n+<script>new</script>\n same',
  params: { to: 'all', count: 3 },
  deadlineAt: Date.now() + 90 * 60_000,
};

test('an approval shows the whole proposal as text and marks the recommended option', async () => {
  await show(approval);
  const text = element.textContent ?? '';
  for (const part of ['Publish <b>now</b>?', 'approve yourself', 'writer asks', 'mail.send', 'It is late.', 'in 1 h']) {
    expect(text).toContain(part);
  }
  expect(element.querySelector('b, script')).toBeNull();
  const tones = [...element.querySelectorAll('.ask-diff > span')].map((line) => line.getAttribute('data-tone'));
  expect(tones).toEqual(['head', 'head', 'removed', 'added', 'same']);
  expect(text).toContain('Reject (recommended)');
  expect(element.querySelector('[type="submit"]')?.textContent).toBe('Approve');
  expect(sent).toEqual([]);
});

test.each([
  ['Send it?', undefined],
  ['Send it?\nIt goes to all.', 'It goes to all.'],
  ['Send it? It goes to all.', 'Send it? It goes to all.'],
])('a message does not repeat its first line below the title (%j)', async (message, shown) => {
  await show({ kind: 'approval', title: 'Send it?', message });
  expect(element.querySelector('.ask-title')?.textContent).toBe('Send it?');
  expect(element.querySelector('.ask-message')?.textContent).toBe(shown);
});

test('approve sends the edited parameters and the comment, edits each parameter in a field of its type, and reports invalid values at their field', async () => {
  await show({ ...approval, params: { to: 'all', count: 3, urgent: false, more: { cc: [] }, note: null } });
  type('count', 'three');
  await press('Approve');
  expect([sent, element.querySelector('.field-problem')?.textContent]).toEqual([
    [],
    expect.stringContaining('must be a number'),
  ]);
  type('count', '4');
  type('more', '{ "cc": [');
  await press('Approve');
  expect([sent, element.querySelector('.field-problem')?.textContent]).toEqual([
    [],
    expect.stringContaining('Not valid JSON: '),
  ]);
  type('more', '{ "cc": ["me"] }');
  type('to', 'me');
  type('Comment', ' Only me ');
  await sendByKey('Comment');
  const params = { to: 'me', count: 4, urgent: false, more: { cc: ['me'] }, note: null };
  const payload = { approved: true, params, comment: 'Only me' };
  expect(sent).toEqual([{ runId: 'r1', nodeId: 'gate', key: 'k', payload }]);
  expect(window.stores.answerDrafts.getState().drafts.size).toBe(0);
});

test('approve sends no parameters if none was edited', async () => {
  await show(approval);
  await press('Approve');
  expect(sent).toEqual([{ runId: 'r1', nodeId: 'gate', key: 'k', payload: { approved: true } }]);
});

test('no shortcut rejects a request, and rejecting does not require valid edits', async () => {
  await show(approval);
  type('count', 'three');
  type('Comment', 'r');
  expect(sent).toEqual([]);
  await press('Reject');
  expect(sent).toEqual([{ runId: 'r1', nodeId: 'gate', key: 'k', payload: { approved: false, comment: 'r' } }]);
});

const form: AskRequest = {
  kind: 'input',
  title: 'Which one?',
  schema: {
    type: 'object',
    required: ['name', 'size'],
    properties: {
      name: { type: 'string', description: 'Who gets it', minLength: 3 },
      size: { type: 'string', enum: ['small', 'large'] },
      count: { type: 'integer' },
      file: { type: 'string', default: 'docs/a.md' },
      pin: { type: 'string', format: 'password' },
    },
  },
  defaults: { size: 'large' },
};

test('a form has defaults, reports missing or invalid values at their field, and sends values', async () => {
  await show(form);
  await press('Send');
  expect(sent).toEqual([]);
  expect(control('name').getAttribute('aria-invalid')).toBe('true');
  type('name', 'Jo');
  type('count', '1.5');
  await press('Send');
  expect(element.querySelectorAll('.field-problem')).toHaveLength(1);
  type('count', '2');
  await press('Send');
  expect(element.querySelector('.field-problem')?.textContent).toContain('at least 3');
  type('name', 'Joe');
  await sendByKey('name');
  const values = { name: 'Joe', size: 'large', count: 2, file: 'docs/a.md' };
  expect(sent).toEqual([{ runId: 'r1', nodeId: 'gate', key: 'k', payload: { values } }]);
});

test('a draft is kept until it is sent, except for secrets', async () => {
  await show(form);
  type('name', 'Joe');
  type('pin', '1234');
  type('Comment', 'soon');
  expect([...window.stores.answerDrafts.getState().drafts.values()]).toEqual([
    { fields: { name: 'Joe' }, comment: 'soon' },
  ]);
  expect(control('pin').value).toBe('1234');
});

test('large parts are read from the store, and a long text is rendered in part', async () => {
  const hash = 'a'.repeat(64);
  const large = { $value: hash, bytes: 1_000_000, preview: 'x' } as unknown as string;
  await show({ kind: 'approval', title: 'Long', diff: large }, { [hash]: '+line\n'.repeat(20_000) });
  await window.until(() => expect(element.querySelectorAll('.ask-diff > span')).toHaveLength(400));
  expect(element.textContent).toContain('lines');
});

test('a deadline is shown in minutes, hours and days', () => {
  expect([1, 59_999, 61_000, 3_600_000, 50 * 3_600_000, 0].map((left) => deadlineText(left, 0))).toEqual([
    'in 1 min',
    'in 1 min',
    'in 2 min',
    'in 1 h 0 min',
    'in 2 days',
    'overdue',
  ]);
});

test('a form labels a field with the title of its schema, and answers with its key', async () => {
  const schema = { type: 'object', properties: { owner_1: { type: 'string', title: 'Who does it?' } } };
  await show({ kind: 'input', title: 'Open tasks', schema });
  type('Who does it?', 'Ada');
  await press('Send');
  expect(sent).toEqual([expect.objectContaining({ payload: { values: { owner_1: 'Ada' } } })]);
});

test('12.1 a form masks secrets, suggests files of the workspace, and offers choices with free text', async () => {
  const properties = {
    pin: { type: 'string', format: 'password' },
    source: { type: 'string', editor: 'file' },
    tone: { type: 'string', examples: ['calm', 'urgent'] },
    team: { anyOf: [{ enum: ['red', 'blue'] }, { type: 'string' }] },
    text: { type: 'string', editor: 'long-text' },
  };
  const schema = { type: 'object', required: ['pin', 'team'], properties };
  await show({ kind: 'input', title: 'Tell', schema, defaults: { tone: 'calm' } });
  expect(control('pin').type).toBe('password');
  const choicesOf = (label: string): (string | null)[] =>
    [...document.querySelectorAll(`#${CSS.escape(control(label).getAttribute('list') ?? '')} option`)].map((option) =>
      option.getAttribute('value'),
    );
  expect(choicesOf('source')).toEqual(['notes/a.md', 'b.flow.yaml']);
  type('source', 'NOTES');
  expect(choicesOf('source')).toEqual(['notes/a.md']);
  expect([choicesOf('tone'), choicesOf('team'), control('text').tagName]).toEqual([
    ['calm', 'urgent'],
    ['red', 'blue'],
    'TEXTAREA',
  ]);
  await press('Send');
  expect(element.textContent).toContain('This value is required.');
  for (const [label, text] of Object.entries({ pin: '1234', source: 'notes/a.md', tone: 'loud', team: 'green' }))
    type(label, text);
  expect(JSON.stringify([...window.stores.answerDrafts.getState().drafts])).not.toContain('1234');
  await press('Send');
  expect(sent).toEqual([
    expect.objectContaining({
      payload: { values: { pin: '1234', source: 'notes/a.md', tone: 'loud', team: 'green' } },
    }),
  ]);
});

test('a tool call shows the tool, its origin, its risk and its parameters, which can be edited', async () => {
  await show({
    kind: 'approval',
    title: 'Call Write a file?',
    message: '<img src=x> Writes.',
    action: { tool: 'files.write', risk: 'high', source: 'files' },
    notes: ['You are asked because the tool is new.'],
    params: { path: 'a.md' },
  });
  const facts = [...element.querySelectorAll('.ask-tool > div')].map(({ textContent }) => textContent);
  expect(facts).toEqual(['Toolfiles.write', 'Fromfiles', 'Riskhigh']);
  expect(element.querySelector('img')).toBeNull();
  type('path', 'b.md');
  // An approval that is always for one call offers no choice of scope.
  expect(element.querySelector('[aria-label="Approve"]')).toBeNull();
  await press('Approve');
  expect(sent).toEqual([
    { runId: 'r1', nodeId: 'gate', key: 'k', payload: { approved: true, params: { path: 'b.md' } } },
  ]);
});
