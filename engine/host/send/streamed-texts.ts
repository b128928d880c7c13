/**
 * Joins the pieces of streamed text, in which a value can be spread over several events.
 */
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';

/** Masks text that arrives in pieces, as `SecretMask.stream` does. */
type OpenMask = (emit: (piece: string) => void) => { push(piece: string): void; end(): void };

interface BufferedText {
  /** The event that receives what is emitted. */
  last: { envelope: EventEnvelope };
  whole: string;
  readonly stream: ReturnType<OpenMask>;
}

const textTypes = ['agent:text', 'agent:thinking'] as const;

/** A longer text is passed on in parts. In UTF-16 units. */
const longestWhole = 1024 * 1024;
/** With more events that wait for the end of a text, the text is ended. */
const mostWaiting = 20_000;

/** Collects the texts of events, or masks them. Events come out in their order, once their text is complete. */
export class StreamedTexts {
  readonly #onWhole: ((text: string) => void) | undefined;
  readonly #openMask: OpenMask | undefined;
  readonly #open = new Map<string, BufferedText>();
  #waiting: { envelope: EventEnvelope }[] = [];

  /** @param onWhole receives each complete text */
  constructor(onWhole?: (text: string) => void, openMask?: OpenMask) {
    this.#onWhole = onWhole;
    this.#openMask = openMask;
  }

  add(envelope: EventEnvelope): void {
    const { event, runId, context } = envelope;
    const task = `${runId} ${('taskId' in event ? event.taskId : undefined) ?? context.task?.id ?? ''} `;
    if (event.type !== 'agent:text' && event.type !== 'agent:thinking') {
      if (/^(?:model|task|run|stage):/.test(event.type)) for (const type of textTypes) this.#close(task + type);
      if (this.#openMask !== undefined) this.#waiting.push({ envelope });
      return;
    }
    this.#addText(task + event.type, envelope);
  }

  #addText(key: string, envelope: EventEnvelope): void {
    const { event } = envelope;
    if (event.type !== 'agent:text' && event.type !== 'agent:thinking') return;
    const slot = {
      envelope: { ...envelope, event: { ...event, content: this.#openMask === undefined ? event.content : '' } },
    };
    if (this.#openMask !== undefined) this.#waiting.push(slot);
    const text = this.#open.get(key) ?? this.#start(key, slot);
    text.last = slot;
    text.whole += this.#onWhole === undefined ? '' : event.content;
    text.stream.push(event.content);
    if (text.whole.length > longestWhole || this.#waiting.length > mostWaiting) this.#close(key);
  }

  /** Ends all texts. */
  end(): void {
    for (const key of [...this.#open.keys()]) this.#close(key);
  }

  /** Returns the events whose texts are complete. */
  take(): readonly EventEnvelope[] {
    const stopped = new Set([...this.#open.values()].map(({ last }) => last));
    const next = stopped.size === 0 ? -1 : this.#waiting.findIndex((slot) => stopped.has(slot));
    const ready = next === -1 ? this.#waiting : this.#waiting.slice(0, next);
    this.#waiting = next === -1 ? [] : this.#waiting.slice(next);
    return ready.map(({ envelope }) => envelope);
  }

  #start(key: string, first: BufferedText['last']): BufferedText {
    const text: BufferedText = {
      last: first,
      whole: '',
      stream: (this.#openMask ?? noMask)((piece) => {
        const { envelope } = text.last;
        const { event } = envelope;
        if (event.type !== 'agent:text' && event.type !== 'agent:thinking') return;
        text.last.envelope = { ...envelope, event: { ...event, content: event.content + piece } };
      }),
    };
    this.#open.set(key, text);
    return text;
  }

  #close(key: string): void {
    const text = this.#open.get(key);
    if (text === undefined) return;
    text.stream.end();
    if (text.whole !== '') this.#onWhole?.(text.whole);
    this.#open.delete(key);
  }
}

const noMask: OpenMask = () => ({ push: () => undefined, end: () => undefined });
