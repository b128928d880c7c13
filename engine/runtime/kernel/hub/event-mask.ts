/**
 * Masks a run's secrets in its events, so that they never reach the disk or a window.
 */
import type { EventContext, RunEvent } from '../events/run-event.ts';
import type { RunSecrets } from './run-secrets.ts';

type TextEvent = Extract<RunEvent, { readonly type: 'agent:text' | 'agent:thinking' }>;

/** Streamed text that has not ended. */
interface OpenText {
  readonly stream: ReturnType<RunSecrets['stream']>;
  /** The latest piece. */
  event: TextEvent;
}

/** Masks one set of secrets in the events of all views that use it. */
export class EventMask {
  readonly #secrets: RunSecrets;
  /** Each context's open text. */
  readonly #open = new WeakMap<EventContext, OpenText>();

  constructor(secrets: RunSecrets) {
    this.#secrets = secrets;
  }

  /** Returns the masked event. For text, returns undefined and passes the part that cannot be the start of a secret to `next`. */
  take(event: RunEvent, context: EventContext, next: (event: RunEvent) => void): RunEvent | undefined {
    if (event.type === 'agent:text' || event.type === 'agent:thinking') {
      this.#takeText(event, context, next);
      return undefined;
    }
    this.#end(context);
    return this.#masked(event);
  }

  /** Masks only the values in node events, because the rest comes from the flow file. */
  #masked(event: RunEvent): RunEvent {
    switch (event.type) {
      case 'task:start':
      case 'edge:fired':
        return event;
      case 'node:input': {
        if (event.edited !== undefined) return this.#secrets.mask(event);
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

  /** Passes a piece without secrets through unchanged, without copying it. */
  #begin(event: TextEvent, next: (event: RunEvent) => void): OpenText {
    const stream = this.#secrets.stream((content) =>
      next(content === open.event.content ? open.event : { type: event.type, content }),
    );
    const open: OpenText = { stream, event };
    return open;
  }

  /** Emits the withheld text before the next event. */
  #end(context: EventContext): void {
    const open = this.#open.get(context);
    if (open === undefined) return;
    this.#open.delete(context);
    open.stream.end();
  }
}
