/**
 * Computes the open requests of a run from its events, as changes of the table `waiting`.
 */
import type { RunId } from '../../base/ids.ts';
import { isAskReason } from '../../runtime/kernel/events/open-asks.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { endedTask, nameOfTask, startedTask } from '../../runtime/kernel/events/task-events.ts';
import { type AskEvent, type AskRequest, isLiveKey } from '../../runtime/kernel/requests/ask.ts';
import { lineOfRequest } from '../../runtime/kernel/requests/ask-request.ts';
import { callerNameOf } from '../../runtime/kernel/requests/waiting-requests.ts';

/** Key of the request that asks whether interrupted work may run again. It is not a node's own question. */
export const noKey = '';

/** The caller of a run: the parent run and its node. */
interface ParentRunCall {
  readonly parentRunId: RunId;
  readonly caller: string | undefined;
}

/** Identifies an open request of a run. */
export interface WaitingPlace {
  readonly name: string;
  readonly key: string;
}

/** A row of the table: a request that is open now. */
export interface WaitingRow extends WaitingPlace {
  readonly title: string;
  readonly askedAt: number;
  /** Number of the event that made the request. */
  readonly askedSeq: number;
  /** Absent if the request asks whether interrupted work may run again. */
  readonly asked?: { readonly requestHash: string; readonly request: AskRequest };
}

/** A change of the table. No row exists at the place of a `put`. */
export type WaitingChange = { readonly put: WaitingRow } | { readonly drop: WaitingPlace };

/** Returns the events of the log so far that started child runs, or any superset of them. */
type ReadStarts = () => Iterable<EventEnvelope>;

/** The rows of one run. Names are full: in a child run, they are prefixed with the name of the calling node and `/`. */
export class WaitingProjection {
  readonly #runId: RunId;
  /** Keys of the rows, by name. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #calls = new Map<RunId, ParentRunCall>();
  /** Whether the child runs that started before this projection was created are known. */
  #knowsEarlierCalls: boolean;
  #changes: WaitingChange[] = [];

  private constructor(runId: RunId, isNew: boolean) {
    this.#runId = runId;
    this.#knowsEarlierCalls = isNew;
  }

  /** Creates the projection of a new run, or of a log that is read from its start. */
  static ofNew(runId: RunId): WaitingProjection {
    return new WaitingProjection(runId, true);
  }

  /** Creates the projection of a run that is continued, from its rows. */
  static ofStored(runId: RunId, rows: readonly WaitingPlace[]): WaitingProjection {
    const projection = new WaitingProjection(runId, false);
    for (const { name, key } of rows) projection.#note(name, key);
    return projection;
  }

  /**
   * Returns whether events may change rows. If so, pass them to `apply`, otherwise to `pass`. This is called for every
   * group and rarely returns true.
   */
  concerns(events: readonly EventEnvelope[]): boolean {
    const isWaiting = this.#keys.size > 0;
    for (const { event } of events) {
      if (asking.has(event.type) || (isWaiting && ending.has(event.type))) return true;
    }
    return false;
  }

  /** Processes events of the run that do not change any row. */
  pass(events: readonly EventEnvelope[]): void {
    for (const envelope of events) {
      if (envelope.rootRunId === undefined) continue;
      this.#noteCall(envelope);
      this.#dropCall(envelope);
    }
  }

  /**
   * Processes the next events of the run.
   * @param readStarts is called if an event belongs to a child run that started before this projection was created
   * @returns the changes of the rows, in order
   */
  apply(events: readonly EventEnvelope[], readStarts: ReadStarts): readonly WaitingChange[] {
    this.#changes = [];
    for (const envelope of events) {
      this.#noteCall(envelope);
      if (asking.has(envelope.event.type) || this.#keys.size > 0) {
        if (this.needsStarts(envelope)) this.#noteEarlierCalls(readStarts());
        this.#change(envelope);
      }
      this.#dropCall(envelope);
    }
    return this.#changes;
  }

  /** Returns whether `apply` may call `readStarts` for the event of a child run. */
  needsStarts({ runId }: Pick<EventEnvelope, 'runId'>): boolean {
    if (this.#knowsEarlierCalls) return false;
    let caller: RunId | undefined = runId;
    while (caller !== undefined && caller !== this.#runId) caller = this.#calls.get(caller)?.parentRunId;
    return caller === undefined;
  }

  #noteCall({ runId, parentRunId, rootRunId, event }: EventEnvelope): void {
    if (rootRunId !== undefined && parentRunId !== undefined && event.type === 'run:start')
      this.#calls.set(runId, { parentRunId, caller: callerNameOf(event) });
  }

  #dropCall({ runId, rootRunId, event }: EventEnvelope): void {
    if (rootRunId !== undefined && event.type === 'run:end') this.#calls.delete(runId);
  }

  #change({ runId, seq, at, event }: EventEnvelope): void {
    const started = startedTask(event);
    if (started !== undefined) this.#dropStarted(this.#nameOf(runId, nameOfTask(started)), started.resumed === true);
    const ended = endedTask(event);
    if (ended !== undefined) this.#dropAll(this.#nameOf(runId, nameOfTask(ended)));
    switch (event.type) {
      case 'approval:requested':
      case 'input:requested':
        this.#put(this.#nameOf(runId, event.nodeId), { seq, at, event });
        break;
      case 'approval:resolved':
      case 'input:received':
        this.#drop(this.#nameOf(runId, event.nodeId), [event.key, noKey]);
        break;
      case 'node:suspended':
        // A question of the node itself or of its child run has a separate row.
        if (isAskReason(event.request.reason)) break;
        this.#putCut(this.#nameOf(runId, event.nodeId), { askedSeq: seq, askedAt: at, title: event.request.message });
        break;
      case 'node:input':
        this.#drop(this.#nameOf(runId, event.nodeId), [noKey]);
        break;
      case 'stage:start':
        if (event.taskId !== undefined) break;
        for (const stage of ['BeforeAll', 'AfterAll']) this.#drop(this.#nameOf(runId, stage), [noKey]);
        break;
      case 'run:end':
        this.#dropAll(this.#prefixOf(runId)?.slice(0, -1));
        break;
      default:
    }
  }

  #put(
    name: string | undefined,
    { seq, at, event }: Pick<EventEnvelope, 'seq' | 'at'> & { event: RequestEvent },
  ): void {
    if (name === undefined) return;
    const { key, requestHash, request } = event;
    // The previous question under this key is no longer open.
    this.#drop(name, [key, noKey]);
    const asked = { requestHash, request };
    this.#insert({ name, key, title: lineOfRequest(request), askedAt: at, askedSeq: seq, asked });
  }

  #putCut(name: string | undefined, cut: Pick<WaitingRow, 'title' | 'askedAt' | 'askedSeq'>): void {
    // If the node has asked a question, it waits for the answer to that question.
    if (name === undefined || [...(this.#keys.get(name) ?? [])].some((key) => key !== noKey)) return;
    // Work that was interrupted again needs another decision.
    this.#drop(name, [noKey]);
    this.#insert({ name, key: noKey, ...cut });
  }

  #insert(row: WaitingRow): void {
    this.#changes.push({ put: row });
    this.#note(row.name, row.key);
  }

  /** Deletes the questions of a node that starts. A resumed node keeps its earlier questions, except live ones. */
  #dropStarted(name: string | undefined, isResumed: boolean): void {
    if (!isResumed) this.#dropAll(name);
    else if (name !== undefined) this.#drop(name, [noKey, ...[...(this.#keys.get(name) ?? [])].filter(isLiveKey)]);
  }

  #drop(name: string | undefined, keys: readonly string[]): void {
    const known = name === undefined ? undefined : this.#keys.get(name);
    if (name === undefined || known === undefined) return;
    for (const key of keys) {
      if (!known.delete(key)) continue;
      this.#changes.push({ drop: { name, key } });
    }
    if (known.size === 0) this.#keys.delete(name);
  }

  /** Deletes the questions of a node and of its child runs. @param name undefined for all nodes */
  #dropAll(name: string | undefined): void {
    if (name === undefined) return;
    for (const [other, keys] of this.#keys) {
      if (name === '' || other === name || other.startsWith(`${name}/`)) this.#drop(other, [...keys]);
    }
  }

  #note(name: string, key: string): void {
    const keys = this.#keys.get(name);
    if (keys === undefined) this.#keys.set(name, new Set([key]));
    else keys.add(key);
  }

  #nameOf(runId: RunId, local: string): string | undefined {
    const prefix = this.#prefixOf(runId);
    return prefix === undefined ? undefined : prefix + local;
  }

  /** Returns undefined if the child run does not belong to a node. */
  #prefixOf(runId: RunId): string | undefined {
    if (runId === this.#runId) return '';
    const { parentRunId, caller } = this.#calls.get(runId) ?? {};
    const outer = parentRunId === undefined ? undefined : this.#prefixOf(parentRunId);
    return outer === undefined || caller === undefined ? undefined : `${outer}${caller}/`;
  }

  #noteEarlierCalls(starts: Iterable<EventEnvelope>): void {
    this.#knowsEarlierCalls = true;
    for (const { runId, parentRunId, event } of starts) {
      if (event.type !== 'run:start' || parentRunId === undefined || runId === this.#runId) continue;
      if (!this.#calls.has(runId)) this.#calls.set(runId, { parentRunId, caller: callerNameOf(event) });
    }
  }
}

type RequestEvent = Extract<AskEvent, { readonly request: unknown }>;

/** Events after which a request may be open. */
const asking: ReadonlySet<RunEvent['type']> = new Set(['approval:requested', 'input:requested', 'node:suspended']);
/** Events after which a request may be closed. */
const ending: ReadonlySet<RunEvent['type']> = new Set([
  'approval:resolved',
  'input:received',
  'node:input',
  'stage:start',
  'task:start',
  'task:complete',
  'task:failed',
  'task:cancelled',
  'task:skipped',
  'run:end',
]);
