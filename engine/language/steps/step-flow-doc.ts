/**
 * The step flow document: a list of steps that run one after another, as in `products/<product>/flows/*.yaml` and
 * `.json`. The TypeScript types and the JSON Schema of `schema steps` are derived from the schemas here.
 */
import { z } from 'zod';
import { late } from '../../base/late.ts';
import { type AutonomyLevel, autonomyLevels } from '../flow/autonomy.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';

/** Types of steps. */
export const stepTypes = ['agent', 'tool', 'human_approval', 'user_input', 'plan_proposal'] as const;

export type StepType = (typeof stepTypes)[number];

/** What happens at the deadline of an approval without an answer. */
const deadlineAnswers = ['remind', 'approve', 'reject', 'fail'] as const;

/** How often a step is retried after an error that is worth another attempt. */
export interface StepRetry {
  /** Total number of attempts, including the first: 1 to 10. */
  readonly max_attempts: number;
  /** Constant delay between two attempts in seconds: 0 to 60. */
  readonly backoff_seconds: number;
  /** Codes of the errors that are retried; empty = all. */
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
  /** For `human_approval`: what the approver has to know. */
  readonly message?: string;
  readonly title?: string;
  /** For `human_approval`: time limit for an answer, in milliseconds from the request. */
  readonly deadline_ms?: number;
  readonly on_deadline?: (typeof deadlineAnswers)[number];
  readonly form?: JsonMap;
  /** Templates in it are resolved before the step runs. */
  readonly params: JsonMap;
  readonly retry?: StepRetry;
}

/** A whole file with its defaults. The same flow in YAML and in JSON results in equal documents. */
export interface StepFlowDoc {
  readonly id: string;
  readonly description?: string;
  readonly autonomy_level: AutonomyLevel;
  readonly version: string;
  readonly steps: readonly StepDoc[];
  readonly metadata: JsonMap;
}

/** Maximum length of an ID, and of the name of an agent or tool. */
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
    .regex(/^[^\p{Cc}/[\]]*$/u, 'must not hold /, [, ] or signs that cannot be seen'),
);

/** Returns whether a text is a valid ID of a step. */
export function isStepId(text: string): boolean {
  return stepIdSchema().safeParse(text).success;
}

const codesSchema = () => z.array(z.string().min(1));

export const stepRetrySchema = late(() =>
  z.strictObject({
    max_attempts: z.int().min(1).max(10).exactOptional().describe('Attempts in all, the first included. Default 1.'),
    backoff_seconds: z.number().min(0).max(60).exactOptional().describe('Pause between two attempts. Default 0.'),
    retry_on_codes: codesSchema()
      .exactOptional()
      .describe('Codes of the errors that are tried again. Default: every one.'),
    retry_on: codesSchema().exactOptional().describe('The same as retry_on_codes.'),
  }),
);

export const stepSchema = late(() =>
  z.strictObject({
    id: stepIdSchema()
      .exactOptional()
      .describe('Unique in the flow. Default: the name, else step_ and its number from 0.'),
    type: z.enum(stepTypes).describe('What the step does.'),
    name: z.string().exactOptional().describe('Label for people.'),
    backend: z.enum(['local', 'remote', 'mcp']).exactOptional().describe('Where the tool runs; its manifest decides.'),
    agent: nameSchema().exactOptional().describe('Of agent and plan_proposal: the agent, as product.name.'),
    tool: nameSchema().exactOptional().describe('Of tool: the tool, as product.name.'),
    message: z.string().exactOptional().describe('Of human_approval: what whoever decides has to know.'),
    title: z.string().exactOptional().describe('Of human_approval: what is asked, in one line.'),
    deadline_ms: z
      .int()
      .min(1)
      .exactOptional()
      .describe('Of human_approval: how long there is for an answer, in milliseconds from when it is asked.'),
    on_deadline: z
      .enum(deadlineAnswers)
      .exactOptional()
      .describe('Of human_approval: what happens when there is no answer by then. Default remind.'),
    form: mapSchema().exactOptional().describe('Hints for whoever draws a form.'),
    params: mapSchema()
      .exactOptional()
      .describe('What the step works on. Text may hold {{payload.key}} and {{artifacts.key}}.'),
    retry: stepRetrySchema().exactOptional().describe('Tries the step again when it fails with a recoverable error.'),
  }),
);

const idSchema = () => z.string().min(1).max(MAX_STEP_ID_LENGTH);

/** A whole file. No other keys are allowed. */
export const stepFlowSchema = late(() =>
  z.strictObject({
    id: idSchema().exactOptional().describe('Name of the flow, unique in its product.'),
    name: idSchema().exactOptional().describe('The same as id; beside an id, its name for people.'),
    description: z.string().exactOptional().describe('The goal of the flow.'),
    autonomy_level: z
      .enum(autonomyLevels)
      .exactOptional()
      .describe('How far the flow may act by itself. Default semi_auto.'),
    version: z.string().exactOptional().describe('Version of the flow. Default "v1".'),
    steps: z.array(stepSchema()).min(1).describe('The steps, in the order in which they run.'),
    metadata: mapSchema().exactOptional().describe('Notes for people and programs.'),
  }),
);
