/**
 * Messages to running agents. An inbox belongs to one call, addressed by its run ID. Reading never blocks forever: it
 * ends when no more messages can arrive.
 */
import { type Clock, systemClock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import { onAbort } from '../../../base/on-abort.ts';

export interface InboxMessage {
  readonly content: string;
  /** Time in epoch milliseconds. */
  readonly timestamp: number;
}

/** Messages to one call of an agent. Iteration ends when the inbox is closed and empty. */
export interface Inbox extends AsyncIterable<InboxMessage> {
  /** Waits for the next message; returns undefined if the inbox is closed and empty. */
  pop(): Promise<InboxMessage | undefined>;
  /** Returns and removes all current messages. */
  drain(): readonly InboxMessage[];
  /** Stops accepting messages; waiting readers receive undefined. Messages that have arrived can still be read. */
  close(): void;
}

/** An inbox's owner. */
export interface InboxOwner {
  /** The call's run ID. */
  readonly runId: RunId;
  /** Closes the inbox when it aborts. */
  readonly signal: AbortSignal;
}

/** Routes messages from the host to running agents. */
export interface InboxRouter {
  /** Opens one call's inbox. The call must close it when it ends. */
  open(owner: InboxOwner): Inbox;
  /** @throws EngineError `inbox.no-such-run` if no inbox is open for that ID */
  send(runId: RunId, content: string): void;
}

export interface InboxRouterOptions {
  readonly clock?: Clock;
  /** Milliseconds after which a `pop` without a message closes its inbox; 60,000 if absent. */
  readonly idleMs?: number;
}

const defaultIdleMs = 60_000;

/** The inbox of an agent that cannot receive messages: reading never waits. */
export const closedInbox: Inbox = {
  pop: () => Promise.resolve(undefined),
  drain: () => [],
  close: () => {},
  async *[Symbol.asyncIterator]() {},
};

/** Creates a router for all of a host's runs. */
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

/** Runs one call with a new inbox, which is always closed when the call ends; without a router, with a closed inbox. */
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
  /** Waiting readers in order. Each receives a message, or undefined when the inbox is closed. */
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
    message: `No running agent reads messages to ${runId}. Send messages between the agent:start of an agent and its end, to the run ID in agent:start.`,
  });
}
