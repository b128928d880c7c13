/**
 * `control.foreach`: runs the nodes of its body once for each item of a list.
 */
import { z } from 'zod';
import { nodeIdPattern } from '../../../language/flow/flow-doc.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, noConfig } from '../shared-schemas.ts';
import { chipOf, nodesIn } from '../summary-text.ts';

/** Binding roots with another meaning inside a body. `__proto__` would not become an own key. */
const takenNames: ReadonlySet<string> = new Set(['loop', 'flow', '__proto__']);

const mostItems = 100_000;

const inputSchema = () =>
  z.object({
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
    maxWaiting: z.int().min(1).default(1000).describe('While so many items wait for people, no further ones begin'),
    tolerate: z.boolean().default(false).describe('True: an item that fails does not stop the others'),
  });

const errorSchema = () =>
  z.object({
    code: z.string().describe('Stable code of the failure'),
    message: z.string().describe('What went wrong'),
    nodeId: z.exactOptional(z.string()).describe('The node that failed'),
  });

const iterationSchema = () =>
  z.object({
    index: z.int().describe('Place in the list, from 0'),
    item: anyJson.describe('The item itself'),
    outputs: z.record(z.string(), anyJson).describe('By id of the nodes of the body'),
    error: z.exactOptional(errorSchema()).describe('Why the item failed, where failures are tolerated'),
  });

export const controlForeachType = describeType({
  type: 'control.foreach',
  title: 'For each',
  description: 'Runs some nodes once for each item of a list, one after the other or several at a time.',
  example: 'For each file in {{read.files}}: summarize it.',
  category: 'loop',
  icon: 'repeat',
  inputSchema,
  configSchema: () => noConfig,
  outputSchema: () => z.object({ iterations: z.array(iterationSchema()).describe('In the order of the items') }),
  effects: 'pure',
  start: (from) => ({ input: { items: from.list(['one', 'two']), body: [] } }),
  summary: (_config, { items, body }) => [
    'Runs ',
    nodesIn(body),
    ' for each of ',
    chipOf(items) ?? 'a list that is not named yet',
  ],
});
