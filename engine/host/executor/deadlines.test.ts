/** Tests deadlines of requests, and runs that were answered while no process owned them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { checkFlow } from '../../language/flow/check-flow.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import type { AskAnswer } from '../../runtime/kernel/requests/ask.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { traceOf } from '../../testing/test-run.ts';

const hour = 3_600_000;

let folder: string;
const worlds: TestExecutor[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-deadlines-'));
});
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens an engine on the history of the test. `resumesAnswered` sets it up like the desktop's. */
async function open(options: { resumesAnswered?: true; at?: number } = {}): Promise<TestExecutor> {
  const { at = 0, ...others } = options;
  const world = await createTestExecutor({
    ...others,
    openStore: async ({ clock, owner }) => {
      if (at > 0) await clock.advance(at);
      return await openRunStore({ file: join(folder, 'runs.db'), clock, owner });
    },
  });
  worlds.push(world);
  return world;
}

async function close(world: TestExecutor): Promise<void> {
  worlds.splice(worlds.indexOf(world), 1);
  await world.close();
}

const approval = (config: string) => `
flow: { name: Approval }
nodes:
  - { id: ask, type: human_approval, input: { title: "Pay?" }, config: { ${config} }, policy: { retry: { maxAttempts: 3 } } }
  - { id: paid, type: echo, input: { text: "paid by {{ask.by}}" } }
  - { id: kept, type: echo, input: { text: kept } }
edges:
  - { from: ask, to: paid, when: { equals: { var: ask.route, value: approved } } }
  - { from: ask, to: kept, when: { equals: { var: ask.route, value: rejected } } }`;

const form = (config: string) => `
flow: { name: Form }
nodes: [ { id: ask, type: user_input, input: { title: Why?, schema: { type: object, properties: { a: { type: string } } } }, config: { ${config} } } ]
edges: []`;

function answerIn(log: readonly EventEnvelope[]): AskAnswer | undefined {
  return foldRun(emptyRunState, log).nodes.get('ask')?.asks?.[0]?.answer;
}

describe('a deadline', () => {
  test.each([
    ['approve', 'completed', { paid: { text: 'paid by deadline' } }],
    ['reject', 'completed', { kept: { text: 'kept' } }],
  ] as const)('12.4 with the policy %s answers when its time has come', async (policy, status, output) => {
    const world = await open({ resumesAnswered: true });
    const { runId, ended } = await world.run(approval(`deadlineMs: ${hour}, onDeadline: ${policy}`));
    expect((await ended).status).toBe('suspended');
    const [entry] = world.store.waiting.list(9);
    expect(entry).toMatchObject({ deadlineAt: (entry?.askedAt ?? 0) + hour, onDeadline: policy });
    await world.clock.advance(hour - 1);
    expect(world.store.getRun(runId)?.status).toBe('suspended');
    await world.clock.advance(1);
    await vi.waitFor(() => expect(world.store.getRun(runId)?.status).toBe(status));
    expect(foldRun(emptyRunState, world.told).output).toMatchObject(output);
    expect(answerIn(world.told)).toMatchObject({ by: 'deadline', at: world.clock.now() });
  });

  test('12.4 applies to an approval of a step flow as to one of a node', async () => {
    const world = await open({ resumesAnswered: true });
    const text = `
id: pay
steps:
  - { id: ask, type: human_approval, title: "Pay?", deadline_ms: ${hour}, on_deadline: reject }
`;
    const { runId, ended } = await world.run(text);
    expect((await ended).status).toBe('suspended');
    const [entry] = world.store.waiting.list(9);
    expect(entry).toMatchObject({ deadlineAt: (entry?.askedAt ?? 0) + hour, onDeadline: 'reject' });
    await world.clock.advance(hour);
    await vi.waitFor(() => expect(world.store.getRun(runId)?.status).toBe('failed'));
    expect(world.store.getRun(runId)?.error).toMatchObject({ code: 'approval.rejected' });
  });

  test('12.4 with the policy fail makes the node fail with ask.expired, which is not retried', async () => {
    const world = await open({ resumesAnswered: true });
    const { runId, ended } = await world.run(approval(`deadlineMs: ${hour}, onDeadline: fail`));
    await ended;
    await world.clock.advance(hour);
    await vi.waitFor(() => expect(world.store.getRun(runId)?.status).toBe('failed'));
    expect(world.store.getRun(runId)?.error).toMatchObject({ code: 'ask.expired', nodeId: 'ask' });
    expect(answerIn(world.told)?.payload).toEqual({ expired: true });
    expect(traceOf(world.told, ['node:retry'])).toEqual([]);
  });

  test.each(['onDeadline: remind, ', ''])('12.4 reminds once and keeps waiting: %s', async (policy) => {
    const world = await open({ resumesAnswered: true });
    const { runId, ended } = await world.run(form(`${policy}deadlineMs: ${hour}`));
    await ended;
    expect(world.store.waiting.list(9)[0]).not.toHaveProperty('remindedAt');
    await world.clock.advance(hour);
    const remindedAt = world.clock.now();
    await vi.waitFor(() => expect(world.store.waiting.list(9)).toMatchObject([{ remindedAt }]));
    expect(world.reminders).toBe(1);
    await world.clock.advance(3 * hour);
    expect(world.reminders).toBe(1);
    const { ended: end } = await world.executor.resumeRun({ runId, payload: { values: { a: 'x' } } });
    expect((await end).status).toBe('completed');
  });

  test('12.4 has no effect while all programs are closed, and is applied by the first one that opens the history', async () => {
    const first = await open();
    const { runId, ended } = await first.run(approval(`deadlineMs: ${hour}, onDeadline: reject`));
    await ended;
    await close(first);
    const later = await open({ resumesAnswered: true, at: 50 * hour });
    expect(later.store.getRun(runId)?.status).toBe('suspended');
    await later.clock.advance(0);
    await vi.waitFor(() => expect(later.store.getRun(runId)?.status).toBe('completed'));
    expect(later.store.answers.list(runId)).toMatchObject([{ by: 'deadline', at: later.clock.now() }]);
  });

  test('12.4 of an active run is applied by its owner, even where other runs are ignored', async () => {
    const text = `
flow: { name: Both, policy: { maxParallel: 2 } }
nodes:
  - { id: ask, type: human_approval, input: { title: "?" }, config: { deadlineMs: ${hour}, onDeadline: approve } }
  - { id: slow, type: control.wait, input: { ms: ${2 * hour} } }
edges: []`;
    const world = await open();
    const alone = await world.run(approval(`deadlineMs: 1000, onDeadline: approve`));
    await alone.ended;
    const { runId: own, ended } = await world.run(text);
    await vi.waitFor(() => expect(world.store.waiting.list(9)).toHaveLength(2));
    await world.clock.advance(hour);
    await vi.waitFor(() => expect(world.store.answers.list(own)).toMatchObject([{ by: 'deadline' }]));
    expect(world.store.waiting.list(9).map(({ runId }) => runId)).toEqual([alone.runId]);
    await world.clock.advance(hour);
    expect((await ended).status).toBe('completed');
    expect(answerIn(world.told.filter(({ runId }) => runId === own))).toMatchObject({ by: 'deadline' });
  });

  test('12.4 an answer after it is rejected with its source and time, even if it had not been applied yet', async () => {
    const first = await open();
    const { runId, ended } = await first.run(approval(`deadlineMs: ${hour}, onDeadline: reject`));
    await ended;
    await close(first);
    const later = await open({ at: 2 * hour });
    await expect(later.executor.resumeRun({ runId, decision: 'approve', by: 'kim' })).rejects.toMatchObject({
      ...{ code: 'run.invalid-state', message: expect.stringContaining('was already answered by its deadline on ') },
      details: { by: 'deadline', at: later.clock.now() },
    });
    // The run resumes with the answer of the deadline.
    const { ended: end } = await later.executor.resumeRun({ runId });
    expect((await end).status).toBe('completed');
    await expect(later.executor.resumeRun({ runId, decision: 'approve', by: 'kim' })).rejects.toMatchObject({
      details: { by: 'deadline' },
    });
  });

  test('12.4 follows the clock, even when that is changed', async () => {
    const world = await open({ resumesAnswered: true });
    const { runId, ended } = await world.run(approval(`deadlineMs: ${hour}, onDeadline: approve`));
    await ended;
    world.clock.put(-10 * hour);
    await world.clock.advance(2 * hour);
    expect(world.store.getRun(runId)?.status).toBe('suspended');
    world.clock.put(20 * hour);
    await world.clock.advance(60_000);
    await vi.waitFor(() => expect(world.store.getRun(runId)?.status).toBe('completed'));
  });

  test('12.1 c is not part of the request: a request repeated in a resumed run has the same time left', async () => {
    const world = await open();
    const { runId, ended } = await world.run(form(`deadlineMs: ${hour}, onDeadline: fail`));
    await ended;
    const before = world.store.waiting.list(9);
    await world.clock.advance(1000);
    await (await world.executor.resumeRun({ runId })).ended;
    expect(world.store.waiting.list(9)).toEqual(before);
    const { ended: end } = await world.executor.resumeRun({ runId, payload: { values: {} } });
    expect((await end).status).toBe('completed');
  });

  test('rejects an answer given in the name of the deadline', async () => {
    const world = await open();
    const { runId, ended } = await world.run(form(''));
    await ended;
    const answer = { runId, payload: { values: {} }, by: 'deadline' };
    await expect(world.executor.resumeRun(answer)).rejects.toMatchObject({ code: 'answer.invalid' });
  });

  test.each([
    [approval('deadlineMs: 0'), 'deadlineMs'],
    [approval('onDeadline: approve'), 'needs deadlineMs'],
    [approval('deadlineMs: 5, onDeadline: later'), 'onDeadline'],
    [form('deadlineMs: 5, onDeadline: approve'), 'must be remind or fail'],
    [form('deadlineMs: 5, onDeadline: reject'), 'must be remind or fail'],
  ])('12.4 is rejected at its position before a run if it is invalid: %#', (text, said) => {
    const { diagnostics } = checkFlow(text, createNodeRegistry(builtinNodes));
    expect(diagnostics.map(({ severity, message, range }) => [severity, message, range.line > 1])).toEqual([
      ['error', expect.stringContaining(said), true],
    ]);
  });
});

describe('answers to one run from several programs', () => {
  const items = `
flow: { name: Items, policy: { maxParallel: 2 } }
nodes:
  - { id: each, type: control.foreach, input: { items: [a, b, c, d], body: [ask] } }
  - { id: ask, type: human_approval, input: { title: "{{item}}?" } }
edges: []`;
  const both = items.replace('edges: []', `  - { id: slow, type: control.wait, input: { ms: ${hour} } }\nedges: []`);
  const answer = (index: number, by = 'kim') => ({ nodeId: `each[${index}].ask`, decision: 'approve' as const, by });

  test('12.1 h the owner of the run logs an answer given to another program within a second', async () => {
    const [owner, other] = [await open(), await open()];
    const { runId } = await owner.run(both);
    await vi.waitFor(() => expect(owner.store.waiting.list(9)).toHaveLength(4));
    const taken = other.executor.resumeRun({ runId, ...answer(1) });
    await vi.waitFor(() => expect(other.store.answers.list(runId)).toHaveLength(1));
    await owner.clock.advance(1_000);
    expect(traceOf(owner.told, ['approval:resolved', 'task:complete'])).toEqual([
      'approval:resolved each[1].ask',
      'task:complete each[1].ask',
    ]);
    await other.clock.advance(1_000);
    expect((await (await taken).ended).status).toBe('running');
    expect(other.told).toEqual([]);
  });

  test('12.1 h to all requests of a suspended run count when given simultaneously in two programs, each request once', async () => {
    const [one, two] = [await open({ resumesAnswered: true }), await open()];
    const { runId, ended } = await one.run(items);
    expect((await ended).status).toBe('suspended');
    const given = [0, 1, 2, 3].flatMap((index) => [
      one.executor.resumeRun({ runId, ...answer(index, 'one') }),
      two.executor.resumeRun({ runId, ...answer(index, 'two') }),
    ]);
    let settled = false;
    const outcomes = Promise.allSettled(given).finally(() => {
      settled = true;
    });
    while (!settled) for (const world of [one, two]) await world.clock.advance(100);
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    await vi.waitFor(async () => {
      for (const world of [one, two]) await world.clock.advance(1_000);
      expect(one.store.getRun(runId)?.status).toBe('completed');
    });
    const log = one.store.readEvents(runId, -1, 1_000);
    expect(traceOf(log, ['approval:resolved']).toSorted()).toEqual(
      [0, 1, 2, 3].map((index) => `approval:resolved each[${index}].ask`),
    );
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
    expect([...one.failures, ...two.failures]).toEqual([]);
  });

  test('12.1 h the program that answers a suspended run owns it from then on', async () => {
    const first = await open();
    const { runId, ended } = await first.run(items);
    await ended;
    const [{ name, key = '', requestHash = '' } = { name: '' }] = first.store.waiting.list(9);
    const given = { name, key, requestHash, payload: { approved: true }, at: 5 };
    expect(first.store.claimAnswer(runId, given, true)).toBe(true);
    const other = await open();
    expect(() => other.store.claim(runId)).toThrow(expect.objectContaining({ code: 'run.invalid-state' }));
    expect(() => first.store.claimAnswer(runId, given, true)).toThrow(/answered/);
  });
});

describe('an engine that opens', () => {
  test('12.1 h resumes a run that was answered while no process owned it', async () => {
    const first = await open();
    const { runId, ended } = await first.run(approval(''));
    await ended;
    const [{ name, key = '', requestHash = '' } = { name: '' }] = first.store.waiting.list(9);
    first.store.answers.claim(runId, { name, key, requestHash, payload: { approved: true }, at: 5, by: 'kim' });
    await close(first);
    const idle = await open();
    await idle.clock.advance(hour);
    expect(idle.store.getRun(runId)?.status).toBe('suspended');
    await close(idle);
    const second = await open({ resumesAnswered: true });
    await second.clock.advance(0);
    await vi.waitFor(() => expect(second.store.getRun(runId)?.status).toBe('completed'));
    expect(second.failures).toEqual([]);
  });
});
