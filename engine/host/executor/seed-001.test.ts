/**
 * Tests the description of AIPack's executor sentence by sentence, as far as it can be observed on an executor alone.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import type { StartAgent } from './start-request.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor();
});
afterEach(() => world.close());

const endless = scriptSection('Before All', 'aip.run.pin("started", "x") while true do end');

async function start(agent: string, request: Partial<StartAgent> = {}) {
  const accepted = await world.executor.startAgent({ agent, ...request });
  if ('work' in accepted) throw new Error('It waits for work.');
  return accepted;
}

const typesOf = (id: RunId): string[] => world.told.flatMap(({ event, runId }) => (runId === id ? [event.type] : []));

async function begun(id: RunId): Promise<void> {
  const look = async (): Promise<string[]> => {
    // Events are batched for a short time.
    await world.clock.advance(20);
    return typesOf(id);
  };
  await expect.poll(look, { timeout: 20_000 }).toContain('pin');
}

function afterAllOf(id: RunId): unknown {
  const end = world.told.find(({ event, runId }) => event.type === 'run:end' && runId === id)?.event;
  return end?.type === 'run:end' ? (end.output as { after_all: unknown } | undefined)?.after_all : undefined;
}

describe('actions', () => {
  test('seed 001: are processed independently: a run that never ends does not block other actions', async () => {
    world.texts.set('endless.aip', endless);
    world.texts.set('quick.aip', scriptSection('After All', 'return "quick"'));
    const stuck = await start('endless.aip');
    await begun(stuck.runId);
    const quick = await start('quick.aip');
    expect((await quick.ended).status).toBe('completed');
    expect(typesOf(stuck.runId)).not.toContain('run:end');
    world.executor.cancelRun(stuck.runId);
    expect((await stuck.ended).status).toBe('cancelled');
  });

  test('seed 001: CancelRun without a run cancels all of them', async () => {
    world.texts.set('endless.aip', endless);
    const runs = [await start('endless.aip'), await start('endless.aip')];
    for (const { runId } of runs) await begun(runId);
    world.executor.cancelRun();
    expect((await Promise.all(runs.map(({ ended }) => ended))).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
  });

  test('seed 001: runs a called agent while its caller waits for it, for any number of callers', async () => {
    world.texts.set('child.aip', scriptSection('After All', 'return "child"'));
    world.texts.set('caller.aip', scriptSection('After All', 'return aip.agent.run("child.aip").after_all'));
    // More than the concurrency limit and the number of processors.
    const callers = await Promise.all(Array.from({ length: 12 }, () => start('caller.aip')));
    await Promise.all(callers.map(({ ended }) => ended));
    expect(callers.map(({ runId }) => afterAllOf(runId))).toEqual(callers.map(() => 'child'));
  });
});

describe('emitted events', () => {
  test('seed 001: StartExec and EndExec enclose a batch of actions, even when actions fail', async () => {
    const told: string[] = [];
    world.executor.watchActivity(({ type }) => told.push(type));
    world.texts.set('endless.aip', endless);
    const first = await start('endless.aip');
    await begun(first.runId);
    world.texts.set('broken.aip', scriptSection('After All', 'error("broken")'));
    await (await start('broken.aip')).ended;
    await expect(start('missing.aip')).rejects.toMatchObject({ code: 'agent.not-found' });
    expect(told).toEqual(['exec:start']);
    world.executor.cancelRun();
    await first.ended;
    await expect.poll(() => told, { timeout: 10_000 }).toEqual(['exec:start', 'exec:end']);
  });

  test('seed 001: RunStart and RunEnd are emitted for runs and redos only', async () => {
    world.texts.set('a.aip', scriptSection('After All', 'return 1'));
    const first = await start('a.aip');
    await first.ended;
    const again = await world.executor.redo({});
    await again.ended;
    world.executor.cancelRun();
    const waiting = await world.executor.startAgent({ agent: 'no@pack' });
    if (!('work' in waiting)) throw new Error('It ran.');
    await world.executor.cancelWork(waiting.work.workId);
    const ends = world.told.filter(({ event }) => /^run:(?:start|end)$/.test(event.type));
    expect(ends.map(({ runId, event }) => [runId, event.type])).toEqual([
      [first.runId, 'run:start'],
      [first.runId, 'run:end'],
      [again.runId, 'run:start'],
      [again.runId, 'run:end'],
    ]);
  });
});

describe('a run', () => {
  test('seed 001: accepts inputs or globs, which become file infos, but not both', async () => {
    world.texts.set('a.aip', scriptSection('After All', 'return inputs'));
    const texts = await start('a.aip', { inputs: ['x', 'y'] });
    const files = await start('a.aip', { files: ['a.md'] });
    await Promise.all([texts.ended, files.ended]);
    expect(afterAllOf(texts.runId)).toEqual(['x', 'y']);
    expect(afterAllOf(files.runId)).toEqual([{ _type: 'FileInfo', path: 'a.md', _display: expect.anything() }]);
    await expect(start('a.aip', { inputs: ['x'], files: ['a.md'] })).rejects.toMatchObject({
      code: 'agent.bad-inputs',
    });
  });

  test('seed 001: stores what is needed to redo it, including its inputs, and updates it with each redo', async () => {
    world.texts.set('a.aip', scriptSection('After All', 'return { inputs, CTX.REDO_COUNT or "absent" }'));
    const first = await start('a.aip', { inputs: ['x'] });
    await first.ended;
    const second = await world.executor.redo({});
    await second.ended;
    const third = await world.executor.redo({});
    await third.ended;
    expect(afterAllOf(third.runId)).toEqual([['x'], 'absent']);
    const lineage = world.told.flatMap(({ event }) => (event.type === 'run:start' ? [event.redoOf] : []));
    expect(lineage).toEqual([undefined, first.runId, second.runId]);
  });

  test('seed 001: a missing agent with an @ in its name becomes Work to install its pack', async () => {
    await expect(start('plain')).rejects.toMatchObject({ code: 'agent.not-found' });
    const waiting = await world.executor.startAgent({ agent: 'demo@proof', inputs: ['x'] });
    if (!('work' in waiting)) throw new Error('It ran.');
    expect(waiting.work).toMatchObject({ kind: 'install', status: 'waiting' });
    world.texts.set('repository/demo@proof', scriptSection('After All', 'return inputs'));
    const accepted = await world.executor.confirmWork(waiting.work.workId);
    if ('work' in accepted) throw new Error('It waits again.');
    await accepted.ended;
    expect(world.installed).toEqual(['demo@proof']);
    expect(afterAllOf(accepted.runId)).toEqual(['x']);
  });
});
