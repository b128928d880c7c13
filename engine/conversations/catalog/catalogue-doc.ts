/**
 * Defines the content of a conversation catalog (`*.dialogue.yaml`). The schema is the only definition of the format:
 * validation, suggestions and the exported JSON Schema are derived from it.
 */
import { z } from 'zod';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { hookNames } from './base-flow.ts';

/** File name suffix of this format. */
export const catalogueSuffix = '.dialogue.yaml';

/** Returns whether a file's name is that of a catalog. */
export function isCataloguePath(path: string): boolean {
  return path.endsWith(catalogueSuffix);
}

/** The only version of the format. */
export const CATALOGUE_VERSION = 1;

/** Maximum number of flow types in a catalog. The number of flows on the stack is not limited. */
export const mostFlowTypes = 64;

/** Pattern for the names of flows, intents, slots and custom slot types. */
const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const name = z
  .string()
  .regex(namePattern, 'must have only letters, digits and _, not start with a digit, and have at most 64 characters')
  .refine((text) => text !== '__proto__', 'is not allowed as a name');
const line = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}]+$/u, 'must be one line of text');
const prose = z.string().max(4000).meta({ title: 'Description', editor: 'long-text' });
const path = z.string().min(1).max(1024);
const json = z.custom<JsonValue>(() => true);
const map = z.custom<JsonMap>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a map',
);

const hook = z.union([z.strictObject({ script: path }), z.strictObject({ agent: path })]);
const hooks = z.strictObject(
  Object.fromEntries(hookNames.map((one) => [one, z.exactOptional(hook)])) as Record<
    (typeof hookNames)[number],
    z.ZodExactOptional<typeof hook>
  >,
);

const slotParams = {
  min: z.exactOptional(z.int().min(1).max(100).meta({ title: 'Minimum number', default: 1 })),
  part: z.exactOptional(name.meta({ title: 'Required key of each item', default: 'name' })),
  options: z.exactOptional(z.array(line).min(1).max(50).meta({ title: 'Options' })),
  exclusive: z.exactOptional(z.boolean().meta({ title: 'Exclusive', default: true })),
  threshold: z.exactOptional(z.number().meta({ title: 'Threshold' })),
  inverse: z.exactOptional(z.boolean().meta({ title: 'Below the threshold', default: false })),
  keys: z.exactOptional(z.array(name).min(1).max(50).meta({ title: 'Required keys' })),
} as const;

/** Settings of slots and their types. `slotParams` in `slot-types.ts` defines which of them apply to each type. */
export const slotParamNames = Object.keys(slotParams) as readonly (keyof typeof slotParams)[];

const slot = z.strictObject({
  type: z.string().min(1),
  priority: z.enum(['required', 'elective', 'optional']),
  description: z.exactOptional(prose),
  question: z.exactOptional(
    line.meta({
      title: 'Question',
      description: 'Question that asks for the value, instead of one based on the name of the slot',
    }),
  ),
  default: z.exactOptional(
    json.meta({ title: 'Default', description: 'Value that the policy receives when the person gives none' }),
  ),
  ...slotParams,
});

const slotType = z.strictObject({ base: z.string().min(1), description: z.exactOptional(prose), ...slotParams });

/** Built-in code that a flow can use as its policy. */
export const builtinPolicies = ['chat', 'plan', 'memory_cleanup', 'state_repair', 'summary'] as const;
export type BuiltinPolicy = (typeof builtinPolicies)[number];

const policy = z.union([
  z.strictObject({ skill: path }),
  z.strictObject({ agent: path }),
  z.strictObject({ flow: path }),
  z.strictObject({ builtin: z.enum(builtinPolicies) }),
]);

const lats = z.strictObject({
  candidates: z
    .int()
    .min(2)
    .max(3)
    .default(3)
    .meta({ title: 'Candidates', description: 'Number of alternative plans to compare' }),
  when: z.enum(['auto', 'always', 'never']).default('auto').meta({
    title: 'Compare plans',
    description: 'auto: when the best order is not obvious, plans have trade-offs, or the task is unclear',
  }),
});

const flow = z.strictObject({
  name,
  intent: name,
  description: z.exactOptional(
    prose.meta({ description: 'The description and the examples are the only basis for recognizing the intent' }),
  ),
  examples: z.exactOptional(
    z.array(line).max(50).meta({ title: 'Examples', description: 'Messages from people who want this flow' }),
  ),
  slots: z.exactOptional(z.record(name, slot)),
  tools: z.exactOptional(
    z
      .array(line.meta({ editor: 'tool' }))
      .min(1)
      .max(3)
      .meta({ title: 'Tools', description: '1 to 3 tools; the flow can call no others' }),
  ),
  output: z.exactOptional(map.meta({ title: 'Output', description: 'JSON Schema of the output', editor: 'schema' })),
  policy,
  fallback: z.exactOptional(z.string().min(1)),
  aside: z.exactOptional(
    z.boolean().meta({
      title: 'Answer at once',
      description:
        'When requested during another flow, it runs on top of the Active flow if it only reads; the other flows continue after it',
      default: false,
    }),
  ),
  lats: z.exactOptional(lats),
  dependsOn: z.exactOptional(
    z.array(z.string().min(1)).max(mostFlowTypes).meta({
      title: 'Waits for',
      description: 'Internal flows that must settle first when they run in the same turn',
      editor: 'nodes',
    }),
  ),
  every: z.exactOptional(z.int().min(1).max(10_000).meta({ title: 'Interval in turns' })),
});

const thresholds = z.strictObject({
  confidence: z
    .number()
    .min(0)
    .max(1)
    .default(0.64)
    .meta({ title: 'Confidence', description: 'Below this confidence, the person is asked what they mean' }),
  escalationTurns: z.int().min(1).max(100).default(3).meta({
    title: 'Turns per question',
    description: 'Maximum number of turns with the same question open',
  }),
  keepGoing: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ title: 'Flows per turn', description: 'Maximum number of flows that continue automatically in one turn' }),
  recoveryAttempts: z.int().min(0).max(10).default(2).meta({ title: 'Recovery attempts' }),
});

export const catalogueSchema = z.strictObject({
  version: z.exactOptional(z.literal(CATALOGUE_VERSION)),
  name: z.exactOptional(line.meta({ title: 'Name' })),
  description: z.exactOptional(prose),
  model: z.exactOptional(
    line.meta({
      title: 'Model',
      description: 'For plans and replies, and for intent recognition if no other model is set for it',
      editor: 'model',
    }),
  ),
  nlu: z.exactOptional(z.union([z.strictObject({ model: line }), z.strictObject({ script: path })])),
  thresholds: z.exactOptional(thresholds),
  slotTypes: z.exactOptional(z.record(name, slotType)),
  intents: z.record(name, z.strictObject({ hooks: z.exactOptional(hooks) })),
  flows: z.array(flow).min(1),
});

/** The file's schemas by key, for forms, which use their labels, limits and defaults. */
export const catalogueShapes = {
  assistant: catalogueSchema.shape,
  flow: flow.shape,
  slot: slot.shape,
  slotType: slotType.shape,
  lats: lats.shape,
  thresholds: thresholds.shape,
} as const;

/** Returns whether text is a valid name for flows, intents and slots. */
export function isCatalogueName(text: string): boolean {
  return name.safeParse(text).success;
}

export type CatalogueDoc = z.output<typeof catalogueSchema>;
export type FlowTypeDoc = z.output<typeof flow>;
export type SlotDoc = z.output<typeof slot>;
export type PolicyDoc = z.output<typeof policy>;
export type LatsSettings = z.output<typeof lats>;
export type Thresholds = z.output<typeof thresholds>;

/** Defaults for omitted values. */
export const defaultThresholds: Thresholds = thresholds.parse({});
export const defaultLats: LatsSettings = lats.parse({});

/** Returns the file's JSON Schema (draft 7), for editors. */
export function catalogueJsonSchema(): JsonMap {
  // Zod's type allows undefined members, but its output is plain JSON.
  const schema = z.toJSONSchema(catalogueSchema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) jsonSchema.patternProperties = { '^x-': {} };
    },
  }) as JsonMap;
  return { ...schema, title: 'Conversation catalog' };
}
