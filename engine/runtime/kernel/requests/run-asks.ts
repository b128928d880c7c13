/**
 * The requests of one run's nodes or of an agent's inputs, with their answers and waiting nodes.
 */

import type { Clock } from '../../../base/clock.ts';
import { onAbort } from '../../../base/on-abort.ts';
import type { Hub } from '../hub/hub.ts';
import type { ResumePoint } from '../resume/resume-point.ts';
import { type AnswerSource, type Ask, type AskAnswer, liveKey, type ReceivedAnswer, withoutLive } from './ask.ts';
import { withDeadline } from './ask-deadline.ts';

const nothingAsked: ReadonlyMap<string, Ask> = new Map();

/** A live request of a node. */
export interface LiveRequest {
  readonly name: string;
  readonly ask: Ask;
  readonly hub: Hub;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

function idOf({ name, key, requestHash }: ReceivedAnswer): string {
  return JSON.stringify([name, key, requestHash]);
}

/** Tracks requests and answers. Nodes are identified by their full names. */
export class RunAsks {
  readonly #source: AnswerSource | undefined;
  readonly #asks = new Map<string, ReadonlyMap<string, Ask>>();
  /** Functions that wake waiting nodes, by name. */
  readonly #waiting = new Map<string, () => void>();
  /** Nodes whose tasks continue after a wait in this or an earlier process. */
  readonly #calledAgain = new Set<string>();
  /** Answers that were passed on to child runs. */
  readonly #passedOn = new Set<string>();
  /** Checks whether one of the live requests has been answered. */
  readonly #live = new Set<() => void>();
  #liveCount = 0;
  #stopListening: (() => void) | undefined;

  constructor(resume: ResumePoint | undefined, source: AnswerSource | undefined) {
    this.#source = source;
    for (const [name, { asks, isAsking }] of resume?.open ?? []) {
      const own = withoutLive([...asks.values()]);
      if (own.length > 0) this.#asks.set(name, new Map(own.map((ask) => [ask.key, ask])));
      if (isAsking) this.#calledAgain.add(name);
    }
  }

  /** Whether answers can arrive. */
  get canBeAnswered(): boolean {
    return this.#source !== undefined;
  }

  /** Returns a node's requests, by key. */
  of(name: string): ReadonlyMap<string, Ask> {
    return this.#asks.get(name) ?? nothingAsked;
  }

  /** Emits a node's request, unless it is already in the log. */
  tell(name: string, ask: Ask, hub: Hub): void {
    const { key, requestHash } = ask;
    const request = withDeadline(ask.request, ask.askedAt);
    const former = this.of(name).get(key);
    if (former?.requestHash === requestHash) return;
    this.#note(name, { ...ask, request });
    const type = request.kind === 'approval' ? 'approval:requested' : 'input:requested';
    const changed = former === undefined ? {} : { changed: true as const };
    hub.emit({ type, nodeId: name, key, requestHash, request, ...changed });
  }

  #note(name: string, ask: Ask): void {
    this.#asks.set(name, new Map(this.of(name)).set(ask.key, ask));
  }

  /** Whether the node's task was left open because it waited. */
  isCalledAgain(name: string): boolean {
    return this.#calledAgain.has(name);
  }

  /** Whether the node, or something in its child runs, received an answer since it was last active. */
  hasNews(name: string): boolean {
    return this.#newsOf(name).length > 0 || this.#newsBelow(name).length > 0;
  }

  /** Emits the answers with which the node continues. They are durable when this function returns. */
  takeUp(name: string, hub: Hub): void {
    // Fast path: every node gets here, and there are usually no answers.
    if (this.#source === undefined || this.#source.list().length === 0) return;
    for (const given of this.#newsOf(name)) this.take(name, given, hub);
    for (const given of this.#newsBelow(name)) this.#passedOn.add(idOf(given));
  }

  /** Records an answer to the node's request. */
  take(name: string, { key, requestHash, payload, by, at }: Omit<ReceivedAnswer, 'name'>, hub: Hub): void {
    const ask = this.of(name).get(key);
    if (ask === undefined) return;
    const answer = { payload, at, ...(by === undefined ? {} : { by }) };
    this.#note(name, { ...ask, answer });
    const type = ask.request.kind === 'approval' ? 'approval:resolved' : 'input:received';
    hub.emit({ type, nodeId: name, key, requestHash, ...answer });
  }

  /**
   * Registers a waiting node. Calls `wake` once, as soon as there is an answer, which may be immediately. Returns a
   * function that ends the wait.
   */
  wait(name: string, wake: () => void): () => void {
    this.#calledAgain.add(name);
    this.#waiting.set(name, wake);
    this.#listen();
    if (this.hasNews(name)) this.#wake(name);
    return () => this.#waiting.delete(name);
  }

  /**
   * Emits a request of a node that keeps running, and resolves to the answer, which is recorded. If the signal aborts, the
   * request is withdrawn.
   * @param request its key may occur in earlier requests
   * @throws the signal's reason
   */
  async live({ name, ask, hub, signal, clock }: LiveRequest): Promise<AskAnswer> {
    signal.throwIfAborted();
    const key = liveKey(ask.key, this.#liveCount++);
    const { requestHash } = ask;
    this.tell(name, { ...ask, key }, hub);
    // Nothing follows that would store it.
    hub.flush();
    return await new Promise((resolve, reject) => {
      const settle = (payload: AskAnswer): void => {
        stopListening();
        this.#live.delete(look);
        this.take(name, { key, requestHash, ...payload }, hub);
      };
      const look = (): void => {
        const given = this.#newsOf(name).find((one) => one.key === key);
        if (given === undefined) return;
        settle(given);
        resolve(given);
      };
      const stopListening = onAbort(signal, () => {
        settle({ payload: { withdrawn: true }, at: clock.now() });
        reject(signal.reason);
      });
      this.#live.add(look);
      this.#listen();
      look();
    });
  }

  /** Returns the answers for a node's child runs. */
  below(name: string): AnswerSource | undefined {
    const source = this.#source;
    if (source === undefined) return undefined;
    const start = `${name}/`;
    return {
      list: () =>
        source
          .list()
          .filter((given) => given.name.startsWith(start))
          .map((given) => ({ ...given, name: given.name.slice(start.length) })),
      listen: (listener) => source.listen(listener),
    };
  }

  close(): void {
    this.#stopListening?.();
  }

  #listen(): void {
    this.#stopListening ??= this.#source?.listen(() => this.#wakeAll());
  }

  #newsOf(name: string): readonly ReceivedAnswer[] {
    const asks = this.of(name);
    if (this.#source === undefined || asks.size === 0) return [];
    return this.#source.list().filter((given) => {
      const ask = given.name === name ? asks.get(given.key) : undefined;
      return ask !== undefined && ask.answer === undefined && ask.requestHash === given.requestHash;
    });
  }

  #newsBelow(name: string): readonly ReceivedAnswer[] {
    if (this.#source === undefined) return [];
    return this.#source.list().filter((given) => given.name.startsWith(`${name}/`) && !this.#passedOn.has(idOf(given)));
  }

  #wakeAll(): void {
    for (const look of [...this.#live]) look();
    for (const name of [...this.#waiting.keys()]) if (this.hasNews(name)) this.#wake(name);
  }

  #wake(name: string): void {
    const wake = this.#waiting.get(name);
    this.#waiting.delete(name);
    wake?.();
  }
}
