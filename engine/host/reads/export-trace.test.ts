import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId, asSessionId, type RunId } from '../../base/ids.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { allOf } from '../../testing/all-of.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { newRun, runStart } from '../../testing/run-samples.ts';
import { exportSpans, saveRunAs, saveTrace } from './export-trace.ts';
import { createHistory } from './history.ts';

let store: RunStore;
let folder: string;
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
  folder = await mkdtemp(path.join(tmpdir(), 'millrace-trace-'));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const runId = asRunId('r1');
const definition = `
flow: { name: Refund }
nodes:
  - { id: form, type: user_input, name: Ask why, input: { title: Why?, schema: {} } }
edges: []`;

/** Records a run of a product with these events. */
function record(events: readonly RunEvent[], id: RunId = runId, sourcePath = 'products/shop/flows/refund.yaml'): void {
  store.createRun({ ...newRun(id), definition, sourcePath });
  const envelopes: EventEnvelope[] = events.map((event, seq) => {
    const task = 'nodeId' in event ? { task: { id: `node:${event.nodeId}` } } : {};
    return { seq, at: 1_000 + seq, runId: id, context: { sessionId: asSessionId('s'), ...task }, event };
  });
  store.append(id, envelopes);
}

const large = { text: 'x'.repeat(20_000), mail: 'kim@mail.example.org' };
const schema = { type: 'object', properties: { why: { type: 'string' } } };

function recordForm(formKeys: readonly string[] = ['input']): void {
  const handle = store.intern(large);
  record([
    { ...runStart, inputs: handle } as RunEvent,
    { type: 'task:start', taskId: 'node:form', nodeId: 'form', nodeType: 'user_input' },
    ...formKeys.flatMap((key): RunEvent[] => [
      {
        ...{ type: 'input:requested', nodeId: 'form', key, requestHash: 'h' },
        request: { kind: 'input', title: 'Why?', schema, defaults: {} },
      },
      {
        ...{ type: 'input:received', nodeId: 'form', key, requestHash: 'h', by: 'kim', at: 5 },
        payload: { values: { why: 'late' }, comment: '' },
      },
    ]),
    { type: 'task:complete', taskId: 'node:form', nodeId: 'form', result: handle, durationMs: 1, attempts: 1 },
    { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 6, output: { form: handle } },
  ]);
}

const save = (id: RunId = runId) => saveTrace(createHistory(store), id, folder);
const read = (...parts: string[]): string => readFileSync(path.join(folder, ...parts), 'utf8');
const filesIn = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();

describe('the folder of a run', () => {
  test('contains its inputs, trace, forms and outputs, masked and complete', async () => {
    recordForm();
    expect(await save()).toBe(path.join(folder, 'shop', 'r1'));
    expect(filesIn()).toEqual([
      'shop/r1/input/input.json',
      'shop/r1/output/response.json',
      'shop/r1/runtime/events.jsonl',
      'shop/r1/runtime/user_input/form.json',
    ]);
    expect(JSON.parse(read('shop/r1/input/input.json'))).toEqual({ ...large, mail: '[email]' });
    expect(JSON.parse(read('shop/r1/runtime/user_input/form.json'))).toEqual({
      ...{ schema_version: '1.0', form_id: 'form', step_id: 'form' },
      request: { title: 'Why?', message: null, schema, defaults: {} },
      response: { values: { why: 'late' }, comment: '', by: 'kim', at: 5 },
    });
    expect(JSON.parse(read('shop/r1/output/response.json'))).toEqual({
      ...{ response_version: '1.0', run_id: 'r1', product: 'shop', flow: 'refund', status: 'COMPLETED' },
      ...{ result: { form: { ...large, mail: '[email]' } }, error: null },
      ...{ finished_at: 1_005, finished_at_iso: '1970-01-01T00:00:01.005Z' },
      files: ['input/input.json', 'runtime/events.jsonl', 'runtime/user_input/form.json'],
    });
    const lines = read('shop/r1/runtime/events.jsonl').trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line));
    expect(records[1]).toEqual({
      ...{ event_id: 'r1-1', run_id: 'r1', step_id: 'form', product: 'shop', flow: 'refund', kind: 'step_started' },
      ...{ ts: 1_001, payload: { step_index: 0, type: 'user_input', name: 'Ask why' }, redacted: false },
    });
    expect(records.at(-1)).toMatchObject({
      kind: 'output_written',
      payload: { path: 'output/response.json', sha256: contentHash(read('shop/r1/output/response.json')) },
    });
  });

  test('contains the error and its location', async () => {
    const error = { code: 'tool.server-error', message: 'Card 4111 1111 1111 1111 was refused' };
    record([runStart, { type: 'run:end', status: 'failed', error, failedNodes: ['pay'], durationMs: 1 }]);
    await save();
    expect(JSON.parse(read('shop/r1/output/response.json'))).toMatchObject({
      status: 'FAILED',
      error: { code: 'tool.server-error', message: 'Card [card] was refused', step_id: 'pay', details: {} },
    });
  });

  test('of a waiting run contains that state, and no end time', async () => {
    record([runStart, { type: 'run:suspended', reason: 'user_input', nodeId: 'form' }]);
    await save();
    expect(JSON.parse(read('shop/r1/output/response.json'))).toMatchObject({
      ...{ status: 'PENDING_USER_INPUT', finished_at: null },
    });
    expect(read('shop/r1/runtime/events.jsonl')).not.toContain('output_written');
  });

  test('of a run without a product has a name that no product can have', async () => {
    record([runStart], runId, 'flows/report.flow.yaml');
    expect(await save()).toBe(path.join(folder, '_workspace', 'r1'));
  });

  test('has a separate file for each form, with names that are valid on every system', async () => {
    recordForm(['a/b', 'a:b', '..']);
    await save();
    expect(filesIn().filter((name) => name.includes('user_input'))).toEqual([
      'shop/r1/runtime/user_input/form.a-b-2.json',
      'shop/r1/runtime/user_input/form.a-b.json',
      'shop/r1/runtime/user_input/form.json',
    ]);
  });

  test('replaces an earlier export and leaves nothing else behind', async () => {
    recordForm();
    await save();
    const before = read('shop/r1/output/response.json');
    writeFileSync(path.join(folder, 'shop/r1/runtime/events.jsonl'), 'old');
    await save();
    expect(read('shop/r1/output/response.json')).toBe(before);
    expect(read('shop/r1/runtime/events.jsonl')).not.toContain('old');
    expect(readdirSync(path.join(folder, 'shop'))).toEqual(['r1']);
  });

  test.each([
    ['a file that is not part of an export', () => writeFileSync(path.join(folder, 'shop/r1/notes.txt'), 'mine')],
    ['the export of another run', () => rewrite({ response_version: '1.0', run_id: 'r2' })],
    ['a response of another program', () => rewrite({ run_id: 'r1' })],
    ['a response that is not JSON', () => writeFileSync(path.join(folder, 'shop/r1/output/response.json'), '{')],
  ])('is not written if the target contains %s', async (_what, spoil) => {
    recordForm();
    await save();
    spoil();
    const before = filesIn().map((name) => [name, read(name)]);
    await expect(save()).rejects.toMatchObject({ code: 'export.not-own' });
    expect(filesIn().map((name) => [name, read(name)])).toEqual(before);
  });

  function rewrite(response: object): void {
    writeFileSync(path.join(folder, 'shop/r1/output/response.json'), JSON.stringify(response));
  }

  test('replaces neither a file nor a link', async () => {
    recordForm();
    mkdirSync(path.join(folder, 'shop'));
    writeFileSync(path.join(folder, 'shop', 'r1'), 'mine');
    await expect(save()).rejects.toMatchObject({ code: 'export.not-own' });
    rmSync(path.join(folder, 'shop', 'r1'));
    mkdirSync(path.join(folder, 'elsewhere'));
    symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'shop', 'r1'));
    await expect(save()).rejects.toMatchObject({ code: 'export.not-own' });
    expect(readdirSync(path.join(folder, 'elsewhere'))).toEqual([]);
  });

  test('is not written for a missing run, or for an id that would lead outside', async () => {
    record([runStart], asRunId('../../../out'));
    await expect(save(asRunId('../../../out'))).rejects.toMatchObject({ code: 'export.not-own' });
    await expect(save(asRunId('nobody'))).rejects.toMatchObject({ code: 'run.not-found' });
    expect(filesIn()).toEqual([]);
  });
});

test('spans are written to a file, without model responses unless requested', async () => {
  const text = 'a secret answer to kim@mail.example.org';
  record([
    runStart,
    { type: 'model:request', provider: 'gemini', model: 'm', messagesHash: 'h' },
    { type: 'model:response', durationMs: 1, finishReason: 'stop', text },
    { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 6 },
  ]);
  const history = createHistory(store);
  const to = path.join(folder, 'spans.json');
  expect(await saveRunAs(history, runId, { format: 'otlp', to, version: '1.2.3' })).toBe(to);
  expect(read('spans.json')).not.toContain('secret answer');
  const { resourceSpans } = JSON.parse(read('spans.json'));
  expect(resourceSpans[0].scopeSpans[0].spans).toHaveLength(2);
  const asked = (await allOf(exportSpans(history, runId, { version: '1.2.3', hasContent: true }))).join('');
  expect(asked).toContain('a secret answer to [email]');
});
