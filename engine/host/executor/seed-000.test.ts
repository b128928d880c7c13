import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { RunEndEvent } from '../../runtime/kernel/events/run-event.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import type { EndedRun } from './active-runs.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor();
});
afterEach(() => world.close());

const file = 'a.aip';
const readsCount = scriptSection('After All', 'return CTX.RUN_FLOW_REDO_COUNT or "absent"');
const asksTwice = scriptSection(
  'After All',
  'if (CTX.RUN_FLOW_REDO_COUNT or 0) < 2 then return aip.flow.redo_run() end',
);

interface Run {
  readonly runId: RunId;
  readonly ended: Promise<Pick<EndedRun, 'status'>>;
}

async function start(text: string): Promise<Run> {
  world.texts.set(file, text);
  const accepted = await world.executor.startAgent({ agent: file });
  if ('work' in accepted) throw new Error('The run waits for work.');
  return accepted;
}

/** Returns the run that the executor starts at the request of this one; undefined if it starts none. */
async function next({ runId, ended }: Run, waitMs = 500): Promise<Run | undefined> {
  await ended;
  const redone = world.executor.whenRedone(runId);
  await world.clock.advance(waitMs);
  const nextId = await redone;
  if (nextId === undefined) return undefined;
  return { runId: nextId, ended: endOf(nextId) };
}

/** Returns the last event of a run that has started and may already have ended. */
async function endOf(id: RunId): Promise<RunEndEvent> {
  await world.executor.whenActiveEnded(id);
  const [end] = world.told.flatMap(({ event, runId }) => (event.type === 'run:end' && runId === id ? [event] : []));
  if (end === undefined) throw new Error(`The run ${id} has no end`);
  return end;
}

/** Returns the count of each started run; the first run has none. */
function counts(): (number | undefined)[] {
  return world.told.flatMap(({ event }) => (event.type === 'run:start' ? [event.redoCount] : []));
}

async function afterAllOf(id: RunId): Promise<unknown> {
  return ((await endOf(id)).output as { after_all: unknown } | undefined)?.after_all;
}

describe('an accepted redo', () => {
  test('seed 000: is requested by the run and scheduled by the executor, which waits 500 ms before it', async () => {
    const first = await start(asksTwice);
    expect((await first.ended).status).toBe('completed');
    await world.clock.advance(499);
    expect(counts()).toEqual([undefined]);
    await world.clock.advance(1);
    await expect.poll(counts, { timeout: 10_000 }).toEqual([undefined, 1]);
  });

  test('seed 000: chains from the initial run and from a redo as long as each run requests it, and increments the count', async () => {
    const second = await next(await start(asksTwice));
    const third = second && (await next(second));
    expect(third && (await next(third))).toBeUndefined();
    expect(counts()).toEqual([undefined, 1, 2]);
  });

  test('seed 000: a redo lets an agent reload its own code', async () => {
    const first = await start(asksTwice);
    await first.ended;
    world.texts.set(file, readsCount);
    const second = await next(first);
    await second?.ended;
    expect(second && (await afterAllOf(second.runId))).toBe(1);
  });
});

describe('the count', () => {
  test('seed 000: is absent in a normal first run', async () => {
    const first = await start(readsCount);
    await first.ended;
    expect(await afterAllOf(first.runId)).toBe('absent');
  });

  test('seed 000: restarts with a new top-level run', async () => {
    await (await next(await start(asksTwice)))?.ended;
    await world.clock.advance(500);
    const fresh = await start(readsCount);
    await fresh.ended;
    expect(await afterAllOf(fresh.runId)).toBe('absent');
  });

  test.each(['Data', 'Output'])('AP-26 seed 000: does not advance when a redo from %s is rejected', async (heading) => {
    const refused = await start(scriptSection(heading, 'return aip.flow.redo_run()'));
    expect((await refused.ended).status).toBe('failed');
    expect(await next(refused)).toBeUndefined();
    expect(counts()).toEqual([undefined]);
    world.texts.set(file, readsCount);
    const byHand = await world.executor.redo({});
    await byHand.ended;
    expect(await afterAllOf(byHand.runId)).toBe('absent');
  });
});

test('seed 000: when a redo fails, the previous run can still be redone manually', async () => {
  const first = await start(asksTwice);
  await first.ended;
  world.texts.set(file, scriptSection('Before All', 'error("broken")'));
  const second = await next(first);
  expect((await second?.ended)?.status).toBe('failed');
  expect(second && (await next(second))).toBeUndefined();
  world.texts.set(file, readsCount);
  const byHand = await world.executor.redo({});
  expect((await byHand.ended).status).toBe('completed');
  expect(await afterAllOf(byHand.runId)).toBe('absent');
});
