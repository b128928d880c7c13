/**
 * The step flow document: a list of steps that run one after another, as in `products/<product>/flows/*.yaml` and
 * `.json`. The TypeScript types and the JSON Schema of `schema steps` are derived from the schemas here.
 */
import { z } from 'zod';
import { late } from '../../base/late.ts';
import { type AutonomyLevel, autonomyLevels } from '../flow/autonomy.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';

/** Step types. */
export const stepTypes = ['agent', 'tool', 'human_approval', 'user_input', 'plan_proposal'] as const;

export type StepType = (typeof stepTypes)[number];

/** What happens if an approval has no answer at its deadline. */
const deadlineAnswers = ['remind', 'approve', 'reject', 'fail'] as const;

/** How often a step is retried after an error that is worth another attempt. */
export interface StepRetry {
  /** Total number of attempts, including the first: 1 to 10. */
  readonly max_attempts: number;
  /** Constant delay between two attempts in seconds: 0 to 60. */
  readonly backoff_seconds: number;
  /** Error codes that are retried; empty for all. */
  readonly retry_on_codes: readonly string[];
}

/** A step with its defaults. */
export interface StepDoc {
  readonly id: string;
  readonly type: StepType;
  readonly name?: string;
  readonly backend?: 'local' | 'remote' | 'mcp';
  /** For `agent` and `plan_proposal`. */
  readonly agent?: string;
  /** For `tool`. */
  readonly tool?: string;
  /** For `human_approval`: the information that the approver needs. */
  readonly message?: string;
  readonly title?: string;
  /** For `human_approval`: time limit for an answer, in milliseconds after the request. */
  readonly deadline_ms?: number;
  readonly on_deadline?: (typeof deadlineAnswers)[number];
  readonly form?: JsonMap;
  /** Templates in it are resolved before the step runs. */
  readonly params: JsonMap;
  readonly retry?: StepRetry;
}

/** An entire file with its defaults. The same flow in YAML and in JSON results in equal documents. */
export interface StepFlowDoc {
  readonly id: string;
  readonly description?: string;
  readonly autonomy_level: AutonomyLevel;
  readonly version: string;
  readonly steps: readonly StepDoc[];
  readonly metadata: JsonMap;
}

/** Maximum length of an ID and of an agent or tool name. */
const MAX_STEP_ID_LENGTH = 80;
const MAX_NAME_LENGTH = 200;

const jsonSchema: z.ZodType<JsonValue> = z.any();
const mapSchema = () => z.record(z.string(), jsonSchema);
const nameSchema = () => z.string().min(1).max(MAX_NAME_LENGTH);

/** IDs are part of node names, where `/` and `[` have a special meaning. */
export const stepIdSchema = late(() =>
  z
    .string()
    .min(1)
    .max(MAX_STEP_ID_LENGTH)
    .regex(/^[^\p{Cc}/[\]]*$/u, 'must not contain /, [, ] or control characters'),
);

/** Whether text is a valid step ID. */
export function isStepId(text: string): boolean {
  return stepIdSchema().safeParse(text).success;
}

const codesSchema = () => z.array(z.string().min(1));

export const stepRetrySchema = late(() =>
  z.strictObject({
    max_attempts: z
      .int()
      .min(1)
      .max(10)
      .exactOptional()
      .describe('Total number of attempts, including the first. Default 1.'),
    backoff_seconds: z
      .number()
      .min(0)
      .max(60)
      .exactOptional()
      .describe('Delay between attempts, in seconds. Default 0.'),
    retry_on_codes: codesSchema().exactOptional().describe('Codes of the errors to retry. Default: all.'),
    retry_on: codesSchema().exactOptional().describe('Same as retry_on_codes.'),
  }),
);

export const stepSchema = late(() =>
  z.strictObject({
    id: stepIdSchema()
      .exactOptional()
      .describe('ID, unique in the flow. Default: the name, or step_ and the zero-based index.'),
    type: z.enum(stepTypes).describe('Type of the step.'),
    name: z.string().exactOptional().describe('Label for people.'),
    backend: z
      .enum(['local', 'remote', 'mcp'])
      .exactOptional()
      .describe('Where the tool runs, as determined by its manifest.'),
    agent: nameSchema().exactOptional().describe('For agent and plan_proposal: the agent as product.name.'),
    tool: nameSchema().exactOptional().describe('For tool: the tool as product.name.'),
    message: z.string().exactOptional().describe('For human_approval: information that the approver needs.'),
    title: z.string().exactOptional().describe('For human_approval: the request in one line.'),
    deadline_ms: z
      .int()
      .min(1)
      .exactOptional()
      .describe('For human_approval: time limit for an answer, in milliseconds from the request.'),
    on_deadline: z
      .enum(deadlineAnswers)
      .exactOptional()
      .describe('For human_approval: action at the deadline if there is no answer. Default remind.'),
    form: mapSchema().exactOptional().describe('Hints for displaying the form.'),
    params: mapSchema()
      .exactOptional()
      .describe('Input of the step. Text may contain {{payload.key}} and {{artifacts.key}}.'),
    retry: stepRetrySchema().exactOptional().describe('Retries the step when it fails with a recoverable error.'),
  }),
);

const idSchema = () => z.string().min(1).max(MAX_STEP_ID_LENGTH);

/** An entire file. No other keys are allowed. */
export const stepFlowSchema = late(() =>
  z.strictObject({
    id: idSchema().exactOptional().describe('ID of the flow, unique in its product.'),
    name: idSchema().exactOptional().describe('Same as id; if id is also set, the label for people.'),
    description: z.string().exactOptional().describe('Purpose of the flow.'),
    autonomy_level: z.enum(autonomyLevels).exactOptional().describe('Autonomy level of the flow. Default semi_auto.'),
    version: z.string().exactOptional().describe('Version of the flow. Default "v1".'),
    steps: z.array(stepSchema()).min(1).describe('Steps in the order in which they run.'),
    metadata: mapSchema().exactOptional().describe('Notes for people and programs.'),
  }),
);
