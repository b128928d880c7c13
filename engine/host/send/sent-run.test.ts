import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../base/ids.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { packDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createHistory } from '../reads/history.ts';
import { listPrivateValues, saveSentRun } from './list-private.ts';
import { idOfPrivate, type RedactionChoice } from './redaction.ts';

const runId = asRunId('r1');
const sessionId = asSessionId('s');
const known = 'correct horse battery';
const token = 'zT9-qq81-mmZ4';
const key = `sk-${'a1B2'.repeat(6)}`;
const all = [
  known,
  token,
  key,
  'hunter2!',
  'kim@mail.example.org',
  '/home/kimberley',
  'Operation Teapot',
  'u5er1nfo',
  's1gnatur3',
];

let store: RunStore;
let folder: string;
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
  folder = await mkdtemp(join(tmpdir(), 'send-'));
});
afterEach(async () => {
  store.close();
  await rm(folder, { recursive: true });
});

const flowText = `flow: { name: Tea }
# Ask kim@mail.example.org about operation teapot.
nodes:
  - id: fetch
    type: http.request
    input:
      url: https://u5er:u5er1nfo@example.org/a?sig=s1gnatur3&page=2
      headers: { Authorization: "Bearer ${token}" }
      password: hunter2!
      file: /home/kimberley/list.txt
      body: |
        line one
        correct horse battery
  - id: use
    type: http.request
    input: { url: https://example.org, token: "{{ secrets.TOKEN }}" }
`;

function complete(nodeId: string, result: unknown): RunEvent {
  return { type: 'task:complete', taskId: `node:${nodeId}`, nodeId, result, durationMs: 1, attempts: 1 } as RunEvent;
}

/** Records a run with private values in every place and spelling. */
function record(extra: readonly RunEvent[] = []): void {
  const big = store.intern({
    mail: 'kim@mail.example.org',
    nested: store.intern([known, 'y'.repeat(20_000)]),
    pad: 'x'.repeat(20_000),
  });
  const definition = packDefinition({
    text: flowText,
    schemas: new Map([
      ['a.json', { schema: { type: 'string', description: `for ${known}` } }],
      ['flow\nb.flow.yaml', { flow: { path: '/home/kimberley/b.flow.yaml', text: `flow: {}\n# ${key}`, files: [] } }],
    ]),
  });
  store.createRun({
    ...{ runId, sessionId, kind: 'flow', name: 'Tea for kim@mail.example.org', sourcePath: 'tea.flow.yaml' },
    ...{ definition, inputs: {}, queuedAt: 1_000 },
  });
  const events: RunEvent[] = [
    {
      ...{ type: 'run:start', kind: 'flow', name: 'Tea', sourcePath: 'tea.flow.yaml' },
      ...{ definitionHash: contentHash(definition), inputs: { text: `the ${known}`, 'kim@mail.example.org': 1 } },
    },
    {
      type: 'node:input',
      nodeId: 'fetch',
      input: { headers: { Authorization: `Bearer ${token}` }, password: 'hunter2!', pin: 7 },
    },
    complete('fetch', { big, plain: `${token} and ${known}` }),
    complete('encoded', [
      Buffer.from(`the ${known} is here`).toString('base64'),
      encodeURIComponent(`a=${known}`),
      Buffer.from(token).toString('hex'),
      gzipSync(`mail to kim@mail.example.org, and ${known}`).toString('base64'),
      gzipSync(`only ${token} here`).toString('base64'),
      Buffer.from('mail to kim@mail.example.org').toString('base64'),
      JSON.stringify({ inner: JSON.stringify({ password: 'hunter2!', quote: `"${known}"` }) }),
      `${key} OPERATION TEAPOT /home/kimberley/x C:\\Users\\kimberley\\y`,
    ]),
    { type: 'agent:text', content: 'it is correct ho' },
    { type: 'agent:text', content: 'rse batt' },
    { type: 'log', level: 'info', text: 'between' },
    { type: 'agent:text', content: 'ery, mail kim@ma' },
    { type: 'agent:text', content: 'il.example.org' },
    { type: 'model:request', provider: 'a', model: 'b', messagesHash: contentHash('hunter2!') },
    ...extra,
    { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 3 },
  ];
  store.append(
    runId,
    events.map((event, seq): EventEnvelope => ({ seq, at: 1_000, runId, context: { sessionId }, event })),
  );
}

/** Returns everything that a person could find in the bytes: also decoded, unescaped and unpacked. */
function everythingIn(text: string, depth = 0): string {
  if (depth > 3) return '';
  const parts = [
    text,
    unescape(text),
    text.replace(/\\+(["\\/])/g, '$1'),
    text.replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  ];
  for (const [run] of text.matchAll(/[\w+/-]{8,}={0,2}/g)) {
    for (const cut of [0, 1, 2, 3]) {
      const bytes = Buffer.from(run.slice(cut), 'base64');
      parts.push(bytes.toString('latin1'));
      if (bytes[0] === 0x1f && bytes[1] === 0x8b) parts.push(everythingIn(gunzipSync(bytes).toString(), depth + 1));
    }
    parts.push(Buffer.from(run, 'hex').toString('latin1'));
  }
  return parts.join('\n').toLowerCase();
}

async function send(choice: RedactionChoice = { words: ['operation teapot'] }) {
  const file = join(folder, 'sent.json');
  await saveSentRun({ history: createHistory(store), runId, known: [known] }, { ...choice, to: file });
  const text = await readFile(file, 'utf8');
  return { text, sent: JSON.parse(text) };
}

test('no private value reaches the file, in any place or spelling', async () => {
  record();
  const { text, sent } = await send();
  const found = everythingIn(text);
  expect(all.filter((value) => found.includes(value.toLowerCase()))).toEqual([]);
  // The helper finds what an ordinary export contains.
  const before = everythingIn(JSON.stringify([...store.readEvents(runId, -1, 100)]));
  const plain = [known, token, key, 'hunter2!', 'kim@mail.example.org'];
  expect(plain.filter((value) => !before.includes(value.toLowerCase()))).toEqual([]);
  const streamed = sent.events.filter(({ event }: EventEnvelope) => event.type === 'agent:text');
  expect(streamed.map(({ event }: { event: { content: string } }) => event.content).join('')).toBe(
    'it is [secret], mail [email]',
  );
  expect(sent.events.map(({ seq }: EventEnvelope) => seq)).toEqual(
    sent.events.map((_: unknown, index: number) => index),
  );
  expect(sent.events.at(-2).event.messagesHash).not.toBe(contentHash('hunter2!'));
});

test('the flow is still a valid flow, in which references to secrets stay', async () => {
  record();
  const { sent } = await send();
  const { doc } = parseFlow(sent.definition);
  expect(doc?.nodes.map(({ input }) => input)).toMatchObject([
    {
      url: 'https://[secret]@example.org/a?sig=[secret]&page=2',
      password: '[secret]',
      file: '[home]/list.txt',
      body: 'line one\n[secret]\n',
    },
    { token: '{{ secrets.TOKEN }}' },
  ]);
});

test('large values and definitions have the hashes of what the file contains', async () => {
  record();
  const { sent } = await send();
  for (const [hash, value] of Object.entries(sent.values)) expect(contentHash(JSON.stringify(value))).toBe(hash);
  const handle = sent.events[2].event.result.big;
  expect(sent.values[handle.$value]).toMatchObject({ mail: '[email]' });
  expect(sent.values[sent.values[handle.$value].nested.$value][0]).toBe('[secret]');
  const packed = packDefinition({ text: sent.definition, schemas: new Map(sent.files) });
  expect(sent.run.definitionHash).toBe(contentHash(packed));
  expect(sent.events[0].event.definitionHash).toBe(contentHash(packed));
});

test('what a run called is included without private values', async () => {
  const called = packDefinition({
    text: 'flow: { name: Called }\n# kim@mail.example.org\nnodes: []\n',
    schemas: new Map(),
  });
  // Definitions are stored with the runs that have them.
  store.createRun({
    ...{ runId: asRunId('other'), sessionId, kind: 'flow', name: 'Called', sourcePath: 'called.flow.yaml' },
    ...{ definition: called, inputs: {}, queuedAt: 1_000 },
  });
  record([
    {
      ...{ type: 'run:start', kind: 'flow', name: 'Called', sourcePath: 'called.flow.yaml' },
      ...{ definitionHash: contentHash(called), inputs: {}, parentTaskId: 'node:use' },
    },
  ]);
  const { sent } = await send();
  expect(sent.called.map((text: string) => unpackDefinition(text).text)).toEqual([
    'flow: { name: Called }\n# [email]\nnodes: []\n',
  ]);
  expect(sent.events.at(-2).event.definitionHash).toBe(contentHash(sent.called[0]));
});

test('lists what is replaced with its places and counts, and never a value', async () => {
  record();
  const source = { history: createHistory(store), runId, known: [known] };
  const { values: found, bytes } = await listPrivateValues(source, { words: ['operation teapot'] });
  expect(everythingIn(JSON.stringify(found))).not.toMatch(/correct horse|hunter2|kim@mail|kimberley|teapot|s1gnatur3/);
  expect(found.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['known', 'secret', 'key', 'word', 'email', 'home']),
  );
  const mail = found.find(({ kind }) => kind === 'email');
  expect(mail).toMatchObject({ placeCount: 5 });
  expect(mail?.places).toContainEqual({ part: 'node', name: 'encoded' });
  const { text } = await send();
  // The marks have other lengths.
  expect(Math.abs(bytes - Buffer.byteLength(text))).toBeLessThan(bytes / 20);
  expect(text.match(/\[email\]/g)).toHaveLength(mail?.count ?? 0);
});

test('keeps values by id and by kind', async () => {
  record();
  const password = idOfPrivate({ kind: 'secret', value: 'hunter2!' });
  const { text } = await send({ keep: [password, 'email'] });
  const left = ['hunter2!', 'kim@mail.example.org', known, 's1gnatur3'].filter((value) => text.includes(value));
  expect(left).toEqual(['hunter2!', 'kim@mail.example.org']);
});
