import { afterEach, describe, expect, test } from 'vitest';
import { EngineError, type ErrorRecord, toErrorRecord } from '../../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { prepareInput } from '../../../language/schema/coerce-input.ts';
import type { LoopBody, LoopItem, LoopItemResult, NodeRunContext } from '../../flow/node-type.ts';
import { controlForeachNode } from './control-foreach-node.ts';

type RunItem = (item: LoopItem) => Promise<LoopItemResult>;

interface World {
  readonly body: LoopBody;
  /** Indexes in the order in which they started. */
  readonly started: readonly number[];
  /** Maximum number of items that ran at the same time. */
  readonly most: number;
}

let underWay = 0;

/** A body that runs items with `run` and counts them. */
function worldOf(run: RunItem): World {
  const started: number[] = [];
  const world = { most: 0, started };
  underWay = 0;
  const body: LoopBody = {
    async run(item) {
      started.push(item.index);
      underWay++;
      world.most = Math.max(world.most, underWay);
      try {
        return await run(item);
      } finally {
        underWay--;
      }
    },
  };
  return Object.assign(world, { body });
}

afterEach(() => {
  // The node never ends before its items.
  expect(underWay).toBe(0);
});

function start(input: JsonMap, { body }: Pick<World, 'body'>, signal = new AbortController().signal) {
  const prepared = prepareInput(controlForeachNode.inputSchema, { body: ['a'], ...input });
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.problems));
  // The runner sets the other fields; this type uses only these.
  const context = { nodeId: 'each', input: prepared.value, signal, body } as unknown as NodeRunContext<
    never,
    never,
    never
  >;
  return controlForeachNode.run(context);
}

async function iterationsOf(run: Promise<JsonValue>): Promise<JsonValue[]> {
  return ((await run) as { iterations: JsonValue[] }).iterations;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = () => false;
const done: RunItem = async ({ index }) => ({ outputs: { a: index }, holds: never });
const broken: ErrorRecord = { code: 'a.broken', message: 'No luck', nodeId: 'a', recoverable: true, stack: 'at …' };

/** Waits until its signal aborts, then rejects as the runner does. */
const untilStopped: RunItem = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

describe('iteration', () => {
  test('returns each item with its outputs, in the order of the list', async () => {
    const items = ['x', null, { deep: [1] }];
    const roots: unknown[] = [];
    const world = worldOf(async (item) => {
      roots.push(item.roots);
      return await done(item);
    });
    expect(await iterationsOf(start({ items }, world))).toEqual([
      { index: 0, item: 'x', outputs: { a: 0 } },
      { index: 1, item: null, outputs: { a: 1 } },
      { index: 2, item: { deep: [1] }, outputs: { a: 2 } },
    ]);
    expect(roots).toEqual(items.map((item, index) => ({ item, loop: { index } })));
    expect(world.most).toBe(1);
  });

  test('names the item as configured', async () => {
    const world = worldOf(async ({ roots }) => ({ outputs: { names: Object.keys(roots) }, holds: never }));
    const [first] = await iterationsOf(start({ items: [1], as: 'note' }, world));
    expect(first).toMatchObject({ outputs: { names: ['note', 'loop'] } });
  });

  test('an empty list runs nothing', async () => {
    const world = worldOf(done);
    expect(await start({ items: [] }, world)).toEqual({ iterations: [] });
    expect(world.started).toEqual([]);
  });

  test('never exceeds the concurrency limit and keeps the order of items, whichever ends first', async () => {
    const ends: Array<() => void> = [];
    const world = worldOf(async (item) => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return await done(item);
    });
    const run = iterationsOf(start({ items: [0, 1, 2, 3, 4], maxParallel: 3 }, world));
    while (underWay < 3) await turn();
    for (let ended = 0; ended < 5; ended++) {
      ends.pop()?.();
      await turn();
    }
    expect((await run).map((iteration) => (iteration as { index: number }).index)).toEqual([0, 1, 2, 3, 4]);
    expect(world.most).toBe(3);
    expect(world.started).toEqual([0, 1, 2, 3, 4]);
  });

  test('iterates over ten thousand items', async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => index);
    const world = worldOf(done);
    const iterations = await iterationsOf(start({ items, maxParallel: 16 }, world));
    expect(iterations).toHaveLength(10_000);
    expect(iterations[9_999]).toEqual({ index: 9_999, item: 9_999, outputs: { a: 9_999 } });
    expect(world.started).toEqual(items);
    expect(world.most).toBe(16);
  });
});

describe('a list that is too long', () => {
  const long = Array.from({ length: 100_001 }, () => 0);

  test('a list that is too long fails before anything starts', async () => {
    const world = worldOf(done);
    const error = await start({ items: long }, world).catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'loop.too-many-items', details: { items: 100_001, maxItems: 100_000 } });
    expect((error as ErrorRecord).message).toContain('100,001 items, but the loop accepts at most 100,000');
    expect(world.started).toEqual([]);
  });

  test('maxItems sets the length limit above or below the default', async () => {
    expect(await iterationsOf(start({ items: long, maxItems: 100_001, maxParallel: 16 }, worldOf(done)))).toHaveLength(
      100_001,
    );
    const error = await start({ items: [1, 2, 3], maxItems: 2 }, worldOf(done)).catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'loop.too-many-items' });
  });
});

describe('a failing item', () => {
  const failing =
    (failingIndex: number, others: RunItem = done): RunItem =>
    (item) =>
      item.index === failingIndex
        ? Promise.resolve({ outputs: { a: 'half' }, holds: never, error: broken })
        : others(item);

  test('a failing item fails the loop with its position and error, and no further item starts', async () => {
    const world = worldOf(failing(1));
    const error = await start({ items: [0, 1, 2, 3] }, world).catch(toErrorRecord);
    expect(error).toEqual({
      code: 'loop.item-failed',
      message: 'Item 1 failed at "each[1].a": No luck',
      recoverable: true,
      details: { index: 1, node: 'each[1].a', message: 'No luck', error: broken },
    });
    expect(world.started).toEqual([0, 1]);
  });

  test('a failing item cancels running items and waits for them', async () => {
    const reasons: unknown[] = [];
    const world = worldOf(
      failing(2, async (item) => {
        await untilStopped(item).catch((reason) => reasons.push(toErrorRecord(reason).code));
        await turn();
        throw item.signal.reason;
      }),
    );
    const error = await start({ items: [0, 1, 2, 3, 4], maxParallel: 3 }, world).catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'loop.item-failed', message: 'Item 2 failed at "each[2].a": No luck' });
    expect(reasons).toEqual(['run.fail-fast', 'run.fail-fast']);
    expect(world.started).toEqual([0, 1, 2]);
  });

  test('a tolerated item keeps its outputs and its error without the stack', async () => {
    const world = worldOf(failing(1));
    expect(await iterationsOf(start({ items: ['x', 'y', 'z'], tolerate: true }, world))).toEqual([
      { index: 0, item: 'x', outputs: { a: 0 } },
      {
        index: 1,
        item: 'y',
        outputs: { a: 'half' },
        error: { code: 'a.broken', message: 'No luck', nodeId: 'a' },
      },
      { index: 2, item: 'z', outputs: { a: 2 } },
    ]);
  });
});

describe('stopping', () => {
  test('an error thrown by the body ends the loop after the running items, even if failures are tolerated', async () => {
    const suspended = new EngineError({ code: 'run.suspended', message: 'A node waits for a person' });
    const signals: AbortSignal[] = [];
    const world = worldOf(async (item) => {
      signals.push(item.signal);
      if (item.index === 1) throw suspended;
      await turn();
      return await done(item);
    });
    const run = start({ items: [0, 1, 2, 3, 4], maxParallel: 2, tolerate: true }, world);
    await expect(run).rejects.toBe(suspended);
    expect(world.started).toEqual([0, 1]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  test('a canceled loop passes on the reason and starts nothing more', async () => {
    const controller = new AbortController();
    const reason = new EngineError({ code: 'run.cancelled', message: 'The run was canceled' });
    const world = worldOf(untilStopped);
    const run = start({ items: [0, 1, 2, 3], maxParallel: 2 }, world, controller.signal);
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    expect(world.started).toEqual([0, 1]);
  });

  test('a loop that is already canceled starts nothing', async () => {
    const reason = new EngineError({ code: 'run.cancelled', message: 'The run was canceled' });
    const world = worldOf(done);
    await expect(start({ items: [0] }, world, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(world.started).toEqual([]);
  });

  test("a finished loop removes its listener from the run's signal", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = {
      aborted: false,
      reason: undefined,
      throwIfAborted: () => signal.throwIfAborted(),
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    };
    // Counts listeners that the node adds and removes, which Node's own signal does not report.
    await start({ items: [1, 2, 3] }, worldOf(done), counted as unknown as AbortSignal);
    expect(listeners).toBe(0);
  });
});

describe('input of the loop', () => {
  test.each([
    [{ items: 'x' }],
    [{ items: [1], as: 'loop' }],
    [{ items: [1], as: 'flow' }],
    [{ items: [1], as: '__proto__' }],
    [{ items: [1], as: 'a-b' }],
    [{ items: [1], maxParallel: 0 }],
    [{ items: [1], maxParallel: 1.5 }],
    [{ items: [1], maxItems: 0 }],
    [{ items: [1], body: [null] }],
  ])('rejects the input %j', (input) => {
    expect(prepareInput(controlForeachNode.inputSchema, { body: ['a'], ...input }).ok).toBe(false);
  });

  test('optional inputs have defaults', () => {
    expect(prepareInput(controlForeachNode.inputSchema, { items: [], body: ['a'] })).toEqual({
      ok: true,
      value: {
        items: [],
        as: 'item',
        body: ['a'],
        maxParallel: 1,
        maxItems: 100_000,
        maxWaiting: 1000,
        tolerate: false,
      },
    });
  });
});

test('its card shows what it runs and for which list', () => {
  expect(controlForeachNode.summary?.({}, { items: '{{list.items}}', body: ['read', 'sum'] })).toEqual([
    'Runs ',
    { chip: 'read, sum' },
    ' for each of ',
    { chip: 'list.items' },
  ]);
  expect(controlForeachNode.summary?.({}, { body: [null] })).toEqual([
    'Runs ',
    'no node yet',
    ' for each of ',
    'no list yet',
  ]);
});
