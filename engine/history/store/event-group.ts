/**
 * Converts events that become durable together to database text and back.
 *
 * The text is a JSON list of events. Before an event, an object lists what differs from the previous event: `at`,
 * `runId` with `parentRunId`, and individual fields of the context (null for a removed field). The first event is
 * preceded by its `seq` and by the differences from the run's own id and session. This format halves the text size,
 * which dominates the cost of a commit.
 */
import type { RunId, SessionId } from '../../base/ids.ts';
import type { EventContext, EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';

/** One or more events with consecutive numbers. */
export type EventGroup = readonly [EventEnvelope, ...EventEnvelope[]];

/** Properties shared by the events of a log by default. */
export interface LogRoot {
  readonly runId: RunId;
  readonly sessionId: SessionId;
}

interface EnvelopeChange {
  seq?: number;
  at?: number;
  runId?: RunId;
  /** Parent of `runId`, which changes with it; absent if there is none. */
  parentRunId?: RunId | undefined;
  sessionId?: SessionId;
  phase?: EventContext['phase'] | null;
  task?: EventContext['task'] | null;
  agent?: EventContext['agent'] | null;
  node?: EventContext['node'] | null;
}

type EnvelopeContext = Omit<EventEnvelope, 'seq' | 'event'>;

function surroundingsOf({ runId, sessionId }: LogRoot): EnvelopeContext {
  return { at: Number.NaN, runId, context: { sessionId } };
}

/** Returns the text of a group. */
export function encodeGroup(events: EventGroup, root: LogRoot): string {
  let text = '';
  let before = surroundingsOf(root);
  for (const next of events) {
    // No event time equals the initial one, so the first event always includes its number.
    if (next.at !== before.at || next.context !== before.context || isOfOtherRun(before, next)) {
      const change = changeText(before, next);
      text += text === '' ? `{"seq":${next.seq}${change}},` : `,{${change.slice(1)}},`;
    } else {
      text += ',';
    }
    text += eventText(next.event);
    before = next;
  }
  return `[${text}]`;
}

/** Parses the events of a group. */
export function decodeGroup(text: string, root: LogRoot): EventEnvelope[] {
  const events: EventEnvelope[] = [];
  let now = surroundingsOf(root);
  let seq = 0;
  // Only `encodeGroup` writes this text, and databases of other programs are rejected, so any other shape means damage.
  for (const item of JSON.parse(text) as (EnvelopeChange | RunEvent)[]) {
    if ('type' in item) {
      if (typeof item.type !== 'string' || !Number.isFinite(now.at) || !Number.isSafeInteger(seq))
        throw new SyntaxError('an event has no type, time or number');
      events.push({ seq, ...now, event: item });
      seq += 1;
    } else {
      seq = item.seq ?? seq;
      now = changed(now, item, root);
    }
  }
  return events;
}

function isOfOtherRun(before: EnvelopeContext, next: EnvelopeContext): boolean {
  return next.runId !== before.runId || next.parentRunId !== before.parentRunId;
}

/**
 * Returns the fields of an `EnvelopeChange`, at least one, each with a leading comma. Built by hand like `eventText`.
 */
function changeText(before: EnvelopeContext, next: EnvelopeContext): string {
  let text = next.at === before.at ? '' : `,"at":${next.at}`;
  if (isOfOtherRun(before, next)) {
    text += `,"runId":${quoted(next.runId)}`;
    if (next.parentRunId !== undefined) {
      text += `,"parentRunId":${quoted(next.parentRunId)}`;
    }
  }
  return next.context === before.context ? text : text + scopesText(before.context, next.context);
}

function scopesText(before: EventContext, next: EventContext): string {
  let text = next.sessionId === before.sessionId ? '' : `,"sessionId":${JSON.stringify(next.sessionId)}`;
  if (next.phase !== before.phase) {
    text += phaseText(next);
  }
  if (next.task !== before.task) {
    text += `,"task":${next.task === undefined ? 'null' : `{"id":${quoted(next.task.id)}}`}`;
  }
  if (next.agent !== before.agent) {
    text += `,"agent":${JSON.stringify(next.agent ?? null)}`;
  }
  if (next.node !== before.node) {
    text += `,"node":${next.node === undefined ? 'null' : `{"id":${quoted(next.node.id)}}`}`;
  }
  // The contexts are different objects with equal fields.
  return text === '' ? phaseText(next) : text;
}

function phaseText({ phase }: EventContext): string {
  return `,"phase":${phase === undefined ? 'null' : `{"name":${quoted(phase.name)}}`}`;
}

function changed(before: EnvelopeContext, change: EnvelopeChange, root: LogRoot): EnvelopeContext {
  const { runId = before.runId, at = before.at } = change;
  const parentRunId = change.runId === undefined ? before.parentRunId : change.parentRunId;
  const context = changedContext(before.context, change);
  if (parentRunId === undefined) return { at, runId, context };
  const rootRunId = root.runId;
  return runId === rootRunId ? { at, runId, parentRunId, context } : { at, runId, parentRunId, rootRunId, context };
}

function changedContext(before: EventContext, change: EnvelopeChange): EventContext {
  const {
    sessionId = before.sessionId,
    phase = before.phase,
    task = before.task,
    agent = before.agent,
    node = before.node,
  } = change;
  return {
    sessionId,
    ...(phase ? { phase } : {}),
    ...(task ? { task } : {}),
    ...(agent ? { agent } : {}),
    ...(node ? { node } : {}),
  };
}

/**
 * Returns the event as JSON, identical to `JSON.stringify`. Frequent node events are built by hand, because a durable
 * run writes them for each node and the general method is several times slower.
 */
export function eventText(event: RunEvent): string {
  switch (event.type) {
    case 'task:start': {
      const { taskId, nodeId, nodeType, resumed } = event;
      if (nodeId === undefined || nodeType === undefined || resumed !== undefined) break;
      return `{"type":"task:start","taskId":${quoted(taskId)},"nodeId":${quoted(nodeId)},"nodeType":${quoted(nodeType)}}`;
    }
    case 'task:complete': {
      const { taskId, nodeId, result, durationMs, attempts } = event;
      if (nodeId === undefined) break;
      return `{"type":"task:complete","taskId":${quoted(taskId)},"nodeId":${quoted(nodeId)},"result":${JSON.stringify(result)},"durationMs":${durationMs},"attempts":${attempts}}`;
    }
    case 'node:input':
      if (event.edited !== undefined) return JSON.stringify(event);
      return `{"type":"node:input","nodeId":${quoted(event.nodeId)},"input":${JSON.stringify(event.input)}}`;
    case 'edge:fired': {
      const { edgeId, from, to, detail } = event;
      if (detail !== undefined) break;
      return `{"type":"edge:fired","edgeId":${quoted(edgeId)},"from":${quoted(from)},"to":${quoted(to)}}`;
    }
    default:
  }
  return JSON.stringify(event);
}

const plain = /^[\w .:>[\]#-]*$/;

/** Ids and names rarely contain characters that JSON escapes. */
function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}
