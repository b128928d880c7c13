/**
 * The log of a run → its trace, event by event: what is kept in between is about what has not ended yet, so that a run of any length
 * takes little memory. Nothing here reads a clock or a file; an equal log gives an equal trace.
 */
import { createHash } from 'node:crypto';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import type { EventEnvelope, RunEvent } from '../kernel/run-event.ts';
import { FullNames } from './full-names.ts';
import { AskTrace } from './trace-asks.ts';
import { CallTrace } from './trace-calls.ts';
import type { Note, TracedEvent, TraceRecord, TraceSource } from './trace-record.ts';
import { RunTrace } from './trace-runs.ts';
import { StepTrace } from './trace-steps.ts';

/** Turns events into records. Takes each event of one run's log, in order. */
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

  /** The records that the event makes; those of a start that waited for it come first. */
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

  /** What waited for an event that has not come. */
  end(): readonly TraceRecord[] {
    this.#flushResumed(undefined);
    return this.#taken();
  }

  /** Who goes on says in the next event why. */
  #flushResumed(next: RunEvent | undefined): void {
    const resumed = this.#run.takeResumed();
    if (resumed === undefined) return;
    const note = this.#noteFor({ envelope: resumed, step: undefined, isOfCalled: false });
    this.#run.tellResumed(resumed, next, note);
  }

  #noteFor({ envelope, step: own }: TracedEvent): Note {
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

/** UTF-16 units of JSON text that one value of a payload may have. */
const longestValue = 4096;

/** What stands for a value that was left out. `sha256` is that of its JSON text, under which the history has the large ones. */
function summaryOf(value: JsonValue, text: string): JsonMap {
  if (isValueHandle(value)) return { type: value.type, bytes: value.bytes, sha256: value.$value };
  const type = value === null ? 'null' : isJsonList(value) ? 'array' : typeof value;
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  return { type, bytes: Buffer.byteLength(text, 'utf8'), sha256 };
}

/** The value, with the large ones in it exchanged for what they are; all of it when it is large by sheer number. */
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
 * A payload of a length that readers of traces can take, each value for itself: what is too large is told by its type, size and
 * hash. What is left is JSON whatever was left out, which text that is cut would not be.
 */
function boundedMap(payload: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, boundedValue(value)]));
}

/** What stands for what was masked; between dots, for secrets of runs. */
const marks = /\[(?:email|card|phone|secret)\]|•••[^•]+•••/;

/** Something was masked, here or when it was recorded. */
function holdsMark(payload: JsonMap): boolean {
  return marks.test(JSON.stringify(payload));
}
