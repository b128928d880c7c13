/**
 * `control.foreach`: runs the nodes of its body once for each item of a list.
 */
import { z } from 'zod';
import { EngineError, type ErrorRecord } from '../../base/engine-error.ts';
import { defineNodeType, type LoopBody } from '../../flow/node-type.ts';
import { nodeIdPattern } from '../../flowspec/flow-doc.ts';
import { isJsonList, type JsonValue } from '../../flowspec/json-value.ts';
import type { SummaryPart } from '../../flowspec/node-type-spec.ts';
import { type CancelScope, createCancelScope, failFastStop } from '../../kernel/cancel-scope.ts';
import { anyJson, noConfig } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

/** Roots of bindings that mean something else inside a body. `__proto__` would be no key of its own. */
const takenNames: ReadonlySet<string> = new Set(['loop', 'flow', '__proto__']);

const mostItems = 100_000;

const inputSchema = z.object({
  items: z.array(anyJson).describe('The list to go through'),
  as: z
    .string()
    .regex(nodeIdPattern, 'must begin with a letter or _ and hold only letters without accents, digits and _')
    .refine((name) => !takenNames.has(name), 'must not be "loop" or "flow", which bodies read as well')
    .default('item')
    .describe('Name of the item in the bindings of the body'),
  body: z.array(z.string()).meta({ editor: 'nodes' }).describe('Ids of the nodes to run for each item'),
  maxParallel: z.int().min(1).default(1).describe('How many items may be under way at a time'),
  maxItems: z
    .int()
    .min(1)
    .default(mostItems)
    .describe('A longer list fails: a mistake in a list must not keep a run busy for hours'),
  tolerate: z.boolean().default(false).describe('True: an item that fails does not stop the others'),
});

const errorSchema = z.object({
  code: z.string().describe('Stable code of the failure'),
  message: z.string().describe('What went wrong'),
  nodeId: z.exactOptional(z.string()).describe('The node that failed'),
});

const iterationSchema = z.object({
  index: z.int().describe('Place in the list, from 0'),
  item: anyJson.describe('The item itself'),
  outputs: z.record(z.string(), anyJson).describe('By id of the nodes of the body'),
  error: z.exactOptional(errorSchema).describe('Why the item failed, where failures are tolerated'),
});

type Iteration = z.output<typeof iterationSchema>;

export const controlForeachNode = defineNodeType({
  type: 'control.foreach',
  title: 'For each',
  description: 'Runs some nodes once for each item of a list, one after the other or several at a time.',
  example: 'For each file in {{read.files}}: summarize it.',
  category: 'loop',
  icon: 'repeat',
  inputSchema,
  configSchema: noConfig,
  outputSchema: z.object({ iterations: z.array(iterationSchema).describe('In the order of the items') }),
  effects: 'pure',
  capabilities: [],
  runsBody: true,
  start: (from) => ({ input: { items: from.list(['one', 'two']), body: [] } }),
  summary: (_config, { items, body }) => [
    'Runs ',
    nodesIn(body),
    ' for each of ',
    chipOf(items) ?? 'a list that is not named yet',
  ],
  run: async ({ nodeId, input, signal, body }) => {
    if (body === undefined) throw new TypeError('control.foreach was given no body to run');
    if (input.items.length > input.maxItems) throw tooManyItems(input);
    const scope = createCancelScope(signal);
    try {
      return { iterations: await runItems(input, body, { nodeId, scope }) };
    } finally {
      scope.close();
    }
  },
});

type Input = z.output<typeof inputSchema>;

/** As many workers as items may overlap; each takes the next item when it has ended one. */
async function runItems(
  input: Input,
  body: LoopBody,
  { nodeId, scope }: { readonly nodeId: string; readonly scope: CancelScope },
): Promise<Iteration[]> {
  const { items, maxParallel } = input;
  const iterations = new Array<Iteration>(items.length);
  let next = 0;
  let failure: { readonly thrown: unknown } | undefined;
  const fail = (thrown: unknown): void => {
    failure ??= { thrown };
  };
  const work = async (): Promise<void> => {
    while (failure === undefined && next < items.length) {
      const index = next++;
      try {
        scope.signal.throwIfAborted();
        iterations[index] = await runItem(index, input, { nodeId, body, scope, fail });
      } catch (thrown) {
        fail(thrown);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, work));
  if (failure !== undefined) throw failure.thrown;
  return iterations;
}

interface ItemRun {
  /** Of the loop. */
  readonly nodeId: string;
  readonly body: LoopBody;
  readonly scope: CancelScope;
  fail(thrown: unknown): void;
}

/** @throws EngineError `loop.item-failed`, having cancelled the other items, when the item fails and must not */
async function runItem(
  index: number,
  { items, as, tolerate }: Input,
  { nodeId, body, scope, fail }: ItemRun,
): Promise<Iteration> {
  const item = items[index] ?? null;
  const { outputs, error } = await body.run({ index, roots: { [as]: item, loop: { index } }, signal: scope.signal });
  if (error === undefined) return { index, item, outputs };
  if (tolerate) return { index, item, outputs, error: shortened(error) };
  const failure = itemFailed(index, error, nodeId);
  // Told before the others stop, who would else seem to be the reason.
  fail(failure);
  scope.cancel(failFastStop());
  throw failure;
}

function tooManyItems({ items, maxItems }: Input): EngineError {
  const [count, most] = [items.length.toLocaleString('en'), maxItems.toLocaleString('en')];
  return new EngineError({
    code: 'loop.too-many-items',
    message: `The list has ${count} items, and the loop goes through at most ${most}. Shorten the list, or set the input maxItems to as many as it may have.`,
    details: { items: items.length, maxItems },
  });
}

function shortened({ code, message, nodeId }: ErrorRecord): z.output<typeof errorSchema> {
  return { code, message, ...(nodeId === undefined ? {} : { nodeId }) };
}

function itemFailed(index: number, error: ErrorRecord, loop: string): EngineError {
  const { node, message } = innermostFailure(`${loop}[${index}]`, error);
  return new EngineError({
    code: itemFailedCode,
    message: `Item ${index} failed at "${node}": ${message}`,
    details: { index, node, message, error },
    recoverable: error.recoverable ?? false,
  });
}

/** The node that failed, by its place below the loop, and what it says: where a loop in the body failed, the node in that one. */
function innermostFailure(place: string, error: ErrorRecord): { readonly node: string; readonly message: string } {
  const node = error.nodeId === undefined ? place : `${place}.${error.nodeId}`;
  const inner = error.code === itemFailedCode ? itemFailureSchema.safeParse(error.details).data : undefined;
  if (inner === undefined) return { node, message: error.message };
  // What a loop says of its item begins with its own id.
  return { node: `${place}.${inner.node}`, message: inner.message };
}

const itemFailedCode = 'loop.item-failed';

/** As much of the details of `loop.item-failed` as is read again. */
const itemFailureSchema = z.object({ node: z.string(), message: z.string() });

function nodesIn(body: JsonValue | undefined): SummaryPart {
  const ids = isJsonList(body) ? body.filter((id) => typeof id === 'string') : [];
  return chipOf(ids.join(', ')) ?? 'no node yet';
}
