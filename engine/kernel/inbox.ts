/**
 * Messages to agents at work. An inbox belongs to one invocation, and its run id is the address. Reading never hangs:
 * where nobody can write any more, it ends.
 */
import { type Clock, systemClock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { onAbort } from '../base/on-abort.ts';

export interface InboxMessage {
  readonly content: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

/** Messages to one invocation of an agent. Iterating ends when the inbox is closed and empty. */
export interface Inbox extends AsyncIterable<InboxMessage> {
  /** Waits for the next message; undefined when the inbox is closed and empty. */
  pop(): Promise<InboxMessage | undefined>;
  /** Takes all that is there now. */
  drain(): readonly InboxMessage[];
  /** Takes no more messages; whoever waits gets undefined. What has arrived can still be read. */
  close(): void;
}

/** Whom an inbox is for. */
export interface InboxOwner {
  /** That of the invocation. */
  readonly runId: RunId;
  /** Closes the inbox when it aborts. */
  readonly signal: AbortSignal;
}

/** Brings messages from the host to agents at work. */
export interface InboxRouter {
  /** Opens the inbox of one invocation, which must close it when it ends. */
  open(owner: InboxOwner): Inbox;
  /** @throws EngineError `inbox.no-such-run` when no inbox is open under that id */
  send(runId: RunId, content: string): void;
}

export interface InboxRouterOptions {
  readonly clock?: Clock;
  /** Milliseconds after which a `pop` that got nothing closes its inbox; 60,000 when absent. */
  readonly idleMs?: number;
}

const defaultIdleMs = 60_000;

/** The inbox of an agent that nobody can write to: reading never waits. */
export const closedInbox: Inbox = {
  pop: () => Promise.resolve(undefined),
  drain: () => [],
  close: () => {},
  async *[Symbol.asyncIterator]() {},
};

/** Makes a router, for all runs of a host. */
export function createInboxRouter({
  clock = systemClock,
  idleMs = defaultIdleMs,
}: InboxRouterOptions = {}): InboxRouter {
  const open = new Map<RunId, OpenInbox>();
  return {
    open({ runId, signal }) {
      const inbox = new OpenInbox(signal, { clock, idleMs, onClose: () => open.delete(runId) });
      if (!signal.aborted) open.set(runId, inbox);
      return inbox;
    },
    send(runId, content) {
      const inbox = open.get(runId);
      if (inbox === undefined) throw noSuchRun(runId);
      inbox.push({ content, timestamp: clock.now() });
    },
  };
}

/** Runs one invocation with an inbox of its own, which it closes however that ends; without a router, with a closed one. */
export async function withInbox<T>(
  router: InboxRouter | undefined,
  owner: InboxOwner,
  work: (inbox: Inbox) => Promise<T>,
): Promise<T> {
  const inbox = router?.open(owner) ?? closedInbox;
  try {
    return await work(inbox);
  } finally {
    inbox.close();
  }
}

interface OpenInboxOptions {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly onClose: () => void;
}

class OpenInbox implements Inbox {
  readonly #options: OpenInboxOptions;
  readonly #messages: InboxMessage[] = [];
  /** Whoever waits, first come first served; each gets a message, or undefined at the close. */
  readonly #waiting = new Set<(message?: InboxMessage) => void>();
  readonly #close = (): void => this.close();
  #stopListening: (() => void) | undefined;
  #isClosed = false;

  constructor(signal: AbortSignal, options: OpenInboxOptions) {
    this.#options = options;
    if (signal.aborted) this.#isClosed = true;
    else this.#stopListening = onAbort(signal, this.#close);
  }

  push(message: InboxMessage): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#messages.push(message);
    else next(message);
  }

  pop(): Promise<InboxMessage | undefined> {
    const message = this.#messages.shift();
    return message === undefined && !this.#isClosed ? this.#next() : Promise.resolve(message);
  }

  drain(): readonly InboxMessage[] {
    return this.#messages.splice(0);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening?.();
    for (const settle of this.#waiting) settle();
    this.#options.onClose();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<InboxMessage, undefined> {
    for (let message = await this.pop(); message !== undefined; message = await this.pop()) yield message;
  }

  #next(): Promise<InboxMessage | undefined> {
    return new Promise((resolve) => {
      const { clock, idleMs } = this.#options;
      const endTimer = clock.setTimer(this.#close, idleMs);
      const settle = (message?: InboxMessage): void => {
        endTimer();
        this.#waiting.delete(settle);
        resolve(message);
      };
      this.#waiting.add(settle);
    });
  }
}

function noSuchRun(runId: RunId): EngineError {
  return new EngineError({
    code: 'inbox.no-such-run',
    message: `No agent at work reads messages to ${runId}. Send them between its agent:start and its end, to the run id that agent:start names.`,
  });
}
