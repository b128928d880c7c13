/**
 * Checks events of a shared history, which other programs can write to. Code that reads events relies on their types, so
 * a single malformed one would make a window fail.
 */
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { isMap } from '../store/run-row.ts';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const flag: Check = (value) => typeof value === 'boolean';
const map: Check = isMap;
const texts: Check = (value) => Array.isArray(value) && value.every(text);
/** Any JSON value. */
const present: Check = (value) => value !== undefined;
const error: Check = (value) => isMap(value) && text(value['code']) && text(value['message']);
const suspension: Check = (value) => isMap(value) && text(value['reason']) && text(value['message']);
const request: Check = (value) => isMap(value) && (value['kind'] === 'approval' || value['kind'] === 'input');
const plan: Check = (value) => isMap(value) && text(value['summary']) && texts(value['step_ids']);

/** The member of a union for an event type. Some members have several types. */
type EventOf<Type, Event = RunEvent> = Event extends { readonly type: infer Types }
  ? Type extends Types
    ? Event
    : never
  : never;

type RequiredKeys<Event> = {
  [Key in keyof Event]-?: undefined extends Event[Key] ? never : Key;
}[keyof Event];

type Shapes = {
  readonly [Type in RunEvent['type']]: {
    readonly [Key in Exclude<RequiredKeys<EventOf<Type>>, 'type'>]: Check;
  };
};

const ended = { taskId: text, durationMs: number, attempts: number };
const ask = { nodeId: text, key: text, requestHash: text };
const edge = { edgeId: text, from: text, to: text };
const call = { callKey: text, tool: text };
const toolCall = { callKey: text, toolName: text };
const agent = { agentName: text, runId: text };

const required: Shapes = {
  'run:start': { kind: text, name: text, sourcePath: text, definitionHash: text, inputs: present },
  'run:suspended': { reason: text },
  'run:resumed': {},
  'run:refused': { code: text, message: text, details: present },
  'run:end': { status: text, failedNodes: texts, durationMs: number },
  'task:start': { taskId: text },
  'task:complete': { ...ended, result: present },
  'task:failed': { ...ended, error },
  'task:cancelled': { taskId: text, reason: text },
  'task:skipped': { taskId: text, reason: text },
  'stage:start': { stage: text },
  'stage:end': { stage: text, ms: number },
  pin: { iden: text, content: text },
  label: { text },
  trace: { name: text, data: present },
  log: { level: text, text },
  'governance:decision': { allowed: flag, rule: text, effect: text, target: text },
  'phase:start': { name: text },
  'phase:complete': { name: text },
  'phase:failed': { name: text, error },
  'phase:cancelled': { name: text },
  'edge:fired': edge,
  'edge:skipped': edge,
  'node:skipped': { nodeId: text, reason: text },
  'node:reused': { nodeId: text, output: present },
  'node:suspended': { nodeId: text, request: suspension },
  'node:held': { nodeId: text, reason: text },
  'node:input': { nodeId: text, input: present },
  'node:retry': { nodeId: text, attempt: number, delayMs: number, error },
  'approval:requested': { ...ask, request },
  'input:requested': { ...ask, request },
  'approval:resolved': { ...ask, payload: map, at: number },
  'input:received': { ...ask, payload: map, at: number },
  'input:refused': { nodeId: text, key: text, errors: texts },
  'agent:start': agent,
  'agent:complete': { ...agent, success: flag },
  'agent:failed': { ...agent, error },
  'agent:text': { content: text },
  'agent:thinking': { content: text },
  'model:request': { provider: text, model: text, messagesHash: text },
  'model:response': { durationMs: number, finishReason: text },
  'call:complete': { callKey: text, result: present },
  'agent:tool:start': { ...toolCall, input: present },
  'agent:tool:complete': { ...toolCall, result: present, isError: flag },
  'tool:attempt': { ...call, attempt: number, params: present, effects: text },
  'tool:retry': { ...call, attempt: number, delayMs: number, error },
  'tool:result': { ...call, attempts: number, result: present, isError: flag, durationMs: number, backend: text },
  'step:meta': { nodeId: text, meta: map },
  'plan:proposed': { nodeId: text, plan },
  'plan:invalid': { nodeId: text, error: text },
};

/** Fields that some events have, with the same type in all of them. */
const optional: Readonly<Record<string, Check>> = {
  ...{ nodeId: text, taskId: text, nodeType: text, parentTaskId: text, callKey: text, by: text, comment: text },
  ...{ pinned: texts, scope: map, usage: map, costUsd: number, unpricedCalls: number, detail: map },
};

const shapes: ReadonlyMap<string, Readonly<Record<string, Check>>> = new Map(Object.entries(required));

/**
 * Returns what is wrong with an event, as a clause; undefined if nothing is. Events of unknown types are of a newer
 * version, and readers ignore them.
 */
export function eventProblem({ event, runId, parentRunId, context, seq }: EventEnvelope): string | undefined {
  const shape = shapes.get(event.type);
  if (shape === undefined) return undefined;
  const fields = event as unknown as Readonly<Record<string, unknown>>;
  const wrong =
    Object.keys(shape).find((name) => shape[name]?.(fields[name]) !== true) ??
    Object.keys(optional).find((name) => fields[name] !== undefined && optional[name]?.(fields[name]) !== true) ??
    (event.type === 'run:end' && event.error !== undefined && !error(event.error) ? 'error' : undefined);
  if (wrong !== undefined) return `"${wrong}" of event ${seq} (${event.type}) is invalid`;
  const names = [runId, parentRunId, context.sessionId, context.phase?.name, context.task?.id, context.agent?.name];
  const isSound = [...names, context.node?.id].every((name) => name === undefined || text(name));
  return isSound ? undefined : `the scope of event ${seq} is invalid`;
}
