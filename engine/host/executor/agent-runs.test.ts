import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { RunStartEvent } from '../../runtime/kernel/events/run-event.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import type { AcceptedRun } from './active-runs.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor();
});
afterEach(() => world.close());

const counting = scriptSection('After All', 'return CTX.RUN_FLOW_REDO_COUNT');
/** Returns an agent that requests a redo until the chain has `times` earlier runs. */
function redoing(times: number): string {
  return scriptSection(
    'After All',
    `if (CTX.RUN_FLOW_REDO_COUNT or 0) < ${times} then return aip.flow.redo_run() end\nreturn CTX.RUN_FLOW_REDO_COUNT`,
  );
}

type Run = Pick<AcceptedRun, 'runId'> & { readonly ended: Promise<unknown> };

async function start(agent: string): Promise<AcceptedRun> {
  const accepted = await world.executor.startAgent({ agent });
  if ('work' in accepted) throw new Error(`The run of ${agent} waits for work.`);
  return accepted;
}

function redo(runId?: RunId): Promise<AcceptedRun> {
  return world.executor.redo(runId === undefined ? {} : { runId });
}

/** Returns the redo of a run, after advancing the clock past the delay. */
async function nextOf({ runId, ended }: Run): Promise<Run | undefined> {
  await ended;
  const next = world.executor.whenRedone(runId);
  await world.clock.advance(500);
  const nextId = await next;
  if (nextId === undefined) return undefined;
  // A run that has already ended is no longer active.
  return { runId: nextId, ended: world.executor.whenActiveEnded(nextId) ?? Promise.resolve() };
}

function startsOf(): readonly RunStartEvent[] {
  return world.told.flatMap(({ event }) => (event.type === 'run:start' ? [event] : []));
}

function afterAllOf(runId: RunId): unknown {
  const end = world.told.find(({ event, runId: id }) => event.type === 'run:end' && id === runId)?.event;
  return end?.type === 'run:end' ? (end.output as { after_all: unknown } | undefined)?.after_all : undefined;
}

describe('a chain of redos', () => {
  test('AP-7 runs three times if After All requests two redos: linked, counted, half a second apart', async () => {
    world.texts.set('a.aip', redoing(2));
    const first = await start('a.aip');
    const second = await nextOf(first);
    const third = second && (await nextOf(second));
    await third?.ended;
    const starts = startsOf();
    expect(starts.map(({ redoOf }) => redoOf)).toEqual([undefined, first.runId, second?.runId]);
    expect(starts.map(({ redoCount }) => redoCount)).toEqual([undefined, 1, 2]);
    expect(afterAllOf(third?.runId ?? asRunId(''))).toBe(2);
    const times = world.told.filter(({ event }) => /^run:(start|end)$/.test(event.type)).map(({ at }) => at);
    expect([(times[2] ?? 0) - (times[1] ?? 0), (times[4] ?? 0) - (times[3] ?? 0)]).toEqual([500, 500]);
    expect(await world.executor.whenRedone(third?.runId ?? asRunId(''))).toBeUndefined();
  });

  test('AP-8 a redo requested by a person starts a new chain, without a count', async () => {
    world.texts.set('a.aip', redoing(1));
    const second = await nextOf(await start('a.aip'));
    await second?.ended;
    world.texts.set('a.aip', counting);
    const byHand = await redo();
    await byHand.ended;
    const last = startsOf().at(-1);
    expect(last?.redoOf).toBe(second?.runId);
    expect(last && 'redoCount' in last).toBe(false);
    expect(afterAllOf(byHand.runId)).toBeNull();
  });

  test('AP-25 Before All requests one: no input is processed, After All does not run, and the next run follows half a second later', async () => {
    const text = `${scriptSection('Before All', 'if not CTX.RUN_FLOW_REDO_COUNT then return aip.flow.redo_run() end')}${scriptSection('Data', 'return 1')}${scriptSection('After All', 'return "after"')}`;
    world.texts.set('a.aip', text);
    const first = await start('a.aip');
    const second = await nextOf(first);
    await second?.ended;
    const typesOf = (runId: RunId | undefined): string[] =>
      world.told.flatMap((told) => (told.runId === runId ? [told.event.type] : []));
    expect(typesOf(first.runId)).not.toContain('task:start');
    expect(typesOf(second?.runId)).toContain('task:start');
    expect([afterAllOf(first.runId), afterAllOf(second?.runId ?? asRunId(''))]).not.toContain(undefined);
    expect(afterAllOf(second?.runId ?? asRunId(''))).toBe('after');
  });

  test('AP-27 a new run has no count, regardless of earlier runs', async () => {
    world.texts.set('a.aip', redoing(1));
    await (await nextOf(await start('a.aip')))?.ended;
    world.texts.set('b.aip', counting);
    const fresh = await start('b.aip');
    await fresh.ended;
    expect(afterAllOf(fresh.runId)).toBeNull();
    expect(startsOf().at(-1)?.redoOf).toBeUndefined();
  });

  test('AP-28 a failed redo keeps its reference to the earlier run, which can be redone manually', async () => {
    world.texts.set('a.aip', counting);
    const first = await start('a.aip');
    await first.ended;
    world.texts.set('a.aip', scriptSection('Before All', 'error("broken")'));
    expect((await (await redo()).ended).status).toBe('failed');
    world.texts.set('a.aip', counting);
    const again = await redo();
    expect((await again.ended).status).toBe('completed');
    expect(startsOf().at(-1)?.redoOf).toBe(first.runId);
  });

  test('AP-29 a redo uses the current file', async () => {
    world.texts.set('a.aip', redoing(1));
    const first = await start('a.aip');
    await first.ended;
    world.texts.set('a.aip', scriptSection('After All', 'return "edited"'));
    const second = await nextOf(first);
    await second?.ended;
    expect(afterAllOf(second?.runId ?? asRunId(''))).toBe('edited');
  });

  test('AP-32 both names of the count have the same value', async () => {
    const ask = 'if not CTX.REDO_COUNT then return aip.flow.redo_run() end\n';
    world.texts.set('a.aip', scriptSection('After All', `${ask}return { CTX.REDO_COUNT, CTX.RUN_FLOW_REDO_COUNT }`));
    const second = await nextOf(await start('a.aip'));
    await second?.ended;
    expect(afterAllOf(second?.runId ?? asRunId(''))).toEqual([1, 1]);
  });

  test('is stopped by canceling during the delay', async () => {
    world.texts.set('a.aip', redoing(9));
    const first = await start('a.aip');
    await first.ended;
    world.executor.cancelRun();
    await world.clock.advance(5_000);
    expect(await world.executor.whenRedone(first.runId)).toBeUndefined();
    expect(startsOf()).toHaveLength(1);
  });

  test('that cannot start reports the reason, and the last run can be redone manually', async () => {
    world.texts.set('a.aip', redoing(1));
    const first = await start('a.aip');
    await first.ended;
    world.texts.delete('a.aip');
    const next = world.executor.whenRedone(first.runId);
    await world.clock.advance(500);
    expect(await next).toBeUndefined();
    expect(world.failures.map(({ code }) => code)).toEqual(['agent.not-found']);
    world.texts.set('a.aip', counting);
    expect((await (await redo()).ended).status).toBe('completed');
  });

  test('nothing can be redone before the first run has ended', async () => {
    await expect(redo()).rejects.toMatchObject({ code: 'redo.nothing' });
  });
});

describe('activity of the executor', () => {
  test('AP-30 is reported at its start and end, also when an action fails, and not between the runs of a chain', async () => {
    const told: string[] = [];
    world.executor.watchActivity(({ type }) => told.push(type));
    await expect(start('missing.aip')).rejects.toMatchObject({ code: 'agent.not-found' });
    expect(told).toEqual(['exec:start', 'exec:end']);
    world.texts.set('a.aip', redoing(2));
    const second = await nextOf(await start('a.aip'));
    expect(told).toEqual(['exec:start', 'exec:end', 'exec:start']);
    const third = second && (await nextOf(second));
    await third?.ended;
    await world.executor.whenRedone(third?.runId ?? asRunId(''));
    await expect.poll(() => told, { timeout: 10_000 }).toEqual(['exec:start', 'exec:end', 'exec:start', 'exec:end']);
  });
});

describe('a missing pack', () => {
  test('AP-31 becomes work to install it; after consent it is installed and then the agent is run', async () => {
    world.texts.set('repository/demo@proof', scriptSection('After All', 'return "proofed"'));
    const waiting = await world.executor.startAgent({ agent: 'demo@proof' });
    if (!('work' in waiting)) throw new Error('It ran.');
    expect(waiting.work).toMatchObject({ kind: 'install', status: 'waiting', data: { packRef: 'demo@proof' } });
    expect(world.installed).toEqual([]);
    const accepted = await world.executor.confirmWork(waiting.work.workId);
    if ('work' in accepted) throw new Error('It waits again.');
    await accepted.ended;
    expect(world.installed).toEqual(['demo@proof']);
    expect(afterAllOf(accepted.runId)).toBe('proofed');
    expect(world.store.works.get(waiting.work.workId)).toMatchObject({
      status: 'completed',
      message: 'demo@proof v1.0.0',
    });
    await expect(world.executor.confirmWork(waiting.work.workId)).rejects.toMatchObject({
      code: 'work.done',
    });
  });

  test('is not installed if the person declines', async () => {
    const waiting = await world.executor.startAgent({ agent: 'demo@proof' });
    if (!('work' in waiting)) throw new Error('It ran.');
    await world.executor.cancelWork(waiting.work.workId);
    expect(world.store.works.get(waiting.work.workId)?.status).toBe('cancelled');
    expect(world.installed).toEqual([]);
    await expect(world.executor.cancelWork('no-such')).rejects.toMatchObject({
      code: 'work.not-found',
    });
  });
});

describe('agents that call agents', () => {
  test('AP-23 a redo requested by a called agent is only reported to its caller', async () => {
    world.texts.set('child.aip', redoing(1));
    world.texts.set('a.aip', scriptSection('Before All', 'return aip.agent.run("child.aip").redo_requested'));
    const run = await start('a.aip');
    expect((await run.ended).status).toBe('completed');
    expect(startsOf().map(({ name }) => name)).toEqual(['a.aip', 'child.aip']);
    expect(await world.executor.whenRedone(run.runId)).toBeUndefined();
  });

  test('circular calls are stopped at a depth that the error names', async () => {
    world.texts.set('a.aip', scriptSection('Before All', 'return aip.agent.run("a.aip")'));
    const end = await (await start('a.aip')).ended;
    expect(end.status).toBe('failed');
    expect(end.error?.message).toMatch(/agent calls are nested 16 deep/);
    expect(startsOf()).toHaveLength(17);
  });
});
