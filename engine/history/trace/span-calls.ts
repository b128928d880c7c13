/**
 * Converts model and tool calls to spans, and other events within a step to span events.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { type EventEnvelope, type RunEvent, rootOf } from '../../runtime/kernel/events/run-event.ts';
import {
  answerAttributes,
  requestAttributes,
  responseAttributes,
  toolAttributes,
  toolContent,
} from './gen-ai-attributes.ts';
import { type Attributes, OpenSpan, spanIdOf, spanKinds, type TraceSpan, traceIdOf } from './span.ts';
import { type CallSpans, endedAs } from './span-scopes.ts';

/** The context of an event. */
interface SpanContext {
  readonly within: OpenSpan;
  readonly calls: CallSpans;
}

type Whole = (value: JsonValue) => JsonValue;
type ToolResultEvent = Extract<RunEvent, { type: 'tool:result' }>;
type ModelResponse = Extract<RunEvent, { type: 'model:response' }>;

export class SpanCallLog {
  readonly #content: { readonly whole: Whole } | undefined;

  constructor(content: { readonly whole: Whole } | undefined) {
    this.#content = content;
  }

  /** Processes an event inside a run or task. */
  tell(envelope: EventEnvelope, around: SpanContext): TraceSpan | undefined {
    const { event, at } = envelope;
    switch (event.type) {
      case 'model:request': {
        const attributes = requestAttributes(event);
        const name = `chat ${event.model}`;
        around.calls.start(modelKey(event), opened(envelope, around, { name, attributes, kind: spanKinds.client }));
        return undefined;
      }
      case 'model:response':
        return this.#answered(event, at, around);
      case 'tool:attempt':
        this.#attempted(envelope, event, around);
        return undefined;
      case 'tool:retry':
        around.calls.get(event.callKey)?.note({
          name: 'retry',
          at,
          attributes: { 'millrace.attempt': event.attempt, 'error.type': event.error.code },
        });
        return undefined;
      case 'tool:result':
        return this.#done(envelope, event, around);
      default:
        noteMoment(event, at, around.within);
        return undefined;
    }
  }

  #answered(event: ModelResponse, at: number, { calls }: SpanContext): TraceSpan | undefined {
    const span = calls.take(modelKey(event));
    span?.set(responseAttributes(event));
    if (this.#content !== undefined) span?.set(answerAttributes(this.#wholeAnswer(event)));
    return span?.ended(at);
  }

  #wholeAnswer(event: ModelResponse): ModelResponse {
    const whole = this.#content?.whole ?? ((value) => value);
    const { text, toolCalls } = event;
    return {
      ...event,
      ...(text === undefined ? {} : { text: whole(text) }),
      ...(toolCalls === undefined ? {} : { toolCalls: whole(toolCalls) }),
    };
  }

  #attempted(envelope: EventEnvelope, event: Extract<RunEvent, { type: 'tool:attempt' }>, around: SpanContext): void {
    if (around.calls.get(event.callKey) !== undefined) return;
    const span = opened(envelope, around, toolSpan(event));
    if (this.#content !== undefined) span.set(toolContent({ params: this.#content.whole(event.params) }));
    around.calls.start(event.callKey, span);
  }

  /**
   * Ends the span of a tool call. Creates the span of a refused call, which has no attempt and therefore no open span.
   */
  #done(envelope: EventEnvelope, event: ToolResultEvent, around: SpanContext): TraceSpan {
    const span = around.calls.take(event.callKey) ?? opened(envelope, around, toolSpan(event));
    span.set({ 'millrace.tool.backend': event.backend, 'millrace.tool.attempts': event.attempts });
    const result = event.isError || this.#content !== undefined ? this.#resultOf(event) : {};
    if (this.#content !== undefined) span.set(toolContent({ result: result }));
    const { at } = envelope;
    if (!event.isError) return endedAs(span, { at, state: 'completed' });
    const { error_category: category, message } = result;
    const failure = { code: String(category ?? '_OTHER'), message: String(message ?? '') };
    return endedAs(span, { at, state: 'failed', failure });
  }

  #resultOf({ result }: ToolResultEvent): JsonMap {
    const whole = this.#content?.whole(result) ?? result;
    return isJsonMap(whole) ? whole : {};
  }
}

/** Returns the key of a model call. Keys of other calls have other formats. */
function modelKey({ callKey }: { readonly callKey?: string }): string {
  return callKey ?? 'model';
}

function toolSpan({ tool, callKey }: { readonly tool: string; readonly callKey: string }) {
  return { name: `execute_tool ${tool}`, attributes: toolAttributes(tool, callKey), kind: spanKinds.internal };
}

function opened(
  envelope: EventEnvelope,
  { within }: SpanContext,
  span: { readonly name: string; readonly attributes: Attributes; readonly kind: TraceSpan['kind'] },
): OpenSpan {
  const root = rootOf(envelope);
  const place = { traceId: traceIdOf(root), spanId: spanIdOf(root, 'call', envelope.seq) };
  return new OpenSpan(place, { ...span, startedAt: envelope.at, parent: within.id });
}

/** Records an event that explains the length or end of a span. */
function noteMoment(event: RunEvent, at: number, span: OpenSpan): void {
  switch (event.type) {
    case 'approval:requested':
    case 'input:requested':
    case 'approval:resolved':
    case 'input:received':
      span.note({ name: event.type, at, attributes: { 'millrace.ask.key': event.key } });
      break;
    case 'governance:decision':
      span.note({
        name: event.type,
        at,
        attributes: {
          ...{ 'millrace.rule': event.rule, 'millrace.allowed': event.allowed },
          ...{ 'millrace.effect': event.effect, 'millrace.target': event.target },
        },
      });
  }
}
