/**
 * Implementation of `control.foreach`.
 */
import type { z } from 'zod';
import { EngineError, type ErrorRecord } from '../../../base/engine-error.ts';
import { defineNodeType, type ItemPlace, type LoopBody } from '../../flow/node-type.ts';
import { type CancelScope, createCancelScope, failFastStop } from '../../kernel/hub/cancel-scope.ts';
import { ItemPlaces } from '../item-places.ts';
import { itemFailed } from '../loop-failure.ts';
import { controlForeachType } from './control-foreach-type.ts';

export const controlForeachNode = defineNodeType(controlForeachType, {
  hosting: 'workflow',
  capabilities: [],
  runsBody: true,
  run: async ({ nodeId, input, signal, body }) => {
    if (body === undefined) throw new TypeError('control.foreach has no body to run');
    if (input.items.length > input.maxItems) throw tooManyItems(input);
    const scope = createCancelScope(signal);
    try {
      return { iterations: await runItems(input, body, { nodeId, scope }) };
    } finally {
      scope.close();
    }
  },
});

type Input = z.output<typeof controlForeachType.inputSchema>;
type Iteration = z.output<typeof controlForeachType.outputSchema>['iterations'][number];

/** Starts one worker per concurrent item. When a worker finishes an item, it takes the next one. */
async function runItems(
  input: Input,
  body: LoopBody,
  { nodeId, scope }: { readonly nodeId: string; readonly scope: CancelScope },
): Promise<Iteration[]> {
  const { items, maxParallel, maxWaiting } = input;
  const iterations = new Array<Iteration>(items.length);
  let next = 0;
  let failure: { readonly thrown: unknown } | undefined;
  const fail = (thrown: unknown): void => {
    failure ??= { thrown };
  };
  const places = new ItemPlaces(
    { count: maxParallel, mostWaiting: maxWaiting },
    {
      hasMore: () => failure === undefined && next < items.length,
      async runNext() {
        const index = next++;
        try {
          scope.signal.throwIfAborted();
          iterations[index] = await runItem(index, input, { nodeId, body, scope, fail, place: places });
        } catch (thrown) {
          fail(thrown);
        }
      },
    },
  );
  await places.toTheirEnd(Math.min(maxParallel, items.length));
  if (failure !== undefined) throw failure.thrown;
  return iterations;
}

interface ItemRun {
  /** The loop node's ID. */
  readonly nodeId: string;
  readonly body: LoopBody;
  readonly scope: CancelScope;
  readonly place: ItemPlace;
  fail(thrown: unknown): void;
}

/**
 * @throws EngineError `loop.item-failed` after canceling the other items, if the item fails and failures are not
 * tolerated
 */
async function runItem(
  index: number,
  { items, as, tolerate }: Input,
  { nodeId, body, scope, fail, place }: ItemRun,
): Promise<Iteration> {
  const item = items[index] ?? null;
  const roots = { [as]: item, loop: { index } };
  const { outputs, error } = await body.run({ index, roots, signal: scope.signal, place });
  if (error === undefined) return { index, item, outputs };
  if (tolerate) return { index, item, outputs, error: shortened(error) };
  const failure = itemFailed({ what: 'Item', index, loop: nodeId }, error);
  // Reported before the other items are canceled; otherwise they would appear to be the cause.
  fail(failure);
  scope.cancel(failFastStop());
  throw failure;
}

function tooManyItems({ items, maxItems }: Input): EngineError {
  const [count, most] = [items.length.toLocaleString('en'), maxItems.toLocaleString('en')];
  return new EngineError({
    code: 'loop.too-many-items',
    message: `The list has ${count} items, but the loop accepts at most ${most}. Shorten the list, or raise the input maxItems.`,
    details: { items: items.length, maxItems },
  });
}

function shortened({ code, message, nodeId }: ErrorRecord): NonNullable<Iteration['error']> {
  return { code, message, ...(nodeId === undefined ? {} : { nodeId }) };
}
