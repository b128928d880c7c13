/**
 * Event properties that the hub needs: which events other work waits for, and where events contain values.
 */
import { cutText } from '../../../base/cut-text.ts';
import type { WhenTrace } from '../../../language/bindings/when.ts';
import type { SuggestedAction } from '../../../language/flow/autonomy.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { RunEvent } from '../events/run-event.ts';
import type { AskEvent } from '../requests/ask.ts';

type Intern = (value: JsonValue) => JsonValue;

/** Maximum size, in bytes of JSON text, of a value stored in the event itself. */
const inlineLimitBytes = 16 * 1024;

/**
 * Whether dependent work may start after the event, or the event ends a scope. Such events are stored immediately,
 * with everything before them.
 * @param ofCalledRun whether the event belongs to a child run. Starts and ends of child runs wait for the next
 * barrier: outside effects require that all events before them are recorded, and a child run's end is followed by the
 * calling task's. After an interruption in between, the call is started, or ended, again
 */
export function isBarrier(event: RunEvent, { ofCalledRun }: { readonly ofCalledRun: boolean }): boolean {
  switch (event.type) {
    case 'run:start':
    case 'run:end':
      return !ofCalledRun;
    case 'run:resumed':
    case 'run:suspended':
    case 'phase:failed':
    case 'phase:cancelled':
    case 'task:complete':
    case 'task:failed':
    case 'task:cancelled':
    case 'task:skipped':
    case 'node:suspended':
    case 'node:held':
    case 'call:complete':
    case 'run:refused':
    case 'tool:attempt':
    case 'tool:result':
    case 'approval:resolved':
    case 'input:received':
      return true;
    case 'stage:end':
      return event.result !== undefined;
    // The response was paid for and must not be requested again.
    case 'model:response':
      return event.text !== undefined;
    default:
      return false;
  }
}

/** Maximum length in characters. */
const longestNote = 20_000;
const longestLine = 2000;

/** Returns the event with script text truncated to a readable length. */
export function withShortTexts(event: RunEvent): RunEvent {
  switch (event.type) {
    case 'pin':
      return isShort(event.content, event.label)
        ? event
        : { ...event, content: cutText(event.content, longestNote), ...shortLabel(event.label) };
    case 'log':
      return event.text.length <= longestNote ? event : { ...event, text: cutText(event.text, longestNote) };
    case 'label':
      return event.text.length <= longestLine ? event : { ...event, text: cutText(event.text, longestLine) };
    case 'trace':
      return event.name.length <= longestLine ? event : { ...event, name: cutText(event.name, longestLine) };
    default:
      return event;
  }
}

function isShort(content: string, label = ''): boolean {
  return content.length <= longestNote && label.length <= longestLine;
}

function shortLabel(label: string | undefined): { readonly label?: string } {
  return label === undefined ? {} : { label: cutText(label, longestLine) };
}

/**
 * Returns the event with its large values replaced by the result of `intern`, which is not called for values that are
 * known to be small.
 */
export function withInternedValues(event: RunEvent, intern: Intern): RunEvent {
  switch (event.type) {
    case 'task:complete':
    case 'call:complete':
    case 'tool:result':
    case 'agent:tool:complete':
      return isLarge(event.result) ? { ...event, result: intern(event.result) } : event;
    case 'tool:attempt':
      return withInternedParams(event, intern);
    case 'node:input':
      return withInternedInput(event, intern);
    case 'node:held':
      return withInternedHeld(event, intern);
    case 'agent:tool:start':
      return isLarge(event.input) ? { ...event, input: intern(event.input) } : event;
    case 'run:start':
      return isLarge(event.inputs) ? { ...event, inputs: intern(event.inputs) } : event;
    case 'approval:requested':
    case 'input:requested':
    case 'approval:resolved':
    case 'input:received':
      return withInternedAsk(event, intern);
    case 'run:end':
      return withInternedOutput(event, intern);
    case 'model:request':
      return withInternedMessages(event, intern);
    case 'model:response':
      return withInternedAnswer(event, intern);
    case 'stage:end':
      return withInternedResult(event, intern);
    case 'node:reused':
      return withInternedReused(event, intern);
    case 'governance:decision':
      return withInternedSuggestion(event, intern);
    case 'node:skipped':
      return withInternedSuggestion(withInternedTrace(event, intern), intern);
    case 'edge:fired':
    case 'edge:skipped':
      return withInternedTrace(event, intern);
    default:
      return event;
  }
}

type NodeEventOf<Type> = Extract<RunEvent, { readonly type: Type }>;

function withInternedInput(event: NodeEventOf<'node:input'>, intern: Intern): NodeEventOf<'node:input'> {
  const { edited } = event;
  const seen = isLarge(event.input) ? { ...event, input: intern(event.input) } : event;
  if (edited === undefined || !isLarge(edited.before)) return seen;
  return { ...seen, edited: { ...edited, before: intern(edited.before) } };
}

function withInternedReused(event: NodeEventOf<'node:reused'>, intern: Intern): NodeEventOf<'node:reused'> {
  const { given } = event;
  const seen = isLarge(event.output) ? { ...event, output: intern(event.output) } : event;
  if (given?.before === undefined || !isLarge(given.before)) return seen;
  return { ...seen, given: { ...given, before: intern(given.before) } };
}

function withInternedHeld(event: NodeEventOf<'node:held'>, intern: Intern): NodeEventOf<'node:held'> {
  const { input, because } = event;
  return {
    ...event,
    ...(input === undefined || !isLarge(input) ? {} : { input: intern(input) }),
    ...(because === undefined ? {} : { because: internedTrace(because, intern) }),
  };
}

/** A request's title stays in the event, for lists of open requests. */
function withInternedAsk(event: AskEvent, intern: Intern): AskEvent {
  if ('payload' in event) {
    return isLarge(event.payload) ? { ...event, payload: internedMap(event.payload, intern) } : event;
  }
  const { kind, title } = event.request;
  const rest = event.request as unknown as JsonMap;
  if (!isLarge(rest)) return event;
  return { ...event, request: { ...internedMap(rest, intern), kind, title } as unknown as typeof event.request };
}

/** Interns each value separately, so that readers can fetch them individually. */
function internedMap(map: JsonMap, intern: Intern): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, isLarge(value) ? intern(value) : value]));
}

/** Interns large messages one by one, so that readers see the others, unless even then the list is large. */
function withInternedMessages(event: NodeEventOf<'model:request'>, intern: Intern): NodeEventOf<'model:request'> {
  const { messages } = event;
  if (!Array.isArray(messages) || !isLarge(messages)) return event;
  const each = messages.map((message) =>
    typeof message === 'object' && message !== null && !Array.isArray(message)
      ? internedMap(message as JsonMap, intern)
      : message,
  );
  return { ...event, messages: isLarge(each) ? intern(each) : each };
}

type ModelResponse = Extract<RunEvent, { type: 'model:response' }>;

function withInternedAnswer(event: ModelResponse, intern: Intern): ModelResponse {
  const { text, reasoning, toolCalls, providerState } = event;
  if (text === undefined) return event;
  const values = definedOf({ text, reasoning, toolCalls, providerState });
  return Object.values(values).some(isLarge) ? { ...event, ...internedMap(values, intern) } : event;
}

function definedOf(values: Readonly<Record<string, JsonValue | undefined>>): JsonMap {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): readonly [string, JsonValue][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

type ToolAttemptEvent = Extract<RunEvent, { type: 'tool:attempt' }>;

function withInternedParams(event: ToolAttemptEvent, intern: Intern): ToolAttemptEvent {
  return isLarge(event.params) ? { ...event, params: intern(event.params) } : event;
}

type RunEnd = Extract<RunEvent, { type: 'run:end' }>;

function withInternedOutput(event: RunEnd, intern: Intern): RunEnd {
  return event.output !== undefined && isLarge(event.output) ? { ...event, output: intern(event.output) } : event;
}

type StageEnd = Extract<RunEvent, { type: 'stage:end' }>;

function withInternedResult(event: StageEnd, intern: Intern): StageEnd {
  return event.result !== undefined && isLarge(event.result) ? { ...event, result: intern(event.result) } : event;
}

function withInternedTrace<Told extends RunEvent & { readonly detail?: WhenTrace }>(event: Told, intern: Intern): Told {
  return event.detail === undefined ? event : { ...event, detail: internedTrace(event.detail, intern) };
}

function withInternedSuggestion<Told extends RunEvent & { readonly suggestion?: SuggestedAction }>(
  event: Told,
  intern: Intern,
): Told {
  const { suggestion } = event;
  if (suggestion === undefined || !isLarge(suggestion.params)) return event;
  return { ...event, suggestion: { ...suggestion, params: intern(suggestion.params) } };
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

/** An escaped UTF-16 unit (`\u0000`) is the longest encoding of a unit of text. */
const bytesPerUnit = 6;
/** Quotes, comma, colon and bracket around a value, or the digits of a number, rounded up. */
const bytesPerValue = 26;

/** Returns false only if the JSON text of `value` certainly has at most `limitBytes` bytes of UTF-8. */
export function mayExceed(value: JsonValue, limitBytes: number): boolean {
  return budgetAfter(value, limitBytes) < 0;
}

/**
 * Returns the rest of `budget`. Stops as soon as it is exhausted, so that large values take no longer than small ones.
 */
function budgetAfter(value: JsonValue, budget: number): number {
  if (typeof value === 'string') return budget - bytesPerValue - value.length * bytesPerUnit;
  if (typeof value !== 'object' || value === null) return budget - bytesPerValue;
  if (Array.isArray(value)) return budgetAfterList(value, budget - bytesPerValue);
  return budgetAfterMap(value as Readonly<Record<string, JsonValue>>, budget - bytesPerValue);
}

function budgetAfterList(items: readonly JsonValue[], budget: number): number {
  let left = budget;
  for (const item of items) {
    if (left < 0) return left;
    left = budgetAfter(item, left);
  }
  return left;
}

function budgetAfterMap(map: Readonly<Record<string, JsonValue>>, budget: number): number {
  let left = budget;
  for (const key in map) {
    if (left < 0) return left;
    left = budgetAfter(map[key] ?? null, left - key.length * bytesPerUnit);
  }
  return left;
}
