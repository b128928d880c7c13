/**
 * Tests that a run with models, tools, agents and requests to people survives kills of its worker at any moment: it ends,
 * nothing outside is done twice unasked, no recorded response is requested again, and the log is exact.
 */
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
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
  world = await openDurableTest({ files: killedFiles(service.url) });
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
  const ended = durable
    .whenEnded(runId, () => count++)
    .finally(() => {
      isOver = true;
    });
  const approving = (async () => {
    while (!isOver) {
      await durable.approveAll(runId);
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

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
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
  let kills = 0;
  let lost = 0;
  let seed = 7;
  while (kills < testRounds(4)) {
    const story = await tellStory(durable, async (after) => {
      seed = (seed * 16_807) % 2_147_483_647;
      // Fewer events would leave a worker too little time to continue the run.
      await after(seed % 40);
      await worker.kill();
      kills++;
      worker = await durable.startWorker();
    });
    lost += check(story);
    expect(resultOf(story.log)).toEqual(resultOf(whole.log));
  }
  await context.annotate(`${kills} kills, ${lost} responses lost between server and journal`);
});
