/**
 * Handles the requests made by one call to a node's `run`: returns existing answers, and ends the call if one is
 * missing.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
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
import { LoopActivity, type StillTime } from '../run-activity.ts';
import type { NodeJob } from './node-job.ts';

/** Start of error messages about invalid requests. */
const asker = 'The node';
/** A live request does not suspend the run, because its attempt keeps running. */
const noActivity = { begin: () => undefined, end: () => undefined };

export class AttemptAsks {
  readonly #job: NodeJob;
  readonly #clock: Clock;
  readonly #asked = new Set<string>();
  readonly #open: Ask[] = [];
  readonly #activity: LoopActivity;
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
    this.#activity = new LoopActivity(noActivity, clock);
    this.#activity.begin();
    // The caller that awaits the promise receives the error.
    this.unanswered.catch(() => undefined);
  }

  readonly ask: AskCapability = async (key, request, { live } = {}) => {
    const { name, place } = this.#job;
    const { asks, capabilities } = place.scope.run;
    const checked = checkedRequest(key, request);
    const text = textOfRequest(checked);
    const requestHash = capabilities.hash?.sha256(text) ?? text;
    if (live !== undefined)
      return await this.#askLive({ key, requestHash, request: checked, askedAt: this.#clock.now() }, live);
    if (this.#asked.has(key)) throw duplicateKey(key, asker);
    this.#asked.add(key);
    const former = asks.of(name).get(key);
    if (former?.answer !== undefined && former.requestHash === requestHash)
      return unexpired(former.answer, former.request, asker);
    const isKnown = former?.requestHash === requestHash;
    this.#open.push(isKnown ? former : { key, requestHash, request: checked, askedAt: this.#clock.now() });
    this.#lookSoon();
    return await new Promise<AskAnswer>(() => undefined);
  };

  /** The time of the attempt without the waits for live requests. */
  get activity(): StillTime {
    return this.#activity;
  }

  async #askLive(ask: Ask, signal: AbortSignal): Promise<AskAnswer> {
    const { name, place, hub } = this.#job;
    const { asks, host } = place.scope.run;
    // A host that keeps steps repeats an attempt whose process has ended, which would ask again.
    if (host.keepsSteps === true || !asks.canBeAnswered) throw noLiveRequests();
    this.#activity.end();
    try {
      return await asks.live({ name, ask, hub, signal, clock: this.#clock });
    } finally {
      this.#activity.begin();
    }
  }

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
  readonly askOfTools: AskCapability = async (key, request, options) => {
    if (options?.live !== undefined) return await this.ask(key, request, options);
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

function noLiveRequests(): EngineError {
  const message = `${asker} needs an answer while it runs, but no person can answer here. Run the flow in a window or with the command line.`;
  return new EngineError({ code: 'ask.unavailable', message });
}

/** @throws EngineError `ask.bad-request` */
function checkedRequest(key: unknown, request: unknown): AskRequest {
  const copy = frozenCopy(request, mostRequestBytes);
  if (!copy.ok) throw badRequest([...copy.problem.path, copy.problem.message].join(' '), asker);
  return requestFrom(key, copy.value, asker);
}
