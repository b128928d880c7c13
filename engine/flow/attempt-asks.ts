/**
 * What one call of a node's `run` asks: it gets the answers that there are, and ends where one is missing.
 */
import type { Clock } from '../base/clock.ts';
import { frozenCopy } from '../flowspec/checked-json.ts';
import type { Ask, AskAnswer, AskCapability, AskRequest } from '../kernel/ask.ts';
import { unexpired } from '../kernel/ask-deadline.ts';
import { badRequest, duplicateKey, mostRequestBytes, requestFrom, textOfRequest } from '../kernel/ask-request.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { NodeJob } from './node-job.ts';

/** Begins what is said of a request that cannot be asked. */
const asker = 'The node';

export class AttemptAsks {
  readonly #job: NodeJob;
  readonly #clock: Clock;
  readonly #asked = new Set<string>();
  readonly #open: Ask[] = [];
  #underWay = 0;
  #end: (unanswered: object) => void = () => undefined;
  readonly #unanswered = {};
  /** Rejects when a question has no answer and nothing else of the call is under way. */
  readonly unanswered = new Promise<never>((_resolve, reject) => {
    this.#end = reject;
  });

  /** @param clock of the attempt: where a host repeats it, one that repeats too */
  constructor(job: NodeJob, clock: Clock) {
    this.#job = job;
    this.#clock = clock;
    // Whoever waits for it hears of it.
    this.unanswered.catch(() => undefined);
  }

  readonly ask: AskCapability = async (key, request) => {
    const { name, place } = this.#job;
    const { asks, capabilities } = place.scope.run;
    const checked = checkedRequest(key, request);
    if (this.#asked.has(key)) throw duplicateKey(key, asker);
    this.#asked.add(key);
    const text = textOfRequest(checked);
    const requestHash = capabilities.hash?.sha256(text) ?? text;
    const former = asks.of(name).get(key);
    if (former?.answer !== undefined && former.requestHash === requestHash)
      return unexpired(former.answer, former.request, asker);
    const isKnown = former?.requestHash === requestHash;
    this.#open.push(isKnown ? former : { key, requestHash, request: checked, askedAt: this.#clock.now() });
    this.#lookSoon();
    return await new Promise<AskAnswer>(() => undefined);
  };

  /** The open questions, where they have ended the call. Safe to ask of anything that was thrown. */
  endedBy(thrown: unknown): readonly Ask[] | undefined {
    return thrown === this.#unanswered ? this.#open : undefined;
  }

  /** The same abilities, whose calls are noticed: a call that asks ends only when none of them is under way. */
  watched(can: Partial<Capabilities>): Partial<Capabilities> {
    return Object.fromEntries(
      Object.entries(can).map(([name, capability]) => [name, name === 'ask' ? capability : this.#watch(capability)]),
    );
  }

  /** For tools, whose calls are noticed as well: one that waits for an answer is not under way. */
  readonly askOfTools: AskCapability = async (key, request) => {
    this.#underWay--;
    try {
      return await this.ask(key, request);
    } finally {
      this.#underWay++;
    }
  };

  #watch<T extends object>(capability: T): T {
    return new Proxy(capability, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => this.#noted(member.apply(target, given));
      },
    });
  }

  #noted(result: unknown): unknown {
    if (!(result instanceof Promise)) return result;
    this.#underWay++;
    const end = (): void => {
      this.#underWay--;
      this.#lookSoon();
    };
    result.then(end, end);
    return result;
  }

  /** Some turns of promises later, in which whoever asks several things at once asks the others. */
  #lookSoon(turnsLeft = 10): void {
    if (this.#open.length === 0) return;
    void Promise.resolve().then(() => {
      if (turnsLeft > 0) this.#lookSoon(turnsLeft - 1);
      else if (this.#underWay === 0) this.#end(this.#unanswered);
    });
  }
}

/** @throws EngineError `ask.bad-request` */
function checkedRequest(key: unknown, request: unknown): AskRequest {
  const copy = frozenCopy(request, mostRequestBytes);
  if (!copy.ok) throw badRequest([...copy.problem.path, copy.problem.message].join(' '), asker);
  return requestFrom(key, copy.value, asker);
}
