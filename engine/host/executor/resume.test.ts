import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';
import { traceOf } from '../../testing/test-run.ts';
import type { ResumeRun } from './continuation.ts';

const text = `
flow: { name: three }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: act, type: act, input: { what: "{{a.text}}" } }
  - { id: c, type: echo, input: { text: "{{act.what}}!" } }
edges: [{ from: a, to: act }, { from: act, to: c }]`;

let open: TestExecutor[] = [];
let acted: unknown[] = [];
afterEach(async () => {
  await Promise.all(open.map((world) => world.close()));
  open = [];
});

async function createWorld(file: string | null = null): Promise<TestExecutor> {
  acted = [];
  const act = testNode(
    'act',
    async ({ input }) => {
      acted.push(input['what']);
      return input;
    },
    'external',
  );
  const registry = createNodeRegistry([...builtinNodes, act]);
  const world = await createTestExecutor({ registry, openStore: (context) => openRunStore({ file, ...context }) });
  open.push(world);
  return world;
}

const afterEndOf = (nodeId: string) => (event: RunEvent) => event.type === 'task:complete' && event.nodeId === nodeId;
const afterStartOf = (nodeId: string) => (event: RunEvent) => event.type === 'node:input' && event.nodeId === nodeId;

async function resume({ executor }: TestExecutor, request: ResumeRun) {
  const { runId, ended } = await executor.resumeRun(request);
  return { runId, summary: await ended };
}

/** Creates a world with a run that was interrupted during an outside effect and has requested an answer. */
async function suspendedWorld(file: string | null = null) {
  const world = await createWorld(file);
  const runId = await cutRun(world, { text, after: afterStartOf('act') });
  acted = [];
  const { summary } = await resume(world, { runId });
  expect(summary.status).toBe('suspended');
  return { world, runId };
}

function traceIn({ store }: TestExecutor, runId: RunId): readonly string[] {
  return traceOf(store.readEvents(runId, -1, 1000), ['run:', 'task:', 'node:suspended']);
}

describe('a run that was interrupted', () => {
  test('resumes under the same ID where it stopped; listeners receive only new events', async () => {
    const world = await createWorld();
    const runId = await cutRun(world, { text, after: afterEndOf('a') });
    const stored = world.store.readEvents(runId, -1, 100);
    expect(world.store.getRun(runId)?.status).toBe('interrupted');
    world.told.length = 0;
    const resumed = await resume(world, { runId });
    expect(resumed.runId).toBe(runId);
    expect(resumed.summary).toMatchObject({ runId, status: 'completed', sourcePath: 'a.flow.yaml' });
    const { inputs: _, nodeSettings: __, ...row } = world.store.getRun(runId)!;
    expect(row).toMatchObject({ status: 'completed', failedNodes: [], durationMs: 0 });
    const log = world.store.readEvents(runId, -1, 100);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
    expect(world.told).toEqual(log.slice(stored.length));
    expect(traceOf(world.told, ['run:', 'task:'])).toEqual([
      'run:resumed',
      'task:start act',
      'task:complete act',
      'task:start c',
      'task:complete c',
      'run:end completed',
    ]);
  });

  test('starts from the beginning if it was still queued', async () => {
    const world = await createWorld();
    const runId = await cutRun(world, { text });
    expect((await resume(world, { runId })).summary.status).toBe('completed');
    expect(traceIn(world, runId)[0]).toBe('run:start three');
    expect(world.store.readEvents(runId, -1, 1)[0]?.seq).toBe(0);
  });

  test('ends as canceled without running anything if it is canceled', async () => {
    const world = await createWorld();
    const runId = await cutRun(world, { text, after: afterEndOf('a') });
    acted = [];
    world.executor.cancelRun(runId);
    await expect.poll(() => world.store.getRun(runId)?.status).toBe('cancelled');
    expect([world.store.getRun(runId)?.status, acted]).toEqual(['cancelled', []]);
    expect(traceIn(world, runId).slice(-2)).toEqual(['run:resumed', 'run:end cancelled']);
  });
});

describe('rejects requests that do not match the state of a run, and changes nothing', () => {
  async function refusal(world: TestExecutor, request: ResumeRun) {
    const before = world.store.listRuns({ limit: 10 });
    const { code, message } = await resume(world, request).then(() => ({ code: '', message: '' }), toErrorRecord);
    expect(world.store.listRuns({ limit: 10 })).toEqual(before);
    return { code, message };
  }

  test('an unknown run', async () => {
    const { code } = await refusal(await createWorld(), { runId: asRunId('nobody') });
    expect(code).toBe('run.not-found');
  });

  test('a run that has ended', async () => {
    const world = await createWorld();
    const { runId, ended } = await world.run(text);
    await ended;
    expect(await refusal(world, { runId })).toEqual({
      code: 'run.invalid-state',
      message: `Run ${runId} is completed. Only an interrupted or suspended run can be resumed.`,
    });
  });

  test('a run that is in progress in this process', async () => {
    const world = await createWorld();
    const waits = 'flow: { name: w }\nnodes: [{ id: a, type: control.wait, input: { ms: 1000 } }]\nedges: []';
    const { runId } = await world.run(waits);
    await world.clock.settle();
    const { code, message } = await refusal(world, { runId });
    expect([code, message]).toEqual([
      'run.invalid-state',
      `Run ${runId} is running. Wait until it ends, or cancel it.`,
    ]);
  });

  test('an answer without a request', async () => {
    const world = await createWorld();
    const runId = await cutRun(world, { text, after: afterEndOf('a') });
    const { code, message } = await refusal(world, { runId, decision: 'approve' });
    expect([code, message]).toEqual([
      'run.invalid-state',
      `Run ${runId} is interrupted. The run has not requested anything yet. Resume it without an answer.`,
    ]);
  });

  test('an answer for a node that is not waiting, or a waiting node without an answer', async () => {
    const { world, runId } = await suspendedWorld();
    const wrong = await refusal(world, { runId, decision: 'approve', nodeId: 'c' });
    expect(wrong.message).toBe(`Node "c" of run ${runId} is not waiting for an answer. Waiting nodes: act.`);
    const silent = await refusal(world, { runId, nodeId: 'act' });
    expect(silent.message).toContain('Specify whether node "act" is approved or rejected.');
    // The run can still be answered.
    expect((await resume(world, { runId, decision: 'approve' })).summary.status).toBe('completed');
  });
});

describe('a run that is suspended', () => {
  test('keeps waiting without an answer: emits and writes nothing', async () => {
    const { world, runId } = await suspendedWorld();
    const before = world.store.readEvents(runId, -1, 100);
    world.told.length = 0;
    expect((await resume(world, { runId })).summary).toMatchObject({ runId, status: 'suspended' });
    expect([world.told, world.store.readEvents(runId, -1, 100)]).toEqual([[], before]);
  });

  test('resumes when it is approved, and records the answer in its log', async () => {
    const { world, runId } = await suspendedWorld();
    const request = { runId, decision: 'approve', comment: 'go on', nodeId: 'act' } as const;
    expect((await resume(world, request)).summary.status).toBe('completed');
    expect(acted).toEqual(['one']);
    const answers = world.store.readEvents(runId, -1, 100).filter(({ event }) => event.type === 'run:resumed');
    const { runId: _, ...said } = request;
    expect(answers.at(-1)?.event).toEqual({ type: 'run:resumed', ...said });
  });

  test('fails when it is rejected', async () => {
    const { world, runId } = await suspendedWorld();
    const { summary } = await resume(world, { runId, decision: 'reject' });
    expect(summary).toMatchObject({ status: 'failed', error: { code: 'node.cut' }, failedNodes: ['act'] });
    expect(acted).toEqual([]);
  });

  test('ends as canceled when it is canceled, and closes its open task', async () => {
    const { world, runId } = await suspendedWorld();
    world.executor.cancelRun(runId);
    await expect.poll(() => world.store.getRun(runId)?.status).toBe('cancelled');
    expect(world.store.getRun(runId)?.status).toBe('cancelled');
    expect(traceIn(world, runId).slice(-2)).toEqual(['task:cancelled act', 'run:end cancelled']);
  });

  test('is listed after a restart and can be answered', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'millrace-resume-'));
    const file = path.join(folder, 'runs.db');
    const { world, runId } = await suspendedWorld(file);
    await world.close();
    open = [];
    const later = await createWorld(file);
    expect(later.store.getRun(runId)?.status).toBe('suspended');
    expect((await resume(later, { runId, decision: 'approve' })).summary.status).toBe('completed');
    const end = later.store.readEvents(runId, -1, 100).at(-1)?.event;
    expect(end).toMatchObject({ type: 'run:end', output: { c: { text: 'one!' } } });
    await later.close();
    open = [];
    rmSync(folder, { recursive: true });
  });
});
