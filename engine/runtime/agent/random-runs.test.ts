import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createFakeScripts, type ScriptCall } from '../../testing/fake-scripts.ts';
import { scriptSection, startAgentText } from '../../testing/run-agent-file.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';

/** Returns a seeded random number generator for the range 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function turns(count: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const step = (left: number): void => {
      if (signal.aborted) reject(signal.reason);
      else if (left === 0) resolve();
      else setImmediate(() => step(left - 1));
    };
    step(count);
  });
}

const directive = (kind: string): JsonValue => ({ _aipack_: { kind } });

/** Runs an agent with random outcomes of its inputs, canceled at a random point or not at all. */
async function randomRun(seed: number) {
  const random = createRandom(seed);
  const count = Math.floor(random() * 20);
  const concurrency = Math.floor(random() * 6);
  const allowsFailures = random() < 0.5;
  const failShare = random() * 0.3;
  let inFlight = 0;
  let most = 0;
  const stage = async ({ globals, signal }: ScriptCall, skipShare: number): Promise<JsonValue> => {
    const [waits, chance] = [Math.floor(random() * 4), random()];
    most = Math.max(most, ++inFlight);
    try {
      await turns(waits, signal);
    } finally {
      inFlight--;
    }
    if (chance < failShare) throw new EngineError({ code: 'lua.error', message: `bad ${globals['input']}` });
    return chance > 1 - skipShare ? directive('Skip') : (globals['input'] ?? null);
  };
  const scripts = createFakeScripts({ Data: (call) => stage(call, 0.2), Output: (call) => stage(call, 0.1) });
  const run = startAgentText(scriptSection('Data', 'Data') + scriptSection('Output', 'Output'), {
    scripts,
    inputs: Array.from({ length: count }, (_, index) => `in ${index}`),
    baseOptions: { input_concurrency: concurrency, allow_run_on_task_fail: allowsFailures },
  });
  const isCancelled = random() < 0.4;
  if (isCancelled) void turns(Math.floor(random() * 12), new AbortController().signal).then(() => run.cancel());
  return { ...(await run.done), count, concurrency, allowsFailures, isCancelled, most };
}

/** Returns the types of the first and last events per task, without the prefix. */
function tasksOf(events: readonly EventEnvelope[]): Map<string, string[]> {
  const tasks = new Map<string, string[]>();
  for (const { event } of events) {
    if (!event.type.startsWith('task:') || !('taskId' in event)) continue;
    const known = tasks.get(event.taskId ?? '') ?? [];
    tasks.set(event.taskId ?? '', [...known, event.type.slice('task:'.length)]);
  }
  return tasks;
}

describe('random runs', () => {
  const seeds = Array.from({ length: testRounds(60) }, (_, seed) => seed);

  test.each(seeds)('run %i satisfies all invariants', async (seed) => {
    const { result, end, events, state, ...made } = await randomRun(seed);
    const tasks = tasksOf(events);
    for (const steps of tasks.values()) expect(steps).toEqual(['start', expect.not.stringMatching('start')]);
    expect([...tasks.keys()]).toEqual([...tasks.keys()].sort(byNumber));
    expect(made.most).toBeLessThanOrEqual(Math.max(1, made.concurrency));
    expect(end.failedNodes).toEqual([...state.failedNodes]);
    expect(state.status).toBe(result.status);
    const stages = (type: string) => events.filter(({ event }) => event.type === type).length;
    expect(stages('stage:start')).toBe(stages('stage:end'));
    if (result.status === 'completed') {
      expect(result.outputs).toHaveLength(Math.max(1, made.count));
      expect([...tasks]).toEqual(result.outputs?.map((output, index) => [`input:${index}`, ['start', endOf(output)]]));
    }
    if (result.status === 'cancelled') expect(made.isCancelled).toBe(true);
    if (result.status === 'failed') expect([made.allowsFailures, result.error?.code]).toEqual([false, 'lua.error']);
  });
});

function endOf(output: JsonValue): string {
  if (output === null) return expect.stringMatching(/skipped|complete/);
  return typeof output === 'string' ? 'complete' : 'failed';
}

function byNumber(left: string, right: string): number {
  return Number(left.split(':')[1]) - Number(right.split(':')[1]);
}
