/**
 * Follows a run as server-sent events. Each has the number of an event of the run's log as its ID, so that a caller
 * continues after the last one that it has received. Events are read from the history when the caller has room for them,
 * so a slow caller holds nothing in memory.
 */
import type { Context } from 'hono';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { type EventEnvelope, rootOf } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { endedTask, nameOfTask, outcomeOf, startedTask } from '../../runtime/kernel/events/task-events.ts';
import type { AddressCall, FlowAddress } from './addresses.ts';
import { hasEnded, openQuestions, publicError, resultOf } from './run-views.ts';
import type { HttpEnv } from './served.ts';

/** Proxies close connections that are silent for longer. */
const heartbeatMs = 15_000;
const eventsAtOnce = 200;
const mostPerCaller = 20;

/** The open streams of a service. */
export interface RunStreams {
  /**
   * Streams a run until it ends, or the caller disconnects.
   * @throws EngineError `http.bad-event-id` | `http.too-many`
   */
  open(context: Context<HttpEnv>, call: AddressCall, run: RunSummary): Promise<Response>;
}

/** Creates the streams. */
export function createRunStreams(clock: Clock): RunStreams {
  const counts = new Map<string, number>();
  const take = (caller: string): (() => void) => {
    const count = counts.get(caller) ?? 0;
    if (count >= mostPerCaller) {
      const message = `At most ${mostPerCaller} runs can be followed at the same time. Close another stream first.`;
      throw new EngineError({ code: 'http.too-many', message });
    }
    counts.set(caller, count + 1);
    return () => {
      const left = (counts.get(caller) ?? 1) - 1;
      if (left === 0) counts.delete(caller);
      else counts.set(caller, left);
    };
  };
  return {
    async open(context, { address, caller }, run) {
      const after = lastEventId(context);
      const { lastSeq } = await address.engine.readHead(run.runId);
      // Tells a browser not to connect again.
      if (hasEnded(run) && after >= lastSeq) return context.body(null, 204);
      const release = take(caller.kind === 'key' ? caller.id : caller.session.id);
      const chunks = followRun({ address, run, after, clock, signal: context.req.raw.signal, release });
      context.header('Content-Type', 'text/event-stream; charset=utf-8');
      // For nginx, which otherwise collects events.
      context.header('X-Accel-Buffering', 'no');
      return context.body(streamOf(chunks));
    },
  };
}

function lastEventId({ req }: Context<HttpEnv>): number {
  const text = req.header('last-event-id') ?? req.query('after') ?? '-1';
  const seq = /^(?:-1|\d{1,15})$/.test(text) ? Number(text) : undefined;
  if (seq !== undefined) return seq;
  throw new EngineError({ code: 'http.bad-event-id', message: 'The ID of the last event must be a whole number.' });
}

function streamOf(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

interface StreamedRun {
  readonly address: FlowAddress;
  readonly run: RunSummary;
  readonly after: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly release: () => void;
}

async function* followRun(followed: StreamedRun): AsyncGenerator<string> {
  const { address, run, clock, signal, release } = followed;
  const changes = new ChangeFeed(address, run.runId, clock);
  const stop = (): void => changes.stop();
  signal.addEventListener('abort', stop);
  try {
    yield 'retry: 2000\n\n';
    yield* eventsOf(followed, changes);
  } catch (error) {
    // It was deleted.
    if (!EngineError.is(error) || error.code !== 'run.not-found') throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    changes.stop();
    release();
  }
}

async function* eventsOf({ address, run, after, signal }: StreamedRun, changes: ChangeFeed): AsyncGenerator<string> {
  const { engine } = address;
  for (let seen = after; !signal.aborted; ) {
    changes.clear();
    const events = await engine.readEvents(run.runId, seen, eventsAtOnce);
    for (const envelope of events) {
      seen = envelope.seq;
      const shown = await shownEvent(envelope, address, run);
      if (shown !== undefined) yield eventText(shown, seen);
      if (shown?.type === 'end') return;
    }
    if (events.length > 0) continue;
    if (hasEnded(await engine.getRun(run.runId))) return;
    if (!(await changes.next())) yield ': waiting\n\n';
  }
}

/** Notices that a run may have new events, also those of another process. */
class ChangeFeed {
  readonly #clock: Clock;
  readonly #stops: readonly (() => void)[];
  #hasChanged = false;
  #isStopped = false;
  #wake: (() => void) | undefined;

  constructor({ engine }: FlowAddress, runId: RunSummary['runId'], clock: Clock) {
    this.#clock = clock;
    this.#stops = [
      engine.subscribe((events) => {
        if (events.some((event) => rootOf(event) === runId)) this.#note();
      }),
      engine.watchHistory(() => this.#note()),
    ];
  }

  clear(): void {
    this.#hasChanged = this.#isStopped;
  }

  /** Resolves to true with the next change, or to false if there was none for some time. */
  async next(): Promise<boolean> {
    if (this.#hasChanged) return true;
    return await new Promise((resolve) => {
      const endTimer = this.#clock.setTimer(() => {
        this.#wake = undefined;
        resolve(false);
      }, heartbeatMs);
      this.#wake = () => {
        this.#wake = undefined;
        endTimer();
        resolve(true);
      };
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#note();
    for (const stop of this.#stops) stop();
  }

  #note(): void {
    this.#hasChanged = true;
    this.#wake?.();
  }
}

interface ShownEvent {
  readonly type: 'run' | 'node' | 'waiting' | 'end';
  readonly data: JsonMap;
}

/** JSON text has no line breaks, so a value cannot add events of its own. */
function eventText({ type, data }: ShownEvent, seq: number): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Returns what a caller sees of an event; undefined for most, which are of no concern outside. */
async function shownEvent(
  { event, runId, at }: EventEnvelope,
  { engine }: FlowAddress,
  run: RunSummary,
): Promise<ShownEvent | undefined> {
  if (event.type === 'input:requested') {
    return { type: 'waiting', data: { at, questions: await openQuestions(run, engine) } };
  }
  if (runId !== run.runId) return undefined;
  switch (event.type) {
    case 'run:start':
    case 'run:resumed':
      return { type: 'run', data: { at, status: 'running' } };
    case 'run:suspended':
      return { type: 'run', data: { at, status: 'suspended' } };
    case 'run:end':
    case 'run:refused': {
      const ended = await engine.getRun(run.runId);
      return { type: 'end', data: { at, status: ended.status, ...(await resultOf(ended, engine)) } };
    }
    default: {
      const node = nodeChange(event);
      if (node === undefined) return undefined;
      const { error, ...change } = node;
      const problem = error === undefined ? {} : { error: publicError(error, engine) };
      return { type: 'node', data: { at, ...change, ...problem } };
    }
  }
}

interface SentNodeChange {
  readonly node: string;
  readonly status: string;
  readonly error?: Parameters<typeof publicError>[0];
}

function nodeChange(event: EventEnvelope['event']): SentNodeChange | undefined {
  const started = startedTask(event);
  if (started?.nodeId !== undefined) return { node: started.nodeId, status: 'running' };
  const ended = endedTask(event);
  if (ended?.nodeId !== undefined) {
    const error = 'error' in ended ? { error: ended.error } : {};
    return { node: nameOfTask(ended), status: outcomeOf(ended), ...error };
  }
  if (event.type === 'node:skipped') return { node: event.nodeId, status: 'skipped' };
  if (event.type === 'node:suspended') return { node: event.nodeId, status: 'suspended' };
  if (event.type === 'node:reused') return { node: event.nodeId, status: 'completed' };
  return undefined;
}
