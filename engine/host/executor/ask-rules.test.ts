/** Tests rules about approvals, in engines that are closed and opened again on one workspace. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';

const text = `
flow: { name: Refund }
nodes:
  - { id: read, type: constant, input: { value: { order: 7 } } }
  - id: ask
    type: human_approval
    input:
      title: "Refund order {{read.value.order}}?"
      message: It came late.
      notes: [the carrier says so, it is the first time]
      recommended: approve
      action: { call: refund, order: "{{read.value.order}}" }
  - { id: paid, type: echo, input: { text: "paid {{read.value.order}}" } }
edges: [{ from: read, to: ask }, { from: ask, to: paid }]
`;

let workspace: string;
let engine: Engine;
beforeEach(async () => {
  workspace = mkdtempSync(path.join(tmpdir(), 'millrace-ask-rules-'));
  engine = await open();
});
afterEach(async () => {
  await engine.close();
  rmSync(workspace, { recursive: true });
});

async function open(): Promise<Engine> {
  return await createEngine({ workspace, homeFolder: path.join(workspace, 'no-home') });
}

async function restart(): Promise<void> {
  await engine.close();
  engine = await open();
}

async function suspended(): Promise<RunId> {
  const { runId } = await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} });
  expect((await engine.whenEnded(runId)).status).toBe('suspended');
  return runId;
}

async function state(runId: RunId): Promise<RunState> {
  return foldRun(emptyRunState, await engine.readEvents(runId, -1, 1000));
}

test('X-06 MF-172 approved after a restart, a run continues at the next node with the earlier outputs', async () => {
  const runId = await suspended();
  const before = await engine.readEvents(runId, -1, 1000);
  await restart();
  await engine.resumeRun({ runId, decision: 'approve' });
  expect((await engine.whenEnded(runId)).status).toBe('completed');
  const { nodes } = await state(runId);
  expect(nodes.get('read')).toMatchObject({ attempts: 1, output: { value: { order: 7 } } });
  expect(nodes.get('paid')?.output).toEqual({ text: 'paid 7' });
  // Completed work is not repeated: it started once in the whole log, which has only grown.
  const log = await engine.readEvents(runId, -1, 1000);
  expect(log.slice(0, before.length)).toEqual(before);
  expect(log.filter(({ event }) => event.type === 'task:start' && event.nodeId === 'read')).toHaveLength(1);
});

test('MF-064 MF-172 rejected after a restart, it fails, and later nodes do not start', async () => {
  const runId = await suspended();
  await restart();
  await engine.resumeRun({ runId, decision: 'reject' });
  expect(await engine.whenEnded(runId)).toMatchObject({ status: 'failed', error: { code: 'approval.rejected' } });
  expect((await state(runId)).nodes.has('paid')).toBe(false);
});

test('MF-063 it waits regardless of how often the engine is opened again and the run is resumed without an answer', async () => {
  const runId = await suspended();
  const before = await engine.readEvents(runId, -1, 1000);
  for (let time = 0; time < 2; time++) {
    await restart();
    await engine.resumeRun({ runId });
    expect((await engine.whenEnded(runId)).status).toBe('suspended');
  }
  expect(await engine.readEvents(runId, -1, 1000)).toEqual(before);
  expect(await engine.listWaiting()).toMatchObject([{ runId, name: 'ask' }]);
});

test('MF-065 the request contains the reason, its background and the recommended action', async () => {
  const runId = await suspended();
  const asked = (await engine.readEvents(runId, -1, 1000)).find(
    ({ event }) => event.type === 'approval:requested',
  )?.event;
  expect(asked).toMatchObject({
    request: {
      title: 'Refund order 7?',
      message: 'It came late.',
      notes: ['the carrier says so', 'it is the first time'],
      recommended: 'approve',
      action: { call: 'refund', order: 7 },
    },
  });
});
