/**
 * The log of a run → its trace, event by event: what is kept in between is about what has not ended yet, so that a run of any length
 * takes little memory. Nothing here reads a clock or a file; an equal log gives an equal trace.
 */
import type { JsonMap } from '../flowspec/json-value.ts';
import type { EventEnvelope, RunEvent } from '../kernel/run-event.ts';
import { boundedMap } from './bounded-payload.ts';
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

/** What stands for what was masked; between dots, for secrets of runs. */
const marks = /\[(?:email|card|phone|secret)\]|•••[^•]+•••/;

/** Something was masked, here or when it was recorded. */
function holdsMark(payload: JsonMap): boolean {
  return marks.test(JSON.stringify(payload));
}
