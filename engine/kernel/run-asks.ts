/**
 * What the nodes of one run ask, or the inputs of an agent, what was answered, and who waits for it.
 */
import type { AnswerSource, Ask, GivenAnswer } from './ask.ts';
import { withDeadline } from './ask-deadline.ts';
import type { Hub } from './hub.ts';
import type { ResumePoint } from './resume-point.ts';

const nothingAsked: ReadonlyMap<string, Ask> = new Map();

function idOf({ name, key, requestHash }: GivenAnswer): string {
  return JSON.stringify([name, key, requestHash]);
}

/** Nodes are named by their place in the run. */
export class RunAsks {
  readonly #source: AnswerSource | undefined;
  readonly #asks = new Map<string, ReadonlyMap<string, Ask>>();
  /** By name of a node that waits: lets it go on. */
  readonly #waiting = new Map<string, () => void>();
  /** Nodes that have waited in this process, or in an earlier one, and whose task goes on where it was. */
  readonly #calledAgain = new Set<string>();
  /** Answers for called runs that these have been given. */
  readonly #passedOn = new Set<string>();
  #stopListening: (() => void) | undefined;

  constructor(resume: ResumePoint | undefined, source: AnswerSource | undefined) {
    this.#source = source;
    for (const [name, { asks, isAsking }] of resume?.open ?? []) {
      if (asks.size > 0) this.#asks.set(name, asks);
      if (isAsking) this.#calledAgain.add(name);
    }
  }

  /** Whether answers can come in. */
  get canBeAnswered(): boolean {
    return this.#source !== undefined;
  }

  /** By key: what a node has asked. */
  of(name: string): ReadonlyMap<string, Ask> {
    return this.#asks.get(name) ?? nothingAsked;
  }

  /** Tells of a question of the node, unless the log has it. */
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

  /** Whether the task of the node was left open because it waited. */
  isCalledAgain(name: string): boolean {
    return this.#calledAgain.has(name);
  }

  /** Whether somebody has answered it, or something in a run that it called, since it was last at work. */
  hasNews(name: string): boolean {
    return this.#newsOf(name).length > 0 || this.#newsBelow(name).length > 0;
  }

  /** Tells of the answers that the node goes on with; they are durable when this returns. */
  takeUp(name: string, hub: Hub): void {
    // Every node passes here, and mostly nobody has answered anything.
    if (this.#source === undefined || this.#source.list().length === 0) return;
    for (const given of this.#newsOf(name)) this.take(name, given, hub);
    for (const given of this.#newsBelow(name)) this.#passedOn.add(idOf(given));
  }

  /** An answer to something that the node asks. */
  take(name: string, { key, requestHash, payload, by, at }: Omit<GivenAnswer, 'name'>, hub: Hub): void {
    const ask = this.of(name).get(key);
    if (ask === undefined) return;
    const answer = { payload, at, ...(by === undefined ? {} : { by }) };
    this.#note(name, { ...ask, answer });
    const type = ask.request.kind === 'approval' ? 'approval:resolved' : 'input:received';
    hub.emit({ type, nodeId: name, key, requestHash, ...answer });
  }

  /** The node waits. Calls `wake` once, as soon as there is an answer, maybe at once. Returns the end of that. */
  wait(name: string, wake: () => void): () => void {
    this.#calledAgain.add(name);
    this.#waiting.set(name, wake);
    this.#stopListening ??= this.#source?.listen(() => this.#wakeAll());
    if (this.hasNews(name)) this.#wake(name);
    return () => this.#waiting.delete(name);
  }

  /** Answers for the runs that a node calls. */
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

  #newsOf(name: string): readonly GivenAnswer[] {
    const asks = this.of(name);
    if (this.#source === undefined || asks.size === 0) return [];
    return this.#source.list().filter((given) => {
      const ask = given.name === name ? asks.get(given.key) : undefined;
      return ask !== undefined && ask.answer === undefined && ask.requestHash === given.requestHash;
    });
  }

  #newsBelow(name: string): readonly GivenAnswer[] {
    if (this.#source === undefined) return [];
    return this.#source.list().filter((given) => given.name.startsWith(`${name}/`) && !this.#passedOn.has(idOf(given)));
  }

  #wakeAll(): void {
    for (const name of [...this.#waiting.keys()]) if (this.hasNews(name)) this.#wake(name);
  }

  #wake(name: string): void {
    const wake = this.#waiting.get(name);
    this.#waiting.delete(name);
    wake?.();
  }
}
