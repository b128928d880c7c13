/**
 * Tests that a run with models, tools, agents and requests to people survives the death of any process at any moment:
 * its worker, Restate or PostgreSQL. It ends, nothing outside is done twice unasked, no recorded response is requested
 * again, and the log is exact.
 */
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { type CountingService, startCountingService } from '../../testing/counting-service.ts';
import { bookings, killedFiles, killedFlow } from '../../testing/durable-kills.ts';
import { type DurableWorld, openDurableTest, type TestWorker } from '../../testing/durable-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { testRounds } from '../../testing/test-rounds.ts';

let service: CountingService;
let world: DurableWorld | { readonly missing: string };
let worker: TestWorker;

beforeAll(async () => {
  service = await startCountingService();
  world = await openDurableTest({ files: killedFiles(service.url), hasOwnServers: true });
  if ('history' in world) worker = await world.startWorker();
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
  await service.close();
});

/** Counts since an earlier point in time. */
function sinceThen(
  counts: ReadonlyMap<string, number>,
  then: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const rest = [...counts].map(([key, count]) => [key, count - (then.get(key) ?? 0)] as const);
  return new Map(rest.filter(([, count]) => count > 0));
}

interface Story {
  readonly log: readonly EventEnvelope[];
  readonly booked: ReadonlyMap<string, number>;
  readonly answered: ReadonlyMap<string, number>;
}

/**
 * Runs the flow, approving whatever it asks.
 * @param disturb called repeatedly until the run has ended, with a function that resolves after this many more events
 */
async function tellStory(
  durable: DurableWorld,
  disturb: (after: (events: number) => Promise<void>) => Promise<void>,
): Promise<Story> {
  const then = { booked: new Map(service.booked), answered: new Map(service.answered) };
  const runId = await durable.start(killedFlow(service.url));
  let [isOver, count] = [false, 0];
  const ended = whenEnded(durable, runId, () => count++).finally(() => {
    isOver = true;
  });
  const approving = (async () => {
    while (!isOver) {
      await unlessAway(() => durable.approveAll(runId));
      await pause();
    }
  })();
  const after = async (events: number): Promise<void> => {
    const wanted = count + events;
    while (!isOver && count < wanted) await pause();
  };
  while (!isOver) await disturb(after);
  await approving;
  return {
    log: await ended,
    booked: sinceThen(service.booked, then.booked),
    answered: sinceThen(service.answered, then.answered),
  };
}

function pause(ms = 20): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Does nothing while the database is away. */
async function unlessAway<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'store.unreachable') throw error;
    return undefined;
  }
}

async function whenEnded(durable: DurableWorld, runId: RunId, onEvent: () => void): Promise<readonly EventEnvelope[]> {
  let told = 0;
  for (;;) {
    let seen = 0;
    // After an outage, the events are read again from the first.
    const log = await unlessAway(() =>
      durable.whenEnded(runId, () => {
        seen++;
        if (seen <= told) return;
        told = seen;
        onEvent();
      }),
    );
    if (log !== undefined) return log;
    await pause();
  }
}

/** Returns a function that returns positive numbers that look random, the same ones in each run of the test. */
function numbersFrom(seed: number): () => number {
  let last = seed;
  return () => {
    last = (last * 16_807) % 2_147_483_647;
    return last;
  };
}

/** Returns the result without the headers of responses, which contain the time. */
function resultOf(log: readonly EventEnvelope[]): unknown {
  const { status, output, failedNodes } = foldRun(emptyRunState, log);
  const text = JSON.stringify({ status, output, failed: [...failedNodes] });
  return JSON.parse(text, (key, value: unknown) => (key === 'headers' ? undefined : value));
}

/** Returns how many responses were paid for and lost before they could be recorded. */
function check({ log, booked, answered }: Story): number {
  expect(resultOf(log)).toMatchObject({ status: 'completed', failed: [] });
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
  expect(openScopes(log)).toEqual([]);
  expect([...booked.keys()].sort()).toEqual(bookings);
  const asked = log.filter(
    ({ event }) => event.type === 'node:suspended' && event.request.reason === 'operator',
  ).length;
  const toolsAsked = log.filter(
    ({ event }) => event.type === 'approval:requested' && event.key.includes(':cut:'),
  ).length;
  const twice = [...booked.values()].reduce((sum, count) => sum + count - 1, 0);
  expect(twice).toBeLessThanOrEqual(asked + toolsAsked);
  const responses = new Map<string, number>();
  for (const { runId, context, event } of log) {
    if (event.type !== 'model:response') continue;
    const key = `${runId} ${context.task?.id} ${event.callKey}`;
    responses.set(key, (responses.get(key) ?? 0) + 1);
  }
  expect([...responses].filter(([, count]) => count > 1)).toEqual([]);
  const paid = [...answered.values()].reduce((sum, count) => sum + count, 0);
  return paid - responses.size;
}

function open({ skip }: TestContext): DurableWorld {
  return 'missing' in world ? skip(world.missing) : world;
}

test('13.11 killed workers lose nothing and repeat nothing unasked', { timeout: 3_600_000 }, async (context) => {
  const durable = open(context);
  const whole = await tellStory(durable, (after) => after(1000));
  expect(check(whole)).toBe(0);
  expect([...whole.booked.values()].every((count) => count === 1)).toBe(true);
  const next = numbersFrom(7);
  let [kills, lost] = [0, 0];
  while (kills < testRounds(4)) {
    const story = await tellStory(durable, async (after) => {
      // Fewer events would leave a worker too little time to continue the run.
      await after(next() % 40);
      await worker.kill();
      kills++;
      worker = await durable.startWorker();
    });
    lost += check(story);
    expect(resultOf(story.log)).toEqual(resultOf(whole.log));
  }
  await context.annotate(`${kills} kills, ${lost} responses lost between server and journal`);
});

test('13.11 while Restate or PostgreSQL is away, running work continues', { timeout: 3_600_000 }, async (context) => {
  const durable = open(context);
  const { servers } = durable;
  if (servers.length === 0) context.skip('Servers that the test did not start are not killed.');
  const next = numbersFrom(11);
  let kills = 0;
  while (kills < testRounds(servers.length)) {
    const story = await tellStory(durable, async (after) => {
      await after(next() % 60);
      const server = servers[kills++ % servers.length];
      await server?.kill();
      await pause(next() % 500);
      await server?.start();
    });
    // The worker lives, so that nothing is lost and nobody has to decide.
    expect(check(story)).toBe(0);
    expect([...story.booked.values()].every((count) => count === 1)).toBe(true);
  }
  await context.annotate(`${kills} kills of Restate and PostgreSQL`);
});
