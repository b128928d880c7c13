/**
 * Defines OpenTelemetry spans and their ids.
 */
import { hash } from 'node:crypto';
import type { RunId } from '../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';

export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Values of `SpanKind` in `opentelemetry/proto/trace/v1/trace.proto`. */
export const spanKinds = { internal: 1, client: 3 } as const;

/** An event at one point in time within a span. */
export interface SpanEvent {
  readonly name: string;
  /** Time in epoch milliseconds. */
  readonly at: number;
  readonly attributes: Attributes;
}

/** Identifies a span. */
export interface SpanPlace {
  /** Trace id with 32 hexadecimal digits. */
  readonly traceId: string;
  /** Span id with 16 hexadecimal digits. */
  readonly spanId: string;
}

/** A span that has ended. */
export interface TraceSpan extends SpanPlace {
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds];
  /** Start in epoch milliseconds; never later than `endedAt`. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanPlace[];
  /** Why the work failed; absent if it did not. */
  readonly failure?: string;
}

function hexOf(parts: readonly (string | number)[], digits: number): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, digits);
}

/** Returns the trace id. A root run and its child runs form one trace, which has the same id in every export. */
export function traceIdOf(root: RunId): string {
  return hexOf(['millrace.trace', root], 32);
}

/** @param what kind of the span, and what distinguishes it from others of its kind in the root run */
export function spanIdOf(root: RunId, ...what: readonly (string | number)[]): string {
  return hexOf(['millrace.span', root, ...what], 16);
}

/** Returns the first span of a run, regardless of its root run; the parts after a pause have other spans. */
export function runSpanOf(root: RunId, runId: RunId = root): SpanPlace {
  return { traceId: traceIdOf(root), spanId: spanIdOf(root, 'run', runId) };
}

/** A span in progress. */
export class OpenSpan {
  readonly place: SpanPlace;
  readonly startedAt: number;
  readonly #rest: Pick<TraceSpan, 'name' | 'kind' | 'links'> & { readonly parentSpanId?: string };
  readonly #events: SpanEvent[] = [];
  #attributes: Attributes;

  constructor(
    place: SpanPlace,
    {
      parent,
      attributes,
      startedAt,
      kind = spanKinds.internal,
      links = [],
      name,
    }: Pick<TraceSpan, 'name' | 'startedAt' | 'attributes'> &
      Partial<Pick<TraceSpan, 'kind' | 'links'>> & { readonly parent: string | undefined },
  ) {
    this.place = place;
    this.startedAt = startedAt;
    this.#attributes = attributes;
    this.#rest = { name, kind, links, ...(parent === undefined ? {} : { parentSpanId: parent }) };
  }

  get id(): string {
    return this.place.spanId;
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  note(event: SpanEvent): void {
    this.#events.push(event);
  }

  /** @param failure code and message; the code becomes `error.type` */
  ended(at: number, failure?: { readonly code: string; readonly message: string }): TraceSpan {
    const { place, startedAt } = this;
    return {
      ...{ ...place, ...this.#rest, startedAt },
      // The clock may have been set back.
      endedAt: Math.max(startedAt, at),
      attributes: failure === undefined ? this.#attributes : { ...this.#attributes, 'error.type': failure.code },
      events: this.#events,
      ...(failure === undefined ? {} : { failure: failure.message }),
    };
  }
}

/**
 * Returns the span without text that looks like secrets, because attributes and failures contain text from programs and
 * people.
 */
export function maskedSpan(span: TraceSpan, redact: (value: JsonValue) => JsonValue): TraceSpan {
  const { attributes, events, failure } = span;
  // The input and the result are JSON with the same shape.
  const { failure: why, ...clean } = redact({
    attributes,
    events,
    failure: failure ?? '',
  } as unknown as JsonMap) as unknown as Pick<TraceSpan, 'attributes' | 'events'> & { failure: string };
  return { ...span, ...clean, ...(failure === undefined ? {} : { failure: why }) };
}
