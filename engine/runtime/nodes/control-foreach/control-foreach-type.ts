/**
 * `control.foreach`: runs the nodes of its body once for each list item.
 */
import { z } from 'zod';
import { nodeIdPattern } from '../../../language/flow/flow-doc.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, noConfig } from '../shared-schemas.ts';
import { chipOf, nodesIn } from '../summary-text.ts';

/** Binding roots that have a different meaning inside a body. `__proto__` would not become an own key. */
const takenNames: ReadonlySet<string> = new Set(['loop', 'flow', '__proto__']);

const mostItems = 100_000;

const inputSchema = () =>
  z.object({
    items: z.array(anyJson).describe('List to iterate over'),
    as: z
      .string()
      .regex(nodeIdPattern, 'must start with a letter or _ and contain only ASCII letters, digits and _')
      .refine((name) => !takenNames.has(name), 'must not be "loop" or "flow", which have another meaning in bodies')
      .default('item')
      .describe('Name of the item in bindings of the body'),
    body: z.array(z.string()).meta({ editor: 'nodes' }).describe('IDs of the nodes to run for each item'),
    maxParallel: z.int().min(1).default(1).describe('Maximum number of items processed at a time'),
    maxItems: z
      .int()
      .min(1)
      .default(mostItems)
      .meta({ isAdvanced: true })
      .describe('Maximum number of items; a longer list fails, so that a mistake cannot keep a run busy for hours'),
    maxWaiting: z
      .int()
      .min(1)
      .default(1000)
      .meta({ isAdvanced: true })
      .describe('Maximum number of items that wait for people; at this limit, no further items start'),
    tolerate: z.boolean().default(false).describe('True: a failed item does not stop the others'),
  });

const errorSchema = () =>
  z.object({
    code: z.string().describe('Stable error code'),
    message: z.string().describe('Error message'),
    nodeId: z.exactOptional(z.string()).describe('Node that failed'),
  });

const iterationSchema = () =>
  z.object({
    index: z.int().describe('Zero-based index in the list'),
    item: anyJson.describe('Item'),
    outputs: z.record(z.string(), anyJson).describe('Outputs of the body by node ID'),
    error: z.exactOptional(errorSchema()).describe('Why the item failed, when failures are tolerated'),
  });

export const controlForeachType = describeType({
  type: 'control.foreach',
  title: 'For each',
  description: 'Runs nodes once for each item of a list, one at a time or several in parallel.',
  example: 'For each file in {{read.files}}: summarize it.',
  category: 'loop',
  icon: 'repeat',
  inputSchema,
  configSchema: () => noConfig,
  outputSchema: () =>
    z.object({ iterations: z.array(iterationSchema()).describe('Iterations in the order of the items') }),
  effects: 'pure',
  start: (from) => ({ input: { items: from.list(['one', 'two']), body: [] } }),
  summary: (_config, { items, body }) => ['Runs ', nodesIn(body), ' for each of ', chipOf(items) ?? 'no list yet'],
});
