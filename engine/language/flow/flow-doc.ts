/**
 * The FlowSpec document: the parsed content of a `*.flow.yaml` file, before it is compiled. The schema is the only
 * definition of the file format; validation, completions and the exported JSON Schema are derived from it.
 */
import { z } from 'zod';
import { longestDelayMs } from '../../base/clock.ts';
import { nearestWord } from '../findings/nearest.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { StepFlowDoc } from '../steps/step-flow-doc.ts';
import { type AutonomyLevel, autonomyLevels } from './autonomy.ts';
import { type InputDocs, inputDocsSchema, outputsSchema } from './flow-interface.ts';
import { MAX_OUTPUT_BYTES } from './flow-limits.ts';
import { type LayoutDoc, layoutSchema } from './layout-doc.ts';

/** A delay in milliseconds. */
export const delayMsSchema = z
  .number()
  .min(0)
  .max(longestDelayMs, `must be at most ${longestDelayMs} ms, which is over 24 days`);

export {
  type GroupDoc,
  type LayoutColor,
  type LayoutDoc,
  layoutSchema,
  type NodePosition,
  type NoteDoc,
} from './layout-doc.ts';

/** Type of the nodes that call a flow. */
export const callType = 'flow';

/** The only version of the format. A file with a higher version was created by a newer program. */
export const FLOW_VERSION = 1;

/** Pattern of node IDs. */
export const nodeIdPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names with another meaning where IDs are read, so that nodes cannot use them. */
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

/** How often a failing node is tried. */
export interface RetryPolicy {
  /** Total number of attempts, including the first; at least 1. */
  readonly maxAttempts: number;
  /** Constant delay between attempts in milliseconds; 0 if absent. */
  readonly backoffMs?: number;
}

/** What happens when a node fails or times out. */
export interface NodePolicy {
  /** Time limit of one attempt in milliseconds; absent or 0 = none. */
  readonly timeoutMs?: number;
  readonly continueOnError?: boolean;
  readonly retry?: RetryPolicy;
}

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

/** A whole file. */
export interface FlowDoc {
  readonly flow: {
    readonly name: string;
    readonly version?: number;
    readonly description?: string;
    /** Default inputs. Inputs of the caller are merged over them, by key. */
    readonly input?: Readonly<Record<string, JsonValue>>;
    /** The accepted inputs; absent = any. */
    readonly inputs?: InputDocs;
    /** The output with bindings; absent = the outputs of its last nodes. */
    readonly outputs?: Readonly<Record<string, JsonValue>>;
    readonly policy?: {
      readonly failFast?: boolean;
      readonly maxParallel?: number;
      readonly maxOutputBytes?: number;
      /** Without a level, only policies restrict what nodes may do. */
      readonly autonomy?: AutonomyLevel;
    };
    /** Names of the packs with node types that it needs besides the built-in ones. */
    readonly nodePacks?: readonly string[];
  };
  readonly nodes: readonly NodeDoc[];
  readonly edges: readonly EdgeDoc[];
  readonly layout?: LayoutDoc;
  /** The steps that this document was converted from, if any. Files with nodes and edges have none. */
  readonly steps?: StepFlowDoc;
}

const jsonSchema: z.ZodType<JsonValue> = z.any();
const jsonMapSchema = z.record(z.string(), jsonSchema);

const pathSchema = z.string().describe('Path of the value, without braces: `flow.input.<key>` or `<node id>.<field>`.');
const orderedSchema = z.union([z.number(), z.string()], { error: 'must be a number or text' });

function comparisonSchema<Value extends JsonValue>(value: z.ZodType<Value>, meaning: string) {
  return z.strictObject({ var: pathSchema, value: value.describe(meaning) });
}

function orderForm(name: 'lt' | 'lte' | 'gt' | 'gte', words: string) {
  const comparison = comparisonSchema(orderedSchema, 'Compared number with number, or text with text.');
  return z.strictObject({ [name]: comparison }).describe(`True when a value is ${words} another.`);
}

const whenForms = [
  z
    .strictObject({
      equals: comparisonSchema(
        jsonSchema,
        'The value it must equal. Nothing is converted; a missing path equals nothing.',
      ),
    })
    .describe('True when a value equals another.'),
  z.strictObject({ exists: pathSchema }).describe('True when something stands at the path.'),
  orderForm('lt', 'less than'),
  orderForm('lte', 'at most'),
  orderForm('gt', 'more than'),
  orderForm('gte', 'at least'),
  z
    .strictObject({ contains: comparisonSchema(jsonSchema, 'A member of the list, or a part of the text.') })
    .describe('True when a list has the member, or a text the part.'),
  z
    .strictObject({ in: comparisonSchema(z.array(jsonSchema), 'The values of which it must be one.') })
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
    .describe('True when every part is; an empty list is true.'),
  z
    .strictObject({
      get or(): z.ZodType<WhenExpr[]> {
        return z.array(whenSchema);
      },
    })
    .describe('True when some part is; an empty list is false.'),
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
  if (isEmpty) return `is an empty condition: write ${possible}, ${example}, or leave it out if it shall always hold`;
  if (keys === undefined) return `must be ${possible}, ${example}`;
  const [first = '', second] = keys;
  const unknown = keys.find((key) => !whenKeys.includes(key));
  if (unknown === 'var' || unknown === 'value') return `must be ${possible}: "${unknown}" belongs below it, ${example}`;
  if (unknown !== undefined) {
    const meant = nearestWord(unknown, whenKeys);
    return `must be ${possible}, not "${unknown}"${meant === undefined ? '' : `, which may be meant as "${meant}"`}`;
  }
  return `must be ${possible}, not "${first}" and "${second}" together: join conditions with { and: [...] }`;
}

const retrySchema = z.strictObject({
  maxAttempts: z.int().min(1).describe('Attempts in all, the first included.'),
  backoffMs: delayMsSchema.int().exactOptional().describe('Pause between two attempts, in milliseconds. Default 0.'),
});

const nodePolicySchema = z.strictObject({
  timeoutMs: delayMsSchema
    .int()
    .exactOptional()
    .describe('Limit of one attempt, in milliseconds. 0 = none, the default.'),
  continueOnError: z
    .boolean()
    .exactOptional()
    .describe('True: the flow goes on when this node fails. False: it stops, also when the flow does not fail fast.'),
  retry: retrySchema.exactOptional().describe('Tries the node again when it fails.'),
});

export const nodeDocSchema = z.strictObject({
  id: z
    .string()
    .regex(nodeIdPattern, 'must begin with a letter or _ and hold only letters without accents, digits and _')
    .describe('Name of the node in edges and bindings, unique in the file.'),
  type: z.string().min(1).describe('Kind of the node, for example `prompt` or `file.read`.'),
  input: jsonMapSchema.describe('What the node works on. Text may hold bindings such as `{{fetch.body}}`.'),
  config: jsonMapSchema.exactOptional().describe('Fixed settings of the node; bindings are not resolved here.'),
  when: z.exactOptional(whenSchema).describe('Condition under which the node runs; without one it always does.'),
  policy: nodePolicySchema.exactOptional().describe('What happens when the node fails or takes too long.'),
  name: z.string().exactOptional().describe('Label for people.'),
  description: z.string().exactOptional().describe('Note for people.'),
  disabled: z.boolean().exactOptional().describe('True: the node is skipped. Default false.'),
}) satisfies z.ZodType<NodeDoc>;

export const edgeDocSchema = z.strictObject({
  from: z.string().describe('Id of the node that must have ended first.'),
  to: z.string().describe('Id of the node that waits for it.'),
  id: z.string().min(1).exactOptional().describe('Name of the edge, unique in the file. Default `from->to`.'),
  when: z.exactOptional(whenSchema).describe('Condition under which the edge fires; without one it always does.'),
}) satisfies z.ZodType<EdgeDoc>;

const flowPolicySchema = z.strictObject({
  failFast: z.boolean().exactOptional().describe('True, the default: the first failing node ends the run.'),
  maxParallel: z.int().min(1).exactOptional().describe('How many nodes may run at a time. Default 1.'),
  maxOutputBytes: z
    .int()
    .min(1)
    .max(MAX_OUTPUT_BYTES, `must be at most ${MAX_OUTPUT_BYTES}, which is 256 MiB`)
    .exactOptional()
    .describe('Limit of what one node gives, in bytes of JSON text. Default 67108864, which is 64 MiB.'),
  autonomy: z
    .enum(autonomyLevels)
    .exactOptional()
    .describe(
      'What nodes may do outside without being asked: `suggest_only` nothing, `semi_auto` what was approved, `full_auto` all.',
    ),
});

export const flowHeaderSchema = z.strictObject({
  name: z.string().describe('Name of the flow, for people.'),
  version: z.literal(FLOW_VERSION).exactOptional().describe('Version of the file format.'),
  description: z.string().exactOptional().describe('What the flow is for.'),
  input: jsonMapSchema.exactOptional().describe('Default inputs, read as `{{flow.input.<key>}}`.'),
  inputs: inputDocsSchema
    .exactOptional()
    .describe('The inputs that the flow takes, by name, read as `{{flow.input.<name>}}`. Without them it takes any.'),
  outputs: outputsSchema
    .exactOptional()
    .describe('What the flow gives, by name, as in `{{node.field}}`. Without them what its last nodes give.'),
  policy: flowPolicySchema.exactOptional().describe('How the flow runs and what a failure means.'),
  nodePacks: z
    .array(z.string().min(1))
    .exactOptional()
    .describe('Bundles of node types that the flow needs beside the built-in ones.'),
}) satisfies z.ZodType<FlowDoc['flow']>;

/** A whole flow file. Keys that start with `x-` are removed before the schema is applied. */
export const flowDocSchema = z.strictObject({
  flow: flowHeaderSchema.describe('The flow as a whole.'),
  nodes: z.array(nodeDocSchema).describe('The nodes, in the order in which equals start.'),
  edges: z.array(edgeDocSchema).describe('What waits for what. `edges: []` when nothing does.'),
  layout: layoutSchema.exactOptional().describe('Where the editor draws things; running ignores it.'),
}) satisfies z.ZodType<FlowDoc>;
