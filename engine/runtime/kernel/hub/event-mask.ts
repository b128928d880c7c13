/**
 * Masks the secrets of a run in its events: neither the disk nor a window gets one.
 */
import type { EventContext, RunEvent } from '../events/run-event.ts';
import type { RunSecrets } from './run-secrets.ts';

type TextEvent = Extract<RunEvent, { readonly type: 'agent:text' | 'agent:thinking' }>;

/** Text that arrives in pieces. */
interface OpenText {
  readonly stream: ReturnType<RunSecrets['stream']>;
  /** The newest piece. */
  event: TextEvent;
}

/** The masks of one set of secrets, for all views that the secrets are masked on. */
export class EventMask {
  readonly #secrets: RunSecrets;
  /** The text that is arriving in a context. Each view with a context of its own has its own text. */
  readonly #open = new WeakMap<EventContext, OpenText>();

  constructor(secrets: RunSecrets) {
    this.#secrets = secrets;
  }

  /** Returns the event as it may be seen. Of text it returns undefined, and calls `next` with what no secret can begin in. */
  take(event: RunEvent, context: EventContext, next: (event: RunEvent) => void): RunEvent | undefined {
    if (event.type === 'agent:text' || event.type === 'agent:thinking') {
      this.#takeText(event, context, next);
      return undefined;
    }
    this.#end(context);
    return this.#masked(event);
  }

  /** In events that every node has, only the values are masked: the rest is text of the flow itself. */
  #masked(event: RunEvent): RunEvent {
    switch (event.type) {
      case 'task:start':
      case 'edge:fired':
        return event;
      case 'node:input': {
        const input = this.#secrets.mask(event.input);
        return input === event.input ? event : { ...event, input };
      }
      case 'task:complete': {
        const result = this.#secrets.mask(event.result);
        return result === event.result ? event : { ...event, result };
      }
      default:
        return this.#secrets.mask(event);
    }
  }

  #takeText(event: TextEvent, context: EventContext, next: (event: RunEvent) => void): void {
    let open = this.#open.get(context);
    if (open?.event.type !== event.type) {
      this.#end(context);
      open = this.#begin(event, next);
      this.#open.set(context, open);
    }
    open.event = event;
    open.stream.push(event.content);
  }

  /** A piece without a secret goes on as it is: it is not copied. */
  #begin(event: TextEvent, next: (event: RunEvent) => void): OpenText {
    const stream = this.#secrets.stream((content) =>
      next(content === open.event.content ? open.event : { type: event.type, content }),
    );
    const open: OpenText = { stream, event };
    return open;
  }

  /** What was held back goes on before the next event does. */
  #end(context: EventContext): void {
    const open = this.#open.get(context);
    if (open === undefined) return;
    this.#open.delete(context);
    open.stream.end();
  }
}
