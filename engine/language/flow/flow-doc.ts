/**
 * The FlowSpec document: the parsed content of a `*.flow.yaml` file, before it is compiled. The schema is the only
 * definition of the file format; validation, completions and the exported JSON Schema are derived from it.
 */
import { z } from 'zod';
import { nearestWord } from '../findings/nearest.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { StepFlowDoc } from '../steps/step-flow-doc.ts';
import { type BudgetDoc, budgetSchema } from '../triggers/budget-doc.ts';
import { type TriggerDoc, triggersSchema } from '../triggers/trigger-doc.ts';
import { type AutonomyLevel, autonomyLevels } from './autonomy.ts';
import { type InputDocs, inputDocsSchema, outputsSchema } from './flow-interface.ts';
import { MAX_OUTPUT_BYTES } from './flow-limits.ts';
import { type LayoutDoc, layoutSchema } from './layout-doc.ts';
import { type NodePolicy, nodePolicySchema } from './node-policy.ts';

export {
  type GroupDoc,
  type LayoutColor,
  type LayoutDoc,
  layoutSchema,
  type NodePosition,
  type NoteDoc,
} from './layout-doc.ts';
export type { NodePolicy, RetryPolicy } from './node-policy.ts';

/** Type of nodes that call a flow. */
export const callType = 'flow';

/** The only format version. A file with a higher version was created by a newer program. */
export const FLOW_VERSION = 1;

/** Pattern of node IDs. */
export const nodeIdPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names that have another meaning where IDs are read, so nodes cannot use them. */
export const reservedNodeIds: ReadonlySet<string> = new Set([
  'flow',
  'payload',
  'artifacts',
  'state',
  'item',
  'loop',
  'secret',
  'run',
  // Would be lost in plain objects keyed by ID.
  '__proto__',
]);

/** A comparison of the value at a path with another value. */
export interface Comparison {
  readonly var: string;
  readonly value: JsonValue;
}

/** Condition on a node or an edge: exactly one of these forms. Every comparison with a missing path is false. */
export type WhenExpr =
  | { readonly equals: Comparison }
  | { readonly exists: string }
  | { readonly lt: Comparison }
  | { readonly lte: Comparison }
  | { readonly gt: Comparison }
  | { readonly gte: Comparison }
  | { readonly contains: Comparison }
  | { readonly in: Comparison }
  | { readonly not: WhenExpr }
  | { readonly and: readonly WhenExpr[] }
  | { readonly or: readonly WhenExpr[] };

/** A node in the file. */
export interface NodeDoc {
  readonly id: string;
  readonly type: string;
  readonly input: Readonly<Record<string, JsonValue>>;
  readonly config?: Readonly<Record<string, JsonValue>>;
  readonly when?: WhenExpr;
  readonly policy?: NodePolicy;
  readonly name?: string;
  readonly description?: string;
  readonly disabled?: boolean;
}

/** An edge in the file. */
export interface EdgeDoc {
  readonly from: string;
  readonly to: string;
  readonly id?: string;
  /** Without a condition, the edge always fires. */
  readonly when?: WhenExpr;
}

/** An entire file. */
export interface FlowDoc {
  readonly flow: {
    readonly name: string;
    readonly version?: number;
    readonly description?: string;
    /** Name of the tool under which MCP clients see the flow; by default, it is derived from the file's path. */
    readonly toolName?: string;
    /** The MCP client that starts a run may answer its `user_input` nodes; without it, only people may. */
    readonly approvals?: 'client';
    /** Default inputs. The caller's inputs are merged over them, by key. */
    readonly input?: Readonly<Record<string, JsonValue>>;
    /** The accepted inputs; absent if all are accepted. */
    readonly inputs?: InputDocs;
    /** The output with bindings; absent for the outputs of its last nodes. */
    readonly outputs?: Readonly<Record<string, JsonValue>>;
    readonly policy?: {
      readonly failFast?: boolean;
      readonly maxParallel?: number;
      readonly maxOutputBytes?: number;
      /** Without a level, only policies restrict what nodes may do. */
      readonly autonomy?: AutonomyLevel;
      /** A run that reaches it is paused. Child runs count toward the run that called them. */
      readonly budget?: BudgetDoc;
    };
    /** Names of the packs whose node types it needs in addition to the built-in ones. */
    readonly nodePacks?: readonly string[];
    /** What starts the flow without a person. */
    readonly triggers?: readonly TriggerDoc[];
  };
  readonly nodes: readonly NodeDoc[];
  readonly edges: readonly EdgeDoc[];
  readonly layout?: LayoutDoc;
  /** The steps from which this document was converted, if any. Files with nodes and edges have none. */
  readonly steps?: StepFlowDoc;
}

const jsonSchema: z.ZodType<JsonValue> = z.any();
const jsonMapSchema = z.record(z.string(), jsonSchema);

const pathSchema = z.string().describe('Path of the value, without braces: `flow.input.<key>` or `<node ID>.<field>`.');
const orderedSchema = z.union([z.number(), z.string()], { error: 'must be a number or text' });

function comparisonSchema<Value extends JsonValue>(value: z.ZodType<Value>, meaning: string) {
  return z.strictObject({ var: pathSchema, value: value.describe(meaning) });
}

function orderForm(name: 'lt' | 'lte' | 'gt' | 'gte', words: string) {
  const comparison = comparisonSchema(orderedSchema, 'The number or text to compare with a value of the same type.');
  return z.strictObject({ [name]: comparison }).describe(`True when a value is ${words} another.`);
}

const whenForms = [
  z
    .strictObject({
      equals: comparisonSchema(
        jsonSchema,
        'The value to compare with. Values are not converted; a missing path is not equal to any value.',
      ),
    })
    .describe('True when a value equals another.'),
  z.strictObject({ exists: pathSchema }).describe('True when the path has a value.'),
  orderForm('lt', 'less than'),
  orderForm('lte', 'at most'),
  orderForm('gt', 'greater than'),
  orderForm('gte', 'at least'),
  z
    .strictObject({ contains: comparisonSchema(jsonSchema, 'An item of the list, or a part of the text.') })
    .describe('True when a list contains the item, or text contains the part.'),
  z
    .strictObject({ in: comparisonSchema(z.array(jsonSchema), 'The possible values.') })
    .describe('True when a value is one of several.'),
  z
    .strictObject({
      get not(): z.ZodType<WhenExpr> {
        return whenSchema;
      },
    })
    .describe('True when the inner condition is false.'),
  z
    .strictObject({
      get and(): z.ZodType<WhenExpr[]> {
        return z.array(whenSchema);
      },
    })
    .describe('True when every condition in the list is true. An empty list is true.'),
  z
    .strictObject({
      get or(): z.ZodType<WhenExpr[]> {
        return z.array(whenSchema);
      },
    })
    .describe('True when at least one condition in the list is true. An empty list is false.'),
];

const whenKeys = ['equals', 'exists', 'lt', 'lte', 'gt', 'gte', 'contains', 'in', 'not', 'and', 'or'];

/** The schema of a condition, which has exactly one of the forms. */
export const whenSchema: z.ZodType<WhenExpr> = z
  .union(whenForms as unknown as readonly [z.ZodType<WhenExpr>], { error: ({ input }) => notACondition(input) })
  .meta({ id: 'condition', description: `A condition: exactly one of ${whenKeys.join(', ')}.` });

/** Returns why a value is not a condition, and what is allowed instead, as a continuation of its name. */
function notACondition(value: unknown): string {
  const possible = `a map with exactly one of the keys ${whenKeys.join(', ')}`;
  const example = `for example { equals: { var: node.field, value: 1 } }`;
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : undefined;
  const isEmpty = value === null || keys?.length === 0;
  if (isEmpty) return `is an empty condition: write ${possible}, ${example}, or remove it if no condition is needed`;
  if (keys === undefined) return `must be ${possible}, ${example}`;
  const [first = '', second] = keys;
  const unknown = keys.find((key) => !whenKeys.includes(key));
  if (unknown === 'var' || unknown === 'value') return `must be ${possible}: "${unknown}" belongs below it, ${example}`;
  if (unknown !== undefined) {
    const meant = nearestWord(unknown, whenKeys);
    return `must be ${possible}, not "${unknown}"${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;
  }
  return `must be ${possible}, not both "${first}" and "${second}": combine conditions with { and: [...] }`;
}

export const nodeDocSchema = z.strictObject({
  id: z
    .string()
    .regex(nodeIdPattern, 'must start with a letter or _ and contain only ASCII letters, digits and _')
    .describe('ID of the node in edges and bindings, unique in the file.'),
  type: z.string().min(1).describe('Type of the node, for example `prompt` or `file.read`.'),
  input: jsonMapSchema.describe('Input of the node. Text may contain bindings such as `{{fetch.body}}`.'),
  config: jsonMapSchema.exactOptional().describe('Fixed settings of the node; bindings are not resolved here.'),
  when: z.exactOptional(whenSchema).describe('Condition for running the node; without one, it always runs.'),
  policy: nodePolicySchema.exactOptional().describe('What happens when the node fails or times out.'),
  name: z.string().exactOptional().describe('Label for people.'),
  description: z.string().exactOptional().describe('Note for people.'),
  disabled: z.boolean().exactOptional().describe('True: the node is skipped. Default false.'),
}) satisfies z.ZodType<NodeDoc>;

export const edgeDocSchema = z.strictObject({
  from: z.string().describe('ID of the node that must settle first.'),
  to: z.string().describe('ID of the node that waits for it.'),
  id: z.string().min(1).exactOptional().describe('ID of the edge, unique in the file. Default `from->to`.'),
  when: z.exactOptional(whenSchema).describe('Condition for the edge to fire; without one, it always fires.'),
}) satisfies z.ZodType<EdgeDoc>;

const flowPolicySchema = z.strictObject({
  failFast: z.boolean().exactOptional().describe('True, the default: the first node that fails ends the run.'),
  maxParallel: z.int().min(1).exactOptional().describe('Maximum number of nodes that run at a time. Default 1.'),
  maxOutputBytes: z
    .int()
    .min(1)
    .max(MAX_OUTPUT_BYTES, `must be at most ${MAX_OUTPUT_BYTES}, which is 256 MiB`)
    .exactOptional()
    .describe('Maximum size of the output of a node, in bytes of JSON text. Default 67108864, which is 64 MiB.'),
  autonomy: z
    .enum(autonomyLevels)
    .exactOptional()
    .describe(
      'Effects that nodes may have without approval: `suggest_only` none, `semi_auto` approved ones, `full_auto` all.',
    ),
  budget: budgetSchema()
    .exactOptional()
    .describe(
      'What a run may use. It is then paused before the next node that can use a model; after `seconds`, before any node.',
    ),
});

export const flowHeaderSchema = z.strictObject({
  name: z.string().describe('Name of the flow, for people.'),
  version: z.literal(FLOW_VERSION).exactOptional().describe('Version of the file format.'),
  description: z.string().exactOptional().describe('Purpose of the flow.'),
  toolName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,59}$/, 'must be a letter, followed by at most 59 letters, digits, _ and -')
    .exactOptional()
    .describe(
      'Name of the tool under which MCP clients see the flow. By default, it is derived from the path of the file.',
    ),
  approvals: z
    .literal('client')
    .exactOptional()
    .describe('Lets the MCP client that starts a run answer its `user_input` nodes. By default, only people may.'),
  input: jsonMapSchema.exactOptional().describe('Default inputs, read as `{{flow.input.<key>}}`.'),
  inputs: inputDocsSchema
    .exactOptional()
    .describe('Inputs of the flow by name, read as `{{flow.input.<name>}}`. Without them, the flow accepts any input.'),
  outputs: outputsSchema
    .exactOptional()
    .describe('Outputs of the flow by name, such as `{{node.field}}`. Without them, the outputs of its last nodes.'),
  policy: flowPolicySchema.exactOptional().describe('How the flow runs and handles failures.'),
  nodePacks: z
    .array(z.string().min(1))
    .exactOptional()
    .describe('Packs of node types that the flow needs in addition to the built-in types.'),
  triggers: z.exactOptional(triggersSchema).describe('What starts the flow without a person.'),
}) satisfies z.ZodType<FlowDoc['flow']>;

/** An entire flow file. Keys that start with `x-` are removed before the schema is applied. */
export const flowDocSchema = z.strictObject({
  flow: flowHeaderSchema.describe('Properties of the whole flow.'),
  nodes: z.array(nodeDocSchema).describe('Nodes. Those that are ready at the same time start in this order.'),
  edges: z.array(edgeDocSchema).describe('Connections between nodes. `edges: []` if there are none.'),
  layout: layoutSchema.exactOptional().describe('Positions on the canvas; runs ignore them.'),
}) satisfies z.ZodType<FlowDoc>;
