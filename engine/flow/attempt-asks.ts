/**
 * What one call of a node's `run` asks: it gets the answers that there are, and ends where one is missing.
 */
import { EngineError } from '../base/engine-error.ts';
import { frozenCopy } from '../flowspec/checked-json.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { type Ask, type AskAnswer, type AskCapability, type AskRequest, canonicalText } from '../kernel/ask.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { NodeJob } from './node-job.ts';

/** In UTF-16 units. */
const longestKey = 200;
const longestTitle = 2000;
/** Of JSON text. */
const mostBytes = 1024 * 1024;

export class AttemptAsks {
  readonly #job: NodeJob;
  readonly #asked = new Set<string>();
  readonly #open: Ask[] = [];
  #underWay = 0;
  #end: (unanswered: object) => void = () => undefined;
  readonly #unanswered = {};
  /** Rejects when a question has no answer and nothing else of the call is under way. */
  readonly unanswered = new Promise<never>((_resolve, reject) => {
    this.#end = reject;
  });

  constructor(job: NodeJob) {
    this.#job = job;
    // Whoever waits for it hears of it.
    this.unanswered.catch(() => undefined);
  }

  readonly ask: AskCapability = async (key, request) => {
    const { name, place } = this.#job;
    const { asks, clock, capabilities } = place.scope.run;
    const checked = checkedRequest(key, request);
    if (this.#asked.has(key)) throw duplicateKey(key);
    this.#asked.add(key);
    const text = canonicalText(checked as unknown as JsonValue);
    const requestHash = capabilities.hash?.sha256(text) ?? text;
    const former = asks.of(name).get(key);
    if (former?.answer !== undefined && former.requestHash === requestHash) return former.answer;
    const isKnown = former?.requestHash === requestHash;
    this.#open.push(isKnown ? former : { key, requestHash, request: checked, askedAt: clock.now() });
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
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    throw badRequest(`its key has to be a text of 1 to ${longestKey} characters`);
  }
  const copy = frozenCopy(request, mostBytes);
  if (!copy.ok) throw badRequest([...copy.problem.path, copy.problem.message].join(' '));
  // A copy of JSON, whose shape is looked at here.
  const { kind, title, schema } = copy.value as { kind?: unknown; title?: unknown; schema?: unknown };
  if (kind !== 'approval' && kind !== 'input') throw badRequest('its kind is neither approval nor input');
  if (typeof title !== 'string' || title.trim() === '' || title.length > longestTitle) {
    throw badRequest(`its title has to be a text of 1 to ${longestTitle.toLocaleString('en')} characters`);
  }
  const isMap = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  if (kind === 'input' && !isMap) throw badRequest('it asks for values and has no schema of them');
  return copy.value as unknown as AskRequest;
}

function badRequest(problem: string): EngineError {
  return new EngineError({
    code: 'ask.bad-request',
    message: `The node asks a person in a way that cannot be shown: ${problem}.`,
  });
}

function duplicateKey(key: string): EngineError {
  const message = `The node asks twice under the key "${key}". Give each question a key of its own.`;
  return new EngineError({ code: 'ask.duplicate-key', message });
}
