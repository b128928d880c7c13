/**
 * Spans, as OpenTelemetry has them, and their ids.
 */
import { hash } from 'node:crypto';
import type { RunId } from '../base/ids.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';

export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** `SpanKind` of `opentelemetry/proto/trace/v1/trace.proto`. */
export const spanKinds = { internal: 1, client: 3 } as const;

/** Something that happened at one moment of a span. */
export interface SpanEvent {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly attributes: Attributes;
}

/** Where another span is. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** A span that has ended. */
export interface Span extends SpanPlace {
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds];
  /** Epoch milliseconds; never later than `endedAt`. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanPlace[];
  /** Why it failed; absent = it did not. */
  readonly failure?: string;
}

function hexOf(parts: readonly (string | number)[], digits: number): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, digits);
}

/** A run at the top is a trace, with all that it calls; wherever it is exported, it has one id. */
export function traceIdOf(root: RunId): string {
  return hexOf(['millrace.trace', root], 32);
}

/** @param what kind of span, and what tells it from others of its kind in the run at the top */
export function spanIdOf(root: RunId, ...what: readonly (string | number)[]): string {
  return hexOf(['millrace.span', root, ...what], 16);
}

/** The first span of a run, whichever the run at the top is; what comes after a pause has others. */
export function runSpanOf(root: RunId, runId: RunId = root): SpanPlace {
  return { traceId: traceIdOf(root), spanId: spanIdOf(root, 'run', runId) };
}

/** A span that goes on. */
export class OpenSpan {
  readonly place: SpanPlace;
  readonly startedAt: number;
  readonly #rest: Pick<Span, 'name' | 'kind' | 'links'> & { readonly parentSpanId?: string };
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
    }: Pick<Span, 'name' | 'startedAt' | 'attributes'> &
      Partial<Pick<Span, 'kind' | 'links'>> & { readonly parent: string | undefined },
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
  ended(at: number, failure?: { readonly code: string; readonly message: string }): Span {
    const { place, startedAt } = this;
    return {
      ...{ ...place, ...this.#rest, startedAt },
      // Somebody may have put the clock back.
      endedAt: Math.max(startedAt, at),
      attributes: failure === undefined ? this.#attributes : { ...this.#attributes, 'error.type': failure.code },
      events: this.#events,
      ...(failure === undefined ? {} : { failure: failure.message }),
    };
  }
}

/** The span without what looks like secrets: texts of programs and people stand in attributes and failures. */
export function maskedSpan(span: Span, redact: (value: JsonValue) => JsonValue): Span {
  const { attributes, events, failure } = span;
  // What it takes and gives is JSON of the same form.
  const { failure: why, ...clean } = redact({
    attributes,
    events,
    failure: failure ?? '',
  } as unknown as JsonMap) as unknown as Pick<Span, 'attributes' | 'events'> & { failure: string };
  return { ...span, ...clean, ...(failure === undefined ? {} : { failure: why }) };
}
