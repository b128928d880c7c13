/**
 * The triggers of a flow, which start it without a person: their form in the file.
 */
import { z } from 'zod';
import type { JsonValue } from '../json/json-value.ts';
import { type BudgetDoc, budgetSchema } from './budget-doc.ts';

/** What a trigger waits for. Each trigger has exactly one of these. */
export const triggerKinds = ['schedule', 'files', 'webhook', 'after'] as const;

export type TriggerKind = (typeof triggerKinds)[number];

/** Points in time: those of a cron expression in a time zone, or one per interval. */
export type ScheduleDoc =
  | { readonly cron: string /** UTC if absent. */; readonly timezone?: string }
  | { readonly every: string };

export type FileChangeKind = 'created' | 'changed' | 'deleted';

export interface FilesTriggerDoc {
  /** Pattern of paths in the workspace. */
  readonly glob: string;
  /** Created and changed if absent. */
  readonly on?: readonly FileChangeKind[];
  /** Delay after the last change, for example `2s`; 1s if absent. */
  readonly debounce?: string;
  /** Whether changes that happen together start one run; otherwise, each file starts one. */
  readonly batch?: boolean;
}

export interface WebhookSignatureDoc {
  readonly style: 'github' | 'stripe' | 'slack';
  /** A binding of a secret: `{{secret.NAME}}`. */
  readonly secret: string;
}

export interface WebhookTriggerDoc {
  readonly path: string;
  /** POST if absent. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A value that callers send, as a binding of a secret. */
  readonly secret?: string;
  readonly signature?: WebhookSignatureDoc;
  /** When the caller gets its answer: at once (if absent), when the run has ended, or from a `respond` node. */
  readonly answer?: 'accepted' | 'result' | 'respond';
}

/** How a run that was awaited ended. */
type AwaitedStatus = 'completed' | 'failed' | 'cancelled';

export interface AfterTriggerDoc {
  /** Path of the other flow, relative to the workspace. */
  readonly flow: string;
  /** Completed if absent. */
  readonly status?: readonly AwaitedStatus[];
}

/** What happens when a trigger is due while a run that it started is active. */
export type OverlapRule = 'skip' | 'queue' | 'cancelPrevious' | { readonly parallel: number };

/** Settings that all kinds share. */
export interface TriggerSettings {
  /** Unique in the flow. */
  readonly id: string;
  /** Values for the flow's inputs. Text may contain bindings to `event`. */
  readonly inputs?: Readonly<Record<string, JsonValue>>;
  /** See `overlapOf`. */
  readonly overlap?: OverlapRule;
  /** What happens to times that passed, and to runs that ended, while nothing ran. See `missedOf`. */
  readonly missed?: 'once' | 'all' | 'skip';
  /** Runs per hour; further ones are skipped. */
  readonly limit?: number;
  /** Ends a run that uses more. */
  readonly budget?: BudgetDoc;
  /** Higher ones start first; 0 if absent. */
  readonly priority?: number;
}

/** A trigger in the file. The validator reports one that does not have exactly one kind. */
export interface TriggerDoc extends TriggerSettings {
  readonly schedule?: ScheduleDoc;
  readonly files?: FilesTriggerDoc;
  readonly webhook?: WebhookTriggerDoc;
  readonly after?: AfterTriggerDoc;
}

/** Returns what a trigger waits for; undefined if it has no kind. */
export function triggerKindOf(trigger: TriggerDoc): TriggerKind | undefined {
  return triggerKinds.find((kind) => trigger[kind] !== undefined);
}

/**
 * Returns what happens when a trigger is due while a run that it started is active. By default, a time is skipped, because
 * the next one follows; other events have their own data, so they wait.
 */
export function overlapOf({ overlap, schedule }: TriggerDoc): OverlapRule {
  return overlap ?? (schedule === undefined ? 'queue' : 'skip');
}

/** Returns what happens to what was missed. By default, one run is enough for all times; other events each start one. */
export function missedOf({ missed, schedule }: TriggerDoc): 'once' | 'all' | 'skip' {
  return missed ?? (schedule === undefined ? 'all' : 'once');
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const longestMs = 366 * 86_400_000;

/** Returns the milliseconds of a duration such as `15m`; undefined if the text is not one, or over 366 days. */
export function durationMs(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,8})(s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? 0);
  return ms > 0 && ms <= longestMs ? ms : undefined;
}

function durationSchema(): z.ZodType<string> {
  return z.string().refine((text) => durationMs(text) !== undefined, {
    error: ({ input }) => `must be a whole number with s, m, h or d, such as 15m, not ${JSON.stringify(input)}`,
  });
}

const idPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const webhookPath = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const longestWebhookPath = 200;

/** Whether text can be the path of a webhook. */
export function isWebhookPath(text: string): boolean {
  return text.length <= longestWebhookPath && webhookPath.test(text);
}

function scheduleSchema() {
  const cron = z.strictObject({
    cron: z.string().describe('Minute, hour, day of month, month and weekday, such as `30 7 * * 1-5`.'),
    timezone: z.string().exactOptional().describe('Time zone, such as `Europe/Berlin`. Default UTC.'),
  });
  const interval = z.strictObject({ every: durationSchema().describe('Interval, such as `15m`, `1h` or `1d`.') });
  return z.union([cron, interval], { error: 'must have either cron, such as "30 7 * * 1-5", or every, such as 15m' });
}

function filesSchema() {
  return z.strictObject({
    glob: z.string().min(1).describe('Pattern of paths in the workspace, such as `inbox/*.eml`.'),
    on: z
      .array(z.enum(['created', 'changed', 'deleted']))
      .min(1)
      .exactOptional()
      .describe('Changes that count. Default `[created, changed]`.'),
    debounce: durationSchema().exactOptional().describe('Delay after the last change of a file. Default 1s.'),
    batch: z.boolean().exactOptional().describe('True: one run for all files that change together. Default false.'),
  });
}

function webhookSchema() {
  const signature = z.strictObject({
    style: z.enum(['github', 'stripe', 'slack']).describe('Service that signs the requests.'),
    secret: z.string().describe('The signing secret: `{{secret.NAME}}`.'),
  });
  return z.strictObject({
    path: z
      .string()
      .max(longestWebhookPath)
      .regex(webhookPath, 'may contain only letters, digits, -, _ and ., in parts separated by /')
      .describe('Last part of the address.'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).exactOptional().describe('Method. Default POST.'),
    secret: z.string().exactOptional().describe('Value that callers must send: `{{secret.NAME}}`.'),
    signature: signature.exactOptional().describe('Signature that requests must have.'),
    answer: z
      .enum(['accepted', 'result', 'respond'])
      .exactOptional()
      .describe('Answer at once (default), with the outputs of the run, or from a `respond` node.'),
  });
}

function afterSchema() {
  return z.strictObject({
    flow: z.string().min(1).describe('Path of the other flow in the workspace.'),
    status: z
      .array(z.enum(['completed', 'failed', 'cancelled']))
      .min(1)
      .exactOptional()
      .describe('How its run ended. Default `[completed]`.'),
  });
}

const overlapWords = 'must be skip, queue, cancelPrevious or { parallel: NUMBER }';

/** Returns the schemas of a trigger's keys. */
export function triggerShape() {
  return {
    id: z
      .string()
      .regex(idPattern, 'must start with a letter or _ and contain only ASCII letters, digits and _')
      .describe('ID of the trigger, unique in the flow.'),
    schedule: scheduleSchema().exactOptional().describe('Starts the flow at certain times.'),
    files: filesSchema().exactOptional().describe('Starts the flow when files change.'),
    webhook: webhookSchema().exactOptional().describe('Starts the flow for a request of another program.'),
    after: afterSchema().exactOptional().describe('Starts the flow when a run of another flow has ended.'),
    inputs: z
      .record(z.string(), z.any() as z.ZodType<JsonValue>)
      .exactOptional()
      .describe('Inputs of the flow. Text may contain bindings such as `{{event.dueAt}}`.'),
    overlap: z
      .union([z.enum(['skip', 'queue', 'cancelPrevious']), z.strictObject({ parallel: z.int().min(1).max(1_000) })], {
        error: overlapWords,
      })
      .exactOptional()
      .describe(
        'What to do while an earlier run of this trigger is active. Default `skip` for a schedule, else `queue`.',
      ),
    missed: z
      .enum(['once', 'all', 'skip'])
      .exactOptional()
      .describe(
        'Runs for times that passed, or runs that ended, while nothing ran: one for all (default for a schedule), all of them (default for `after`), or none.',
      ),
    limit: z.int().min(1).exactOptional().describe('Maximum number of runs per hour; others are skipped.'),
    budget: budgetSchema().exactOptional().describe('A run that uses more is ended.'),
    priority: z.int().min(-1_000).max(1_000).exactOptional().describe('Higher ones start first. Default 0.'),
  };
}

/** JSON Schema's form of the rule that a trigger has exactly one kind. */
export const oneKind = { oneOf: triggerKinds.map((kind) => ({ required: [kind] })) };

/** The schema of a flow's triggers. Created on first use, because most flows have none. */
export const triggersSchema: z.ZodType<readonly TriggerDoc[]> = z.lazy(() =>
  z.array(z.strictObject(triggerShape()).meta(oneKind)),
);
