import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { exportSpans } from '../../host/reads/export-trace.ts';
import { createEngine, type Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { allOf } from '../../testing/all-of.ts';
import { envelopes, runCompleted, runStart } from '../../testing/run-samples.ts';
import { type SpanCollector, startCollector, takeAll } from '../../testing/span-collector.ts';
import { createLiveSpans } from './live-spans.ts';
import { runId } from './test-trace.ts';

let collector: SpanCollector;
let workspace: string;
beforeEach(async () => {
  collector = await startCollector();
  workspace = mkdtempSync(path.join(tmpdir(), 'millrace-spans-'));
});
afterEach(async () => {
  await collector.close();
  rmSync(workspace, { recursive: true });
});

const open = (env: Readonly<Record<string, string>> = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address }) =>
  createEngine({ workspace, homeFolder: path.join(workspace, 'home'), env });

const flow = `
flow: { name: Pay }
nodes:
  - { id: say, type: echo, input: { text: hello } }
  - { id: ask, type: human_approval, input: { title: Pay? } }
edges: [{ from: say, to: ask }]`;

async function start(engine: Engine, text = flow.replace(/ {2}- \{ id: ask.*\nedges.*/, 'edges: []')) {
  const { runId: id } = await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} });
  return { id, end: await engine.whenEnded(id) };
}

type Sent = JsonMap & { readonly spanId: string; readonly parentSpanId?: string; readonly name: string };

function spansIn(body: string): Sent[] {
  return JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;
}

const sent = (): Sent[] => collector.heard.flatMap(({ body }) => spansIn(body));

test('spans sent during a run equal those of a later export', async () => {
  const engine = await open();
  const { id } = await start(engine);
  const exported = spansIn((await allOf(exportSpans(engine, id, { version: '0.1.0' }))).join(''));
  await engine.close();
  expect(sent()).toEqual(exported);
  expect(sent().map(({ name }) => name)).toEqual(['attempt 1', 'echo say', 'Run Flow', 'invoke_workflow Pay']);
});

test('spans of another process are sent as part of the same trace', async () => {
  const first = await open();
  const { id, end } = await start(first, flow);
  expect(end.status).toBe('suspended');
  await first.close();
  const before = sent();
  const second = await open();
  await second.resumeRun({ runId: id, payload: { approved: true } });
  expect((await second.whenEnded(id)).status).toBe('completed');
  const exported = spansIn((await allOf(exportSpans(second, id, { version: '0.1.0' }))).join(''));
  await second.close();
  expect(
    sent()
      .slice(before.length)
      .map(({ name }) => name),
  ).toContain('resume Pay');
  expect(sent()).toEqual(exported);
  const ids = new Set(sent().map(({ spanId }) => spanId));
  expect(sent().filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual([]);
});

test('a run ends whether the collector responds or not', async () => {
  const held: ServerResponse[] = [];
  collector.answer = (response) => void held.push(response);
  const engine = await open();
  const ends = await Promise.all(Array.from({ length: 80 }, () => start(engine)));
  expect(ends.map(({ end }) => end.status)).toEqual(ends.map(() => 'completed'));
  await vi.waitFor(() => expect(held).toHaveLength(1));
  collector.answer = takeAll;
  held.forEach(takeAll);
  await engine.close();
  expect(sent()).toHaveLength(80 * 4);
});

test('invalid settings cause a notice, and files of a workspace are not read as settings', async () => {
  const wrong = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' });
  expect(wrong.notices.map(({ code }) => code)).toEqual(['traces.bad-settings']);
  await wrong.close();
  mkdirSync(path.join(workspace, '.millrace'), { recursive: true });
  for (const name of ['.env', '.millrace/.env']) {
    writeFileSync(path.join(workspace, name), `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.address}\n`);
  }
  const engine = await open({});
  await start(engine);
  await engine.close();
  expect(collector.heard).toEqual([]);
});

test('an internal error is reported once and does not affect a run', async () => {
  const notes: string[] = [];
  const spans = createLiveSpans({
    settings: { endpoint: new URL(collector.address), headers: {}, timeoutMs: 1000 },
    ...{ clock: systemClock, version: '1', note: ({ code }) => void notes.push(code) },
    nameOf: () => {
      throw new Error('The history is closed');
    },
  });
  // The name of a run that started elsewhere is not known, but its spans are still sent.
  spans.listen(envelopes(runId, [runCompleted], 7));
  spans.listen([null as never]);
  spans.listen(envelopes(runId, [runStart, runCompleted]));
  await spans.close();
  expect(notes).toEqual(['traces.failed']);
  expect(sent().map(({ name }) => name)).toEqual(['resume r1']);
});
