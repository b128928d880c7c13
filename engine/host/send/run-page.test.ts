import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../base/ids.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { type ExportedRun, runPage } from './run-page.ts';

const evil = `</script></style></pre><script>alert(1)</script><img src=x onerror="alert(1)"><svg onload='alert(1)'>`;
const runId = asRunId('r1');

/** A run in which every text that others can choose tries to break out. */
function exportedRun(more: readonly RunEvent[] = []): ExportedRun {
  const events: RunEvent[] = [
    {
      ...{ type: 'run:start', kind: 'flow', name: evil, sourcePath: `${evil}.flow.yaml`, definitionHash: 'a' },
      ...{ inputs: { [evil]: evil } },
    },
    { type: 'task:start', taskId: 'node:ask', nodeId: 'ask', nodeType: evil },
    { type: 'node:input', nodeId: 'ask', input: { text: evil } },
    { type: 'task:complete', taskId: 'node:ask', nodeId: 'ask', result: evil, durationMs: 900, attempts: 1 },
    { type: 'edge:fired', edgeId: 'ask->use', from: 'ask', to: 'use' },
    { type: 'task:start', taskId: 'node:use', nodeId: 'use' },
    { type: 'log', level: 'info', text: evil },
    {
      ...{ type: 'task:failed', taskId: 'node:use', nodeId: 'use', durationMs: 100, attempts: 1 },
      error: { code: 'x', message: evil, recoverable: false },
    },
    ...more,
    {
      ...{ type: 'run:end', status: 'failed', failedNodes: ['use'], durationMs: 1_000 },
      output: {
        rows: [{ [evil]: evil, n: 1 }, { n: 2 }],
        book: { $value: 'h1', bytes: 20_000, type: 'string', preview: 'x' },
      },
    },
  ];
  return {
    run: {
      ...{ runId, number: 7, kind: 'flow', name: evil, sourcePath: evil, definitionHash: 'a', status: 'failed' },
      ...{ startedAt: 1_000, durationMs: 1_000, failedNodes: ['use'], note: evil },
      error: { code: 'x', message: evil, recoverable: false },
    } as RunSummary,
    definition: `flow: { name: Tea }\nnodes:\n  - { id: ask, type: echo, name: ${JSON.stringify(evil)}, input: { text: a } }\n  - { id: use, type: echo, input: { text: b } }\nedges: [{ from: ask, to: use }]\n`,
    events: events.map(
      (event, seq): EventEnvelope => ({
        seq,
        at: 1_000 + seq * 100,
        runId,
        context: { sessionId: asSessionId('s') },
        event,
      }),
    ),
    values: { h1: `${'y'.repeat(20_000)}${evil}` },
  };
}

test('shows canvas, timeline, inputs, outputs, nodes and log', () => {
  const page = runPage(exportedRun());
  expect([...page.matchAll(/<h2>(\w+)<\/h2>/g)].map(([, title]) => title)).toEqual([
    ...['Canvas', 'Timeline', 'Error', 'Inputs', 'Outputs', 'Nodes', 'Log', 'Definition'],
  ]);
  expect(page.match(/<g class="card (\w+)"/g)).toEqual(['<g class="card completed"', '<g class="card failed"']);
  expect(page).toContain('class="edge taken"');
  expect(page).toMatch(/<th>n<\/th>.*<td>1<\/td>.*<td>2<\/td>/s);
});

test('no value becomes markup, and nothing runs or loads', () => {
  const page = runPage(exportedRun());
  expect(page.match(/<(?:script|img|iframe|link|object|embed|base|form|a)\b/gi)).toBe(null);
  expect(page.match(/<[^>]*\s(?:on\w+|src|href|style)\s*=/gi)).toBe(null);
  expect(page.match(/<\/style>/g)).toHaveLength(1);
  expect(page.match(/url\(|@import|https?:/g)).toBe(null);
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}'"`);
});

test('says what it leaves out of large values and long logs', () => {
  const lines = Array.from(
    { length: 5_100 },
    (_, index): RunEvent => ({ type: 'log', level: 'info', text: `line ${index}` }),
  );
  const page = runPage(exportedRun(lines));
  expect(page).toMatch(/Cut after 20000 of 20\d\d\d characters/);
  expect(page).toMatch(/Not shown: 10\d more events/);
  expect(page.length).toBeLessThan(3_000_000);
});

test('reads damaged parts as text', () => {
  const damaged = {
    ...exportedRun(),
    definition: ': no flow',
    values: { h1: { $value: 'h1', bytes: 1, type: 'object', preview: 'me' } },
  };
  const page = runPage(damaged);
  expect(page).not.toContain('<h2>Canvas</h2>');
  expect(page).toContain('<h2>Log</h2>');
});
