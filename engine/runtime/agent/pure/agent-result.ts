/**
 * Defines and validates the results of pure agents. An agent reports findings. The flow decides what happens next and
 * whether to retry.
 */
import { z } from 'zod';
import { cutText } from '../../../base/cut-text.ts';
import { toErrorRecord } from '../../../base/engine-error.ts';
import { frozenCopy } from '../../../language/json/checked-json.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../../language/json/json-value.ts';
import {
  type AgentFailure,
  type AgentMeta,
  agentErrorCodes,
  agentKinds,
} from '../../kernel/capabilities/pure-agents-capability.ts';

/** Maximum size of a result as JSON, in bytes. Agents return findings, not files. */
export const maxResultBytes = 1024 * 1024;

/** Maximum nesting of lists and maps, starting at `data`. */
export const maxResultDepth = 50;

/** Lowercase keys with which an agent would control the flow. */
export const controlFields: ReadonlySet<string> = new Set([
  'next_step',
  'retry',
  'retry_instructions',
  'branch',
  'branching',
  'branch_hint',
  'branching_hint',
]);

const mapSchema = z.custom<JsonMap>((value) => isJsonMap(value as JsonValue), 'must be a map');

const failureSchema = z.strictObject({
  code: z.enum(agentErrorCodes),
  message: z.string(),
  recoverable: z.boolean().default(false),
  details: mapSchema.default({}),
});

const timeSchema = z.union([z.string(), z.number()], 'must be a time');

/** Metadata that a result may contain. The engine adds most of it. */
const metaSchema = z.strictObject({
  agent_name: z.string().exactOptional(),
  kind: z.enum(agentKinds).exactOptional(),
  request_id: z.string().exactOptional(),
  started_at: timeSchema.exactOptional(),
  ended_at: timeSchema.nullable().exactOptional(),
  latency_ms: z.number().nullable().exactOptional(),
  token_estimate: z.number().nullable().exactOptional(),
  cost_estimate: z.number().nullable().exactOptional(),
  tags: mapSchema.exactOptional(),
  redacted: z.boolean().exactOptional(),
});

const resultSchema = z
  .strictObject({
    ok: z.boolean(),
    data: mapSchema.nullable().default(null),
    error: failureSchema.nullable().default(null),
    meta: metaSchema.default({}),
  })
  .superRefine(({ ok, error }, { addIssue }) => {
    if (ok && error !== null) addIssue({ code: 'custom', path: ['error'], message: 'must be null if ok is true' });
    if (!ok && error === null) addIssue({ code: 'custom', path: ['error'], message: 'is required if ok is false' });
  });

/** Metadata that agents may set. */
export type GivenMeta = Partial<Pick<AgentMeta, 'kind' | 'token_estimate' | 'cost_estimate' | 'tags' | 'redacted'>>;

/** A result as returned by its agent, before the engine adds metadata. Frozen. */
export type GivenResult =
  | { readonly ok: true; readonly data: JsonMap | null; readonly error: null; readonly meta: GivenMeta }
  | { readonly ok: false; readonly data: JsonMap | null; readonly error: AgentFailure; readonly meta: GivenMeta };

/** A violation of the agent's contract. */
export interface ResultRefusal {
  /** Stable identifiers. `agent_threw`: the agent threw instead of returning a result. */
  readonly reason: 'agent_output_control_fields' | 'agent_output_invalid' | 'agent_threw';
  /** Describes what is wrong with the result, or the error that the agent threw. */
  readonly message: string;
  /** Path within the result; empty for the entire result. */
  readonly path: readonly (string | number)[];
}

export type CheckedResult = { readonly result: GivenResult } | { readonly refusal: ResultRefusal };

/**
 * Validates any value returned by an agent. Never throws, and reads each part once.
 * @param given created by the agent: may have getters, be circular, or be nested to any depth
 */
export function checkResult(given: unknown): CheckedResult {
  const copied = frozenCopy(given ?? null, maxResultBytes);
  if (!copied.ok) {
    const { path, message, isTooLong } = copied.problem;
    const words =
      isTooLong === true ? `is longer than ${maxResultBytes / 2 ** 20} MiB as JSON: return less data` : message;
    return refusalOfValue(path, words);
  }
  if (!isJsonMap(copied.value) || typeof copied.value['ok'] !== 'boolean') {
    return refusalOfValue([], `is not an AgentResult: expected a map with "ok", found ${shown(copied.value)}`);
  }
  const { data = null } = copied.value;
  const found = isJsonMap(data) ? findInside(data) : undefined;
  if (found !== undefined) return { refusal: found };
  const read = resultSchema.safeParse(copied.value);
  if (read.success) return { result: givenOf(read.data) };
  const [issue] = read.error.issues;
  return refusalOfValue((issue?.path ?? []) as (string | number)[], issue?.message ?? 'is not an AgentResult');
}

/**
 * Converts a plain value to a result, such as a script's return value in an agent file. A map becomes the data, `null`
 * becomes empty data, and any other value becomes `value` in the data. A map with `ok` is treated as a result.
 */
export function resultOfValue(value: JsonValue): CheckedResult {
  if (isJsonMap(value) && typeof value['ok'] === 'boolean') return checkResult(value);
  return checkResult({ ok: true, data: value === null || isJsonMap(value) ? value : { value } });
}

/** Adds the engine's metadata about model calls. */
export function withSpent(checked: CheckedResult, spent: GivenMeta): CheckedResult {
  if ('refusal' in checked) return checked;
  const { result } = checked;
  return { result: { ...result, meta: { ...result.meta, ...spent } } };
}

/** @param thrown any value thrown by the agent's code */
export function refusalOfThrown(thrown: unknown): CheckedResult {
  const { message } = toErrorRecord(thrown);
  const hint = 'For expected failures, return a result with "ok" false.';
  const words = `threw an error instead of returning a result. ${hint}\n${message}`;
  return { refusal: { reason: 'agent_threw', message: words, path: [] } };
}

/**
 * Creates the error for a value that is not a result. @param path path within the result; empty for the entire result
 */
export function refusalOfValue(path: readonly (string | number)[], message: string): CheckedResult {
  return { refusal: { reason: 'agent_output_invalid', path, message } };
}

/** Creates the result of an agent that failed with an expected error. */
export function failedWith(error: AgentFailure): CheckedResult {
  return { result: { ok: false, data: null, error, meta: {} } };
}

/** Creates the result of an agent that exceeded the script time limit. */
export function timedOut(message: string): CheckedResult {
  return failedWith({ code: 'timeout', message, recoverable: false, details: {} });
}

function shown(value: JsonValue): string {
  if (value === null) return 'nothing';
  return `the value ${cutText(JSON.stringify(value), 80)}`;
}

interface ResultPosition {
  readonly value: JsonValue;
  readonly name: string | number;
  readonly depth: number;
  readonly around: ResultPosition | undefined;
}

/**
 * Finds a control field at any depth, or the first part that is nested too deeply. Uses an explicit stack, so any depth
 * is safe.
 */
function findInside(data: JsonMap): ResultRefusal | undefined {
  const waiting: ResultPosition[] = [{ value: data, name: 'data', depth: 1, around: undefined }];
  let tooDeep: ResultPosition | undefined;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (steers(place)) return controlRefusal(place);
    const parts = partsOf(place);
    if (place.depth > maxResultDepth && parts !== undefined) tooDeep ??= place;
    for (const part of parts ?? []) waiting.push(part);
  }
  return tooDeep && depthRefusal(tooDeep);
}

function steers({ name, around }: ResultPosition): boolean {
  return around !== undefined && typeof name === 'string' && controlFields.has(name.toLowerCase());
}

/** Returns the parts of a list or map. */
function partsOf(around: ResultPosition): ResultPosition[] | undefined {
  const { value } = around;
  if (typeof value !== 'object' || value === null) return undefined;
  const depth = around.depth + 1;
  if (Array.isArray(value)) return value.map((part: JsonValue, name) => ({ value: part, name, depth, around }));
  return Object.entries(value as JsonMap).map(([name, part]) => ({ value: part, name, depth, around }));
}

function controlRefusal(place: ResultPosition): ResultRefusal {
  return {
    reason: 'agent_output_control_fields',
    path: pathOf(place),
    message: `has the key ${JSON.stringify(place.name)}, which would control the flow: only the flow itself can do that. Return your findings under another name.`,
  };
}

function depthRefusal(place: ResultPosition): ResultRefusal {
  const message = `is nested more than ${maxResultDepth} levels deep: return flatter data`;
  return { reason: 'agent_output_invalid', path: pathOf(place), message };
}

function pathOf(place: ResultPosition): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: ResultPosition | undefined = place; at !== undefined; at = at.around) path.push(at.name);
  return path.reverse();
}

function givenOf({ ok, data, error, meta }: z.output<typeof resultSchema>): GivenResult {
  const { kind, token_estimate: tokens, cost_estimate: cost, tags, redacted } = meta;
  const own: GivenMeta = {
    ...(kind === undefined ? {} : { kind }),
    ...(typeof tokens === 'number' ? { token_estimate: tokens } : {}),
    ...(typeof cost === 'number' ? { cost_estimate: cost } : {}),
    ...(tags === undefined ? {} : { tags }),
    ...(redacted === undefined ? {} : { redacted }),
  };
  // The schema has already checked `ok` against `error`.
  return (ok ? { ok, data, error: null, meta: own } : { ok, data, error, meta: own }) as GivenResult;
}
