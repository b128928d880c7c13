/**
 * What the hub must know of single events: which ones others wait for, and where they carry values.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import type { WhenTrace } from '../flowspec/when-trace.ts';
import type { RunEvent } from './run-event.ts';
import { mayExceed } from './value-size.ts';

type Intern = (value: JsonValue) => JsonValue;

/** Values up to this many bytes of JSON text travel in the event itself. */
const inlineLimitBytes = 16 * 1024;

/**
 * True for events after which something may start that builds on them, or that end a scope: they are made durable at
 * once, with all that came before.
 */
export function isBarrier(event: RunEvent): boolean {
  switch (event.type) {
    case 'run:start':
    case 'run:resumed':
    case 'run:suspended':
    case 'run:end':
    case 'phase:failed':
    case 'phase:cancelled':
    case 'task:complete':
    case 'task:failed':
    case 'task:cancelled':
    case 'task:skipped':
      return true;
    default:
      return false;
  }
}

/**
 * The event with its large values exchanged for what `intern` gives, which is spared values that are surely small.
 */
export function withInternedValues(event: RunEvent, intern: Intern): RunEvent {
  switch (event.type) {
    case 'task:complete':
      return isLarge(event.result) ? { ...event, result: intern(event.result) } : event;
    case 'node:input':
      return isLarge(event.input) ? { ...event, input: intern(event.input) } : event;
    case 'run:start':
      return isLarge(event.inputs) ? { ...event, inputs: intern(event.inputs) } : event;
    case 'run:end':
      return event.output !== undefined && isLarge(event.output) ? { ...event, output: intern(event.output) } : event;
    case 'node:reused':
      return isLarge(event.output) ? { ...event, output: intern(event.output) } : event;
    case 'node:skipped':
    case 'edge:fired':
    case 'edge:skipped':
      return event.detail === undefined ? event : { ...event, detail: internedTrace(event.detail, intern) };
    default:
      return event;
  }
}

function internedTrace(trace: WhenTrace, intern: Intern): WhenTrace {
  if ('of' in trace) return { ...trace, of: trace.of.map((part) => internedTrace(part, intern)) };
  const { actual } = trace;
  const seen = actual !== undefined && isLarge(actual) ? { actual: intern(actual) } : {};
  if (trace.op === 'exists') return { ...trace, ...seen };
  return { ...trace, value: isLarge(trace.value) ? intern(trace.value) : trace.value, ...seen };
}

function isLarge(value: JsonValue): boolean {
  return mayExceed(value, inlineLimitBytes);
}
