/**
 * Converts a run's log to its trace, event by event. Only the state of unfinished work is kept, so that a run of any
 * length needs little memory. This module reads no clock and no files, so that equal logs result in equal traces.
 */
import { createHash } from 'node:crypto';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { FullNames } from './full-names.ts';
import { AskTrace } from './trace-asks.ts';
import { CallTrace } from './trace-calls.ts';
import type { AddTraceRecord, TracedEvent, TraceRecord, TraceSource } from './trace-record.ts';
import { RunTrace } from './trace-runs.ts';
import { StepTrace } from './trace-steps.ts';

/** Converts events to records. Accepts each event of one run's log, in order. */
export class TraceLog {
  readonly #source: TraceSource;
  readonly #names = new FullNames();
  readonly #run: RunTrace;
  readonly #steps: StepTrace;
  readonly #asks: AskTrace;
  readonly #calls: CallTrace;
  #records: TraceRecord[] = [];

  constructor(source: TraceSource) {
    this.#source = source;
    this.#run = new RunTrace(source);
    this.#steps = new StepTrace(source);
    this.#asks = new AskTrace(source);
    this.#calls = new CallTrace(source.whole);
  }

  /** Returns the records for the event, preceded by the records of a start that waited for it. */
  add(envelope: EventEnvelope): readonly TraceRecord[] {
    this.#names.note(envelope);
    const { event } = envelope;
    const isOfCalled = envelope.rootRunId !== undefined;
    const traced: TracedEvent = { envelope, step: this.#names.stepOf(envelope), isOfCalled };
    this.#flushResumed(isOfCalled ? undefined : event);
    const note = this.#noteFor(traced);
    this.#asks.tell(traced, note);
    this.#calls.tell(traced, note);
    this.#steps.tell(traced, note);
    if (!isOfCalled) this.#run.tell(envelope, note, (step) => this.#asks.openFormOf(step));
    this.#names.forget(envelope);
    return this.#taken();
  }

  /** Returns the records that waited for an event that did not arrive. */
  end(): readonly TraceRecord[] {
    this.#flushResumed(undefined);
    return this.#taken();
  }

  /** Records a resumption once the next event is known, which contains its reason. */
  #flushResumed(next: RunEvent | undefined): void {
    const resumed = this.#run.takeResumed();
    if (resumed === undefined) return;
    const note = this.#noteFor({ envelope: resumed, step: undefined, isOfCalled: false });
    this.#run.tellResumed(resumed, next, note);
  }

  #noteFor({ envelope, step: own }: TracedEvent): AddTraceRecord {
    const { runId, product, flow, redactor } = this.#source;
    let count = 0;
    return (kind, payload, step = own) => {
      const clean = redactor.redact(boundedMap(payload)) as JsonMap;
      const suffix = count === 0 ? '' : `.${count}`;
      count += 1;
      this.#records.push({
        event_id: `${runId}-${envelope.seq}${suffix}`,
        run_id: runId,
        ...(step === undefined ? {} : { step_id: step }),
        product,
        flow,
        kind,
        ts: envelope.at,
        payload: clean,
        redacted: holdsMark(clean),
      });
    };
  }

  #taken(): readonly TraceRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}

/** Maximum length of a value in a payload, in UTF-16 code units of JSON text. */
const longestValue = 4096;

/**
 * Returns the replacement for an omitted value. `sha256` is the hash of its JSON text, under which the history stores
 * large values.
 */
function summaryOf(value: JsonValue, text: string): JsonMap {
  if (isValueHandle(value)) return { type: value.type, bytes: value.bytes, sha256: value.$value };
  const type = value === null ? 'null' : isJsonList(value) ? 'array' : typeof value;
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  return { type, bytes: Buffer.byteLength(text, 'utf8'), sha256 };
}

/**
 * Returns the value with large parts replaced by summaries; if it only has too many parts, the whole value is replaced.
 */
function boundedValue(value: JsonValue): JsonValue {
  if (isValueHandle(value)) return summaryOf(value, '');
  if (typeof value !== 'string' && !isJsonList(value) && !isJsonMap(value)) return value;
  const text = JSON.stringify(value);
  if (text.length <= longestValue && !text.includes('"$value"')) return value;
  if (typeof value === 'string') return text.length <= longestValue ? value : summaryOf(value, text);
  const smaller = isJsonList(value) ? value.map(boundedValue) : boundedMap(value);
  return JSON.stringify(smaller).length <= longestValue ? smaller : summaryOf(value, text);
}

/**
 * Limits the length of a payload, each value separately: an overly large value is replaced by its type, size and hash.
 * The result is always valid JSON, unlike truncated text.
 */
function boundedMap(payload: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, boundedValue(value)]));
}

/** Marks of masked text; marks between dots are for secrets of runs. */
const marks = /\[(?:email|card|phone|secret)\]|•••[^•]+•••/;

/** Returns whether text was masked, either here or when it was recorded. */
function holdsMark(payload: JsonMap): boolean {
  return marks.test(JSON.stringify(payload));
}
