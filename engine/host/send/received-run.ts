/**
 * Opens a run that someone sent, as the only run of a history in memory. Nothing of it reaches the history or the files
 * of a workspace.
 */
import type { Clock } from '../../base/clock.ts';
import { asSessionId, type RunId } from '../../base/ids.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { packDefinition } from '../../language/flow/stored-definition.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createHistory, type RunHistoryReader } from '../reads/history.ts';
import { readSentFile, type SentFile } from './sent-file.ts';

/** A run that someone sent. The caller must close the store. */
export interface ReceivedRun extends Pick<SentFile, 'definitions' | 'sourcePath'> {
  readonly runId: RunId;
  readonly store: RunStore;
  /** Reads the store. */
  readonly history: RunHistoryReader;
  /** What is missing or wrong in the file, each as a sentence. */
  readonly problems: readonly string[];
}

/**
 * Opens the file of a run.
 * @param file absolute path
 * @throws EngineError `files.*` | `sent.not-a-run` | `sent.newer-format`
 */
export async function openReceivedRun(file: string, clock: Clock): Promise<ReceivedRun> {
  const sent = await readSentFile(file);
  const store = await openRunStore({ file: null, clock, owner: currentOwner() });
  try {
    const problems = [...sent.problems, ...record(store, sent)];
    const { runId, definitions, sourcePath } = sent;
    return { runId, store, history: createHistory(store), definitions, sourcePath, problems };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Records the run in the store. Returns what cannot be recorded, each as a sentence. */
function record(store: RunStore, sent: SentFile): readonly string[] {
  const { runId, number, kind, name, sourcePath, startedAt, definitions, values } = sent;
  const sessionId = asSessionId('sent');
  const packed = [...definitions.values()].map(packDefinition);
  const first = sent.events.find(({ event, rootRunId }) => event.type === 'run:start' && rootRunId === undefined);
  const start = first?.event.type === 'run:start' ? first.event : undefined;
  const { definitionHash } = store.createRun({
    ...{ runId, sessionId, kind, name, sourcePath, definition: packed[0] ?? '', queuedAt: startedAt },
    ...{ inputs: start?.inputs ?? {}, ...(number === undefined ? {} : { number }) },
    ...(start?.startedBy === undefined ? {} : { startedBy: start.startedBy }),
  });
  for (const text of [...packed, ...values.values()]) store.keepDefinition(text);
  const missing: RunEvent = { type: 'run:start', kind, name, sourcePath, definitionHash, inputs: {} };
  const at = sent.events[0]?.at ?? startedAt;
  const own = start === undefined ? [{ seq: 0, at, runId, context: { sessionId }, event: missing }] : [];
  const log = new ReceivedLog(store, runId);
  for (const envelope of [...own, ...sent.events]) log.add({ ...envelope, event: sent.placed(envelope.event) });
  log.end();
  // Nothing runs it here. It is shown as interrupted unless it has ended or waits.
  store.giveUp(runId);
  return [
    ...(start === undefined ? ['The start of the run is missing, and with it its inputs.'] : []),
    ...(log.refused === 0 ? [] : [`Events that contradict others and are left out: ${log.refused}.`]),
    ...addMarks(store, sent),
  ];
}

function addMarks(store: RunStore, { runId, labels, note }: SentFile): readonly string[] {
  if (labels.length === 0 && note === '') return [];
  try {
    store.marks.change(runId, { addLabels: labels, note });
    return [];
  } catch {
    return ['The labels and the note of the run are not valid.'];
  }
}

const eventsAtOnce = 500;

/** Records events in groups, with new numbers without gaps. */
class ReceivedLog {
  readonly #store: RunStore;
  readonly #runId: RunId;
  #waiting: EventEnvelope[] = [];
  #nextSeq = 0;
  #isSuspended = false;
  /** Number of events that were not recorded. */
  refused = 0;

  constructor(store: RunStore, runId: RunId) {
    this.#store = store;
    this.#runId = runId;
  }

  add(envelope: EventEnvelope): void {
    this.#waiting.push(envelope);
    const isTurn = envelope.rootRunId === undefined && /^run:(?:suspended|end|refused)$/.test(envelope.event.type);
    if (isTurn || this.#waiting.length === eventsAtOnce) this.end();
    if (isTurn) this.#isSuspended = envelope.event.type === 'run:suspended';
  }

  /** Records all events. */
  end(): void {
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0) return;
    if (this.#isSuspended) this.#store.claim(this.#runId);
    this.#isSuspended = false;
    if (this.#append(events) || (events.length > 1 && this.#appendEach(events))) return;
    this.refused += events.length;
  }

  #append(events: readonly EventEnvelope[]): boolean {
    try {
      const numbered = events.map((one, index) => ({ ...one, seq: this.#nextSeq + index }));
      this.#store.append(this.#runId, numbered);
      this.#nextSeq += events.length;
      return true;
    } catch {
      return false;
    }
  }

  /** Finds the events that the store does not accept. */
  #appendEach(events: readonly EventEnvelope[]): boolean {
    for (const one of events) if (!this.#append([one])) this.refused += 1;
    return true;
  }
}
