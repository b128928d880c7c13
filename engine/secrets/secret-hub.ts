/**
 * The hub of a run that has secrets: nothing goes out through it, neither to the disk nor to a window, that holds one.
 */
import type { RunId } from '../base/ids.ts';
import type { Hub, HubScope } from '../kernel/hub.ts';
import type { RunEvent } from '../kernel/run-event.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';

type Piece = Extract<RunEvent, { readonly type: 'agent:text' | 'agent:thinking' }>;

/** Puts the secrets' marks into all that is told on it and on anything made from it, runs that are called included. */
export class SecretHub implements Hub {
  readonly #inner: Hub;
  readonly #secrets: RunSecrets;
  /** The kind of text that comes in pieces just now, in this context, and what takes its pieces. */
  #open: { readonly type: Piece['type']; push(piece: string): void; end(): void } | undefined;

  constructor(inner: Hub, secrets: RunSecrets) {
    this.#inner = inner;
    this.#secrets = secrets;
  }

  emit(event: RunEvent): void {
    if (event.type === 'agent:text' || event.type === 'agent:thinking') {
      this.#take(event);
      return;
    }
    this.#end();
    this.#inner.emit(this.#shown(event));
  }

  scoped(context: Partial<HubScope>): Hub {
    return new SecretHub(this.#inner.scoped(context), this.#secrets);
  }

  child(runId: RunId): Hub {
    return new SecretHub(this.#inner.child(runId), this.#secrets);
  }

  flush(): void {
    this.#inner.flush();
  }

  keepDefinition(text: string): void {
    this.#inner.keepDefinition?.(text);
  }

  get runId(): RunId {
    return this.#inner.runId;
  }

  get taskId(): string | undefined {
    return this.#inner.taskId;
  }

  get products(): readonly string[] | undefined {
    return this.#inner.products;
  }

  get isUnseen(): boolean {
    return this.#inner.isUnseen === true;
  }

  get autonomy(): Hub['autonomy'] {
    return this.#inner.autonomy;
  }

  /** The events that come with every node are looked at only where they hold what is not of the flow's own text. */
  #shown(event: RunEvent): RunEvent {
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

  #take(event: Piece): void {
    if (this.#open?.type !== event.type) {
      this.#end();
      const stream = this.#secrets.stream((content) => this.#inner.emit({ ...event, content }));
      this.#open = { type: event.type, push: (piece) => stream.push(piece), end: () => stream.end() };
    }
    this.#open?.push(event.content);
  }

  /** What was held back is told before what comes next. */
  #end(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.end();
  }
}
