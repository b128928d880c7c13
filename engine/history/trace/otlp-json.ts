/**
 * Formats spans in the JSON encoding of OTLP 1.7.0 (`opentelemetry/proto/collector/trace/v1/trace_service.proto`): ids
 * in hexadecimal, enums as numbers, 64-bit numbers as decimal text, names in camel case. Source:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.7.0/docs/specification.md#json-protobuf-encoding
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { schemaUrl } from './gen-ai-attributes.ts';
import type { Attributes, AttributeValue, TraceSpan } from './span.ts';

/** `STATUS_CODE_ERROR` of `trace.proto`; the status of a successful span is unset. */
const statusError = 2;

/** One write per span would take too long, and one write for very many spans would block other work. */
const spansPerPiece = 100;

/** The origin of the spans. */
export interface SpanOrigin {
  /** Version of the program. */
  readonly version: string;
}

/** Yields the text of one request that contains the spans, in pieces, with one span per line. */
export function* requestPieces(spans: Iterable<TraceSpan>, origin: SpanOrigin): Generator<string, void> {
  const request = new RequestText(origin);
  yield request.head();
  yield* request.lines(spans);
  yield request.foot();
}

/** Yields the same text as `requestPieces`, for spans that arrive in groups. */
export async function* requestPiecesOf(
  groups: AsyncIterable<Iterable<TraceSpan>>,
  origin: SpanOrigin,
): AsyncGenerator<string, void> {
  const request = new RequestText(origin);
  yield request.head();
  for await (const spans of groups) yield* request.lines(spans);
  yield request.foot();
}

class RequestText {
  readonly #origin: SpanOrigin;
  #separator = '\n';

  constructor(origin: SpanOrigin) {
    this.#origin = origin;
  }

  head(): string {
    const { version } = this.#origin;
    const resource = { attributes: encodedAttributes({ 'service.name': 'millrace', 'service.version': version }) };
    const scope = { name: 'millrace', version };
    return `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`;
  }

  *lines(spans: Iterable<TraceSpan>): Generator<string, void> {
    let piece: string[] = [];
    for (const span of spans) {
      piece.push(this.#separator + JSON.stringify(encodedSpan(span)));
      this.#separator = ',\n';
      if (piece.length < spansPerPiece) continue;
      yield piece.join('');
      piece = [];
    }
    yield piece.join('');
  }

  foot(): string {
    return `\n],"schemaUrl":"${schemaUrl}"}],"schemaUrl":"${schemaUrl}"}]}\n`;
  }
}

function encodedSpan({ traceId, spanId, parentSpanId, name, kind, failure, ...span }: TraceSpan): JsonMap {
  return {
    ...{ traceId, spanId },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...{ name, kind },
    startTimeUnixNano: nanosOf(span.startedAt),
    endTimeUnixNano: nanosOf(span.endedAt),
    attributes: encodedAttributes(span.attributes),
    events: span.events.map((event) => ({
      timeUnixNano: nanosOf(event.at),
      name: event.name,
      attributes: encodedAttributes(event.attributes),
    })),
    links: span.links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    status: failure === undefined ? {} : { code: statusError, message: failure },
  };
}

/** Converts epoch milliseconds to nanoseconds, which exceed the range of JavaScript numbers. */
function nanosOf(ms: number): string {
  return String(BigInt(Math.round(ms)) * 1_000_000n);
}

function encodedAttributes(attributes: Attributes): readonly JsonValue[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: encodedValue(value) }));
}

function encodedValue(value: AttributeValue): JsonMap {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map(encodedValue) } };
}
