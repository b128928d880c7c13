/**
 * The recorded work of a run, as the steps of a host: what each attempt of a node returned, what it emitted meanwhile,
 * and what people have answered.
 */
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { RecordedEvent } from '../../runtime/flow/node/event-recorder.ts';
import type { StepResult } from '../../runtime/flow/node/live-attempt.ts';
import type { TakenOutput } from '../../runtime/flow/run-scope.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { endedTask, nameOfTask } from '../../runtime/kernel/events/task-events.ts';
import type { AskAnswer } from '../../runtime/kernel/requests/ask.ts';
import { readLog } from '../reads/read-log.ts';

/** Events that nodes emit while they work. */
const ofWork = /^(?:agent:|model:|tool:|call:|log$|label$|pin$|trace$|governance:)/;

/** Reads the work that is recorded in a log. Names are full names: in a child run, after those of the calling nodes. */
export class RecordedSteps {
  readonly #store: Pick<RunStore, 'readValue' | 'readEvents'>;
  readonly #runId: RunId;
  /** Attempts by node, in their order. */
  readonly #attempts = new Map<string, StepResult[]>();
  /** Events of unfinished attempts. */
  readonly #unfinished = new Map<string, RecordedEvent[]>();
  readonly #metas = new Map<string, JsonMap>();
  readonly #answers = new Map<string, AskAnswer[]>();
  /** Names before those of the nodes of a run; empty for the root. Agents have none: their work is part of a node. */
  readonly #callers = new Map<RunId, string>();
  /** Outputs of top-level nodes that the run took from an earlier one. */
  readonly taken = new Map<string, TakenOutput>();

  constructor(store: Pick<RunStore, 'readValue' | 'readEvents'>, runId: RunId) {
    this.#store = store;
    this.#runId = runId;
    for (const envelope of readLog(store, runId)) this.#take(envelope);
  }

  /** Returns what an attempt did. @param attempt from 1 */
  attemptOf(name: string, attempt: number): StepResult {
    const all = this.#attempts.get(name);
    return all?.[attempt - 1] ?? { end: { kind: 'failed', error: missing(name), isDeaf: false }, told: [] };
  }

  /** Returns the next answer to a request of a node. @param request the node's full name, `?`, and the key of the request */
  answerTo(request: string): AskAnswer | undefined {
    return this.#answers.get(request)?.shift();
  }

  /** Returns a value with everything that is stored separately. */
  whole(value: JsonValue): JsonValue {
    if (isValueHandle(value)) {
      const stored = this.#store.readValue(value.$value);
      return stored === undefined ? `${value.preview}…` : this.whole(stored);
    }
    if (Array.isArray(value)) return value.map((one) => this.whole(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.whole(one as JsonValue)]));
  }

  #take({ event, runId, parentRunId, context }: EventEnvelope): void {
    if (event.type === 'run:start') this.#open(runId, parentRunId, event.parentTaskId);
    const caller = this.#callers.get(runId);
    if (caller === undefined) return;
    const end = endedTask(event);
    if (end !== undefined) this.#end(caller + nameOfTask(end), end);
    else if ('nodeId' in event && event.nodeId !== undefined) this.#takeOfNode(caller + event.nodeId, event);
    const task = context.task?.id.replace(/^node:/, '');
    if (task !== undefined && ofWork.test(event.type)) this.#tell(caller + task, this.#replayed(event));
  }

  #open(runId: RunId, parent: RunId | undefined, parentTaskId: string | undefined): void {
    if (runId === this.#runId) this.#callers.set(runId, '');
    const above = parent === undefined ? undefined : this.#callers.get(parent);
    if (above === undefined || parentTaskId?.startsWith('node:') !== true) return;
    this.#callers.set(runId, `${above}${parentTaskId.slice('node:'.length)}/`);
  }

  #takeOfNode(name: string, event: RunEvent & { readonly nodeId?: string | undefined }): void {
    if (event.type === 'node:retry') {
      // The reason is in the log, and the output of the attempt is not. It is never used, because another one followed.
      this.#add(name, { kind: 'unwanted', value: null, error: event.error, delayMs: 0 });
    } else if (event.type === 'node:reused') {
      const output = this.whole(event.output);
      this.#add(name, { kind: 'value', value: output });
      if (!/[/[]/.test(name)) this.taken.set(name, { output, fromRunId: event.fromRunId ?? this.#runId });
    } else if (event.type === 'step:meta') this.#metas.set(name, event.meta);
    else if (event.type === 'approval:resolved' || event.type === 'input:received') {
      const { key, payload, by, at } = event;
      const answer = { payload: this.whole(payload) as JsonMap, at, ...(by === undefined ? {} : { by }) };
      addTo(this.#answers, `${name}?${key}`, answer);
    }
  }

  #end(name: string, event: NonNullable<ReturnType<typeof endedTask>>): void {
    const meta = this.#metas.get(name);
    if (event.type === 'task:complete')
      this.#add(name, { kind: 'value', value: this.whole(event.result), ...(meta === undefined ? {} : { meta }) });
    else if (event.type === 'task:failed') this.#add(name, { kind: 'failed', error: event.error, isDeaf: false });
    else if (event.type === 'task:skipped') this.#add(name, { kind: 'skipped', reason: event.reason });
  }

  #add(name: string, end: NonNullable<StepResult['end']>): void {
    const told = this.#unfinished.get(name) ?? [];
    this.#unfinished.delete(name);
    addTo(this.#attempts, name, { end, told });
  }

  #tell(name: string, event: RunEvent): void {
    addTo(this.#unfinished, name, { way: [], event });
  }

  /** Nothing is paid for again. */
  #replayed(event: RunEvent): RunEvent {
    const whole = this.whole(event as unknown as JsonValue) as unknown as RunEvent;
    if (whole.type !== 'model:response') return whole;
    const { costUsd: _, ...response } = whole;
    return { ...response, fromCassette: true };
  }
}

/** A stream has many events, so lists are not copied. */
function addTo<Item>(lists: Map<string, Item[]>, name: string, item: Item): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}

function missing(name: string): ReturnType<typeof toErrorRecord> {
  return toErrorRecord(
    new EngineError({
      code: 'replay.missing',
      nodeId: name.slice(name.lastIndexOf('/') + 1),
      message: `The sent run has no recorded result of "${name}". It did not run there, or had not ended when the run was sent.`,
    }),
  );
}
