/**
 * Tests runs with nodes that ask: answers are claimed once, survive crashes, and reach both active and suspended runs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { openDb } from '../../history/store/db.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { traceOf } from '../../testing/test-run.ts';
import { readWaiting } from './run-answers.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor();
});
afterEach(() => world.close());

const refund = `
flow: { name: Refund, input: { amount: 30 } }
nodes:
  - { id: ask, type: human_approval, input: { title: "Pay {{flow.input.amount}}?", params: { amount: 30, to: kim }, recommended: approve } }
  - { id: paid, type: echo, input: { text: "paid {{ask.params.amount}} to {{ask.params.to}}" } }
  - { id: kept, type: echo, input: { text: "kept: {{ask.comment}}" } }
edges:
  - { from: ask, to: paid, when: { equals: { var: ask.route, value: approved } } }
  - { from: ask, to: kept, when: { equals: { var: ask.route, value: rejected } } }`;

const alone = `
flow: { name: Alone }
nodes: [ { id: ask, type: human_approval, input: { title: "Go on?" } }, { id: next, type: echo, input: { text: done } } ]
edges: [ { from: ask, to: next } ]`;

const form = `
flow: { name: Form }
nodes:
  - id: ask
    type: user_input
    input:
      title: Why?
      schema: { type: object, properties: { reason: { type: string, enum: [late, broken] }, count: { type: integer } }, required: [reason] }
  - { id: next, type: echo, input: { text: "{{ask.values.reason}}" } }
edges: [ { from: ask, to: next } ]`;

async function suspended(text: string): Promise<RunId> {
  const { runId, ended } = await world.run(text);
  expect((await ended).status).toBe('suspended');
  return runId;
}

function state(): RunState {
  return foldRun(emptyRunState, world.told);
}

describe('an approval', () => {
  test('MF-062 waits as PENDING_APPROVAL, and is stored as PENDING_HUMAN', async () => {
    await world.close();
    const folder = mkdtempSync(path.join(tmpdir(), 'millrace-asks-'));
    const file = path.join(folder, 'runs.db');
    world = await createTestExecutor({ openStore: (context) => openRunStore({ file, ...context }) });
    const runId = await suspended(refund);
    expect(world.store.getRun(runId)).toMatchObject({ status: 'suspended', waitStatus: 'PENDING_APPROVAL' });
    const db = await openDb(file);
    expect(db.all('SELECT status, wait FROM run')).toEqual([{ status: 'suspended', wait: 'PENDING_HUMAN' }]);
    db.close();
    rmSync(folder, { recursive: true });
  });

  test('MF-066 accepts no second answer, whatever the first one was', async () => {
    for (const first of ['approve', 'reject'] as const) {
      const runId = await suspended(refund);
      await (await world.executor.resumeRun({ runId, decision: first, by: 'kim' })).ended;
      const count = world.told.length;
      for (const decision of ['approve', 'reject'] as const)
        await expect(world.executor.resumeRun({ runId, decision, by: 'lee' })).rejects.toMatchObject({
          code: 'run.invalid-state',
        });
      expect(world.told).toHaveLength(count);
    }
  });

  test('MF-060 MF-061 stops dependent nodes, is in the history, and waits as PENDING_APPROVAL', async () => {
    const runId = await suspended(refund);
    expect(traceOf(world.told, ['task:', 'run:'])).toEqual(['run:start Refund', 'task:start ask', 'run:suspended ask']);
    expect(world.store.getRun(runId)).toMatchObject({ status: 'suspended', waitStatus: 'PENDING_APPROVAL' });
    expect(readWaiting(world.store, runId)).toMatchObject([
      {
        ...{ runId, name: 'ask', key: 'approval', message: 'Pay 30?' },
        request: { kind: 'approval', title: 'Pay 30?', params: { amount: 30, to: 'kim' }, recommended: 'approve' },
      },
    ]);
  });

  test('MF-063 does not continue on a plain resume', async () => {
    const runId = await suspended(refund);
    const count = world.told.length;
    const { ended } = await world.executor.resumeRun({ runId });
    expect((await ended).status).toBe('suspended');
    expect(world.told.length).toBe(count);
  });

  test("MF-064 continues when approved, with edited params; a second answer is rejected with the first one's person and time", async () => {
    const runId = await suspended(refund);
    const payload = { approved: true, comment: 'fine', params: { amount: 25 } };
    const { ended } = await world.executor.resumeRun({ runId, payload, by: 'kim' });
    expect((await ended).status).toBe('completed');
    expect(state().output).toEqual({ paid: { text: 'paid 25 to kim' }, kept: { skipped: true, reason: 'edge' } });
    expect(state().nodes.get('ask')?.asks).toMatchObject([{ answer: { by: 'kim', payload: { comment: 'fine' } } }]);
    await expect(world.executor.resumeRun({ runId, decision: 'reject', by: 'lee' })).rejects.toMatchObject({
      code: 'run.invalid-state',
    });
    expect(openScopes(world.told)).toEqual([]);
  });

  test('12.2 takes the rejected branch if there is one, and otherwise fails regardless of its retry policy', async () => {
    const wired = await suspended(refund);
    const end = await world.executor.resumeRun({ runId: wired, decision: 'reject', comment: 'no' });
    expect((await end.ended).status).toBe('completed');
    expect(state().output).toMatchObject({ kept: { text: 'kept: no' } });
    world.told.length = 0;
    const runId = await suspended(alone.replace('id: ask,', 'id: ask, policy: { retry: { maxAttempts: 3 } },'));
    const { ended } = await world.executor.resumeRun({ runId, decision: 'reject', by: 'kim' });
    expect(await ended).toMatchObject({ status: 'failed', error: { code: 'approval.rejected', nodeId: 'ask' } });
    expect(traceOf(world.told, ['node:retry'])).toEqual([]);
  });

  test.each([
    [{ approved: 'yes' }, 'bad_payload'],
    [{ approved: true, params: { other: 1 } }, 'unknown_key:other'],
    [{ approved: true, more: 1 }, 'unknown_key:more'],
    [{ approved: true, comment: 'x'.repeat(50_000_000) }, 'bad_payload'],
  ])('rejects an invalid answer and keeps waiting: %#', async (payload, code) => {
    const runId = await suspended(refund);
    await expect(world.executor.resumeRun({ runId, payload })).rejects.toMatchObject({
      ...{ code: 'answer.invalid', details: [expect.objectContaining({ code })] },
    });
    expect(readWaiting(world.store, runId)).toHaveLength(1);
  });

  test('12.1 c rejects an answer for another run or request, and does not count it', async () => {
    const runId = await suspended(alone);
    const other = await suspended(form);
    const wrong = [
      { runId: other, decision: 'approve', nodeId: 'next' },
      { runId, payload: { approved: true }, nodeId: 'call/ask' },
      { runId, payload: { approved: true }, key: 'input' },
    ] as const;
    for (const answer of wrong)
      await expect(world.executor.resumeRun(answer)).rejects.toMatchObject({ code: 'run.invalid-state' });
    await expect(world.executor.resumeRun({ runId: other, payload: { approved: true } })).rejects.toMatchObject({
      code: 'answer.invalid',
    });
    for (const id of [runId, other]) {
      expect(readWaiting(world.store, id)).toHaveLength(1);
      expect(world.store.answers.list(id)).toEqual([]);
    }
  });

  test('12.1f a run that is canceled at the moment of its suspension is canceled', async () => {
    const stop = world.executor.subscribe((events) => {
      const suspended = events.find(({ event }) => event.type === 'run:suspended');
      if (suspended !== undefined) world.executor.cancelRun(suspended.runId);
    });
    const runId = await suspended(alone);
    await vi.waitFor(() => expect(world.store.getRun(runId)?.status).toBe('cancelled'), 20_000);
    expect(traceOf(world.told, ['task:', 'run:']).slice(-2)).toEqual(['task:cancelled ask', 'run:end cancelled']);
    stop();
  });

  test('only one of two simultaneous answers counts', async () => {
    const runId = await suspended(alone);
    const both = await Promise.allSettled(
      ['kim', 'lee'].map((by) => world.executor.resumeRun({ runId, decision: 'approve', by })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await vi.waitFor(() => expect(world.store.getRun(runId)?.status).toBe('completed'), 20_000);
    expect(traceOf(world.told, ['approval:resolved'])).toHaveLength(1);
  });

  test('an answer claimed before a crash is used by the process that resumes the run, and no one is asked again', async () => {
    const runId = await suspended(alone);
    const [{ name, key = '', requestHash = '' } = { name: '' }] = readWaiting(world.store, runId);
    world.store.answers.claim(runId, { name, key, requestHash, payload: { approved: true }, at: 5, by: 'kim' });
    const { ended } = await world.executor.resumeRun({ runId });
    expect((await ended).status).toBe('completed');
    expect(state().nodes.get('ask')?.asks).toMatchObject([{ answer: { by: 'kim', at: 5 } }]);
  });

  test('is asked again in a redo and a rerun, whatever was answered before', async () => {
    const runId = await suspended(alone);
    await (await world.executor.resumeRun({ runId, decision: 'approve' })).ended;
    world.texts.set('a.flow.yaml', alone);
    const plan = await world.executor.plans.planRerun({ runId, nodeId: 'next' });
    expect(plan[0]).toMatchObject({
      nodeId: 'ask',
      fate: 'runs',
      why: 'it requested an answer, which is requested again',
    });
    const again = await world.executor.rerunFrom({ runId, nodeId: 'next' });
    expect((await again.ended).status).toBe('suspended');
    const redone = await world.executor.redo({ runId });
    expect((await redone.ended).status).toBe('suspended');
  });
});

describe('a form', () => {
  test('MF-070 MF-072 waits as PENDING_USER_INPUT and outputs its values', async () => {
    const runId = await suspended(form);
    expect(world.store.getRun(runId)?.waitStatus).toBe('PENDING_USER_INPUT');
    const payload = { user_input_response: { form_id: 'x', values: { reason: 'late', count: 2 }, comment: 'c' } };
    const { ended } = await world.executor.resumeRun({ runId, payload });
    expect((await ended).status).toBe('completed');
    expect(state().nodes.get('ask')?.output).toMatchObject({ values: { reason: 'late', count: 2 }, comment: 'c' });
  });

  test.each([
    [{ values: {} }, 'missing_required:reason'],
    [{ values: { reason: ' ' } }, 'missing_required:reason'],
    [{ values: { reason: 'other' } }, 'enum_mismatch:reason'],
    [{ values: { reason: 'late', count: 'two' } }, 'type_mismatch:count'],
    [{ values: { reason: 'late', more: 1 } }, 'unknown_key:more'],
    [{}, 'bad_payload'],
  ])('MF-071 MF-073 rejects an invalid answer and keeps waiting: %#', async (payload, code) => {
    const runId = await suspended(form);
    await expect(world.executor.resumeRun({ runId, payload })).rejects.toMatchObject({
      ...{ code: 'answer.invalid', details: expect.arrayContaining([expect.objectContaining({ code })]) },
    });
    expect(world.store.getRun(runId)?.status).toBe('suspended');
  });
});

describe('several requests', () => {
  const three = `
flow: { name: Three }
nodes:
  - { id: each, type: control.foreach, input: { items: [a, b, c], body: [ask, said] } }
  - { id: ask, type: human_approval, input: { title: "{{item}}?" } }
  - { id: said, type: echo, input: { text: "{{item}} {{ask.by}}" } }
edges: [ { from: ask, to: said } ]`;

  test('wait in parallel in a loop, and an answer names its request', async () => {
    const runId = await suspended(three);
    expect(readWaiting(world.store, runId).map(({ name }) => name)).toEqual([
      'each[0].ask',
      'each[1].ask',
      'each[2].ask',
    ]);
    await expect(world.executor.resumeRun({ runId, decision: 'approve' })).rejects.toMatchObject({
      ...{ code: 'run.invalid-state', message: expect.stringContaining('each[0].ask') },
    });
    for (const [index, status] of ['suspended', 'suspended', 'completed'].entries()) {
      const answer = { runId, nodeId: `each[${index}].ask`, decision: 'approve', by: `p${index}` } as const;
      expect((await (await world.executor.resumeRun(answer)).ended).status).toBe(status);
    }
    const texts = [0, 1, 2].map((index) => state().nodes.get(`each[${index}].said`)?.output);
    expect(texts).toEqual([{ text: 'a p0' }, { text: 'b p1' }, { text: 'c p2' }]);
  });

  test('an answer reaches an active run, which is never suspended', async () => {
    const text = `
flow: { name: Both, policy: { maxParallel: 2 } }
nodes: [ { id: ask, type: human_approval, input: { title: "?" } }, { id: slow, type: control.wait, input: { ms: 60000 } } ]
edges: []`;
    const { runId, ended } = await world.run(text);
    await vi.waitFor(() => expect(readWaiting(world.store, runId)).toHaveLength(1), 20_000);
    await world.executor.resumeRun({ runId, decision: 'approve', by: 'kim' });
    await vi.waitFor(() => expect(state().nodes.get('ask')?.status).toBe('completed'), 20_000);
    await world.clock.advance(60_000);
    expect((await ended).status).toBe('completed');
    expect(traceOf(world.told, ['run:'])).toEqual(['run:start Both', 'run:end completed']);
  });

  test('of a child flow are answered by the full name of the node, both while the caller is suspended and while it is active', async () => {
    world.texts.set('inner.flow.yaml', alone);
    const text = (more: string) => `
flow: { name: Outer, policy: { maxParallel: 2 } }
nodes: [ { id: call, type: flow, input: { flow: inner.flow.yaml } }${more} ]
edges: []`;
    const runId = await suspended(text(''));
    expect(readWaiting(world.store, runId)).toMatchObject([{ name: 'call/ask', key: 'approval' }]);
    const first = await world.executor.resumeRun({ runId, nodeId: 'call/ask', decision: 'approve' });
    expect((await first.ended).status).toBe('completed');
    expect(openScopes(world.told)).toEqual([]);
    world.told.length = 0;
    const both = await world.run(text(', { id: slow, type: control.wait, input: { ms: 60000 } }'));
    await vi.waitFor(() => expect(readWaiting(world.store, both.runId)).toHaveLength(1), 20_000);
    await world.executor.resumeRun({ runId: both.runId, nodeId: 'call/ask', decision: 'approve' });
    await vi.waitFor(() => expect(state().nodes.get('call')?.status).toBe('completed'), 20_000);
    await world.clock.advance(60_000);
    expect((await both.ended).status).toBe('completed');
    expect(openScopes(world.told)).toEqual([]);
  });
});
