/**
 * Handles the requests made by one call to a node's `run`: returns existing answers, and ends the call if one is
 * missing.
 */
import type { Clock } from '../../../base/clock.ts';
import { frozenCopy } from '../../../language/json/checked-json.ts';
import type { Capabilities } from '../../kernel/capabilities/capabilities.ts';
import type { Ask, AskAnswer, AskCapability, AskRequest } from '../../kernel/requests/ask.ts';
import { unexpired } from '../../kernel/requests/ask-deadline.ts';
import {
  badRequest,
  duplicateKey,
  mostRequestBytes,
  requestFrom,
  textOfRequest,
} from '../../kernel/requests/ask-request.ts';
import type { NodeJob } from './node-job.ts';

/** Start of error messages about invalid requests. */
const asker = 'The node';

export class AttemptAsks {
  readonly #job: NodeJob;
  readonly #clock: Clock;
  readonly #asked = new Set<string>();
  readonly #open: Ask[] = [];
  #underWay = 0;
  #end: (unanswered: object) => void = () => undefined;
  readonly #unanswered = {};
  /** Rejects when a request has no answer and nothing else in the call is in progress. */
  readonly unanswered = new Promise<never>((_resolve, reject) => {
    this.#end = reject;
  });

  /** @param clock the attempt's clock; must be replayable if the host replays the attempt */
  constructor(job: NodeJob, clock: Clock) {
    this.#job = job;
    this.#clock = clock;
    // The caller that awaits the promise receives the error.
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

  /** Returns the open requests if they ended the call. Accepts any thrown value. */
  endedBy(thrown: unknown): readonly Ask[] | undefined {
    return thrown === this.#unanswered ? this.#open : undefined;
  }

  /**
   * Returns the same capabilities with tracked calls. A call to `run` that makes a request ends only when no capability
   * call is in progress.
   */
  watched(can: Partial<Capabilities>): Partial<Capabilities> {
    return Object.fromEntries(
      Object.entries(can).map(([name, capability]) => [name, name === 'ask' ? capability : this.#watch(capability)]),
    );
  }

  /** Like `track`, but for tools: a tool that waits for an answer does not count as in progress. */
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

  /** Checks a few promise turns later, so that code making several requests at once can make all of them. */
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
