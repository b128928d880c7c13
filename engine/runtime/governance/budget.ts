/**
 * The budget of a run including everything it calls, or of a conversation turn, computed by folding over its log
 * events.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { EventEnvelope, RunEvent } from '../kernel/events/run-event.ts';
import { overBudgetCode } from '../kernel/hub/cancel-scope.ts';
import type { AnswerMisfit } from '../kernel/requests/answer-fields.ts';
import { type PolicyLayer, policyLineLabel } from './policy-layer.ts';

/** Cumulative budgets. */
const usedUp = ['steps', 'toolCalls', 'tokens', 'costUsd'] as const;

/** All budgets. */
const budgets = [...usedUp, 'payloadBytes'] as const;

export type BudgetName = (typeof budgets)[number];

const keys = {
  steps: 'max_steps',
  toolCalls: 'max_tool_calls',
  tokens: 'max_tokens_per_run',
  costUsd: 'max_cost_usd_per_run',
  payloadBytes: 'max_payload_bytes',
} as const;

/** The names used as reasons for refusals. */
const rules = {
  steps: 'step_limit_exceeded',
  toolCalls: 'tool_call_limit_exceeded',
  tokens: 'run_token_budget_exceeded',
  costUsd: 'run_cost_budget_exceeded',
  payloadBytes: 'payload_limit_exceeded',
} as const;

export interface BudgetLimit {
  readonly limit: number;
  /** `<file>:<line>` */
  readonly place: string;
}

export type BudgetLimits = Readonly<Partial<Record<BudgetName, BudgetLimit>>>;

/** Returns the lowest limits across all policies; undefined if there are none. */
export function limitsOf(layers: readonly PolicyLayer[]): BudgetLimits | undefined {
  const limits: Partial<Record<BudgetName, BudgetLimit>> = {};
  for (const layer of layers) {
    for (const name of budgets) {
      const said = layer.policy?.limits[keys[name]];
      if (said === undefined || said.value >= (limits[name]?.limit ?? Number.POSITIVE_INFINITY)) continue;
      limits[name] = { limit: said.value, place: policyLineLabel(layer, said.line) };
    }
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/**
 * Returns why an answer may not be passed to a run: it exceeds the maximum payload size, which would end the run.
 * Returns undefined if it may.
 */
export function misfitOfSize(answer: JsonValue, layers: readonly PolicyLayer[]): AnswerMisfit | undefined {
  const largest = limitsOf(layers)?.payloadBytes;
  if (largest === undefined) return undefined;
  const { limit, place } = largest;
  const bytes = bytesOf(answer);
  if (bytes <= limit) return undefined;
  const code = 'user_input_payload_limit_exceeded';
  return { code, message: `The answer has ${bytes} bytes, but the limit is ${limit} (rule ${code}, ${place}).` };
}

/** The usage so far. Updated in place, because copying it for each step of a run would be too slow. */
export interface BudgetUse {
  steps: number;
  toolCalls: number;
  tokens: number;
  costUsd: number;
  /** Size of the largest payload. */
  payloadBytes: number;
}

export function emptyBudgetUse(): BudgetUse {
  return { steps: 0, toolCalls: 0, tokens: 0, costUsd: 0, payloadBytes: 0 };
}

function sumOf(former: BudgetUse, later: BudgetUse): BudgetUse {
  return {
    steps: former.steps + later.steps,
    toolCalls: former.toolCalls + later.toolCalls,
    tokens: former.tokens + later.tokens,
    costUsd: former.costUsd + later.costUsd,
    payloadBytes: Math.max(former.payloadBytes, later.payloadBytes),
  };
}

/** Types of events that contain usage. Most events have none, and checking each one would be too slow. */
const countedEvents: ReadonlySet<string> = new Set<RunEvent['type']>([
  'task:start',
  'node:retry',
  'tool:attempt',
  'run:start',
  'input:received',
  'approval:resolved',
  'model:request',
  'model:response',
]);

/** Adds the usage in an event. Results that are replayed, reused, or repeated after a crash are not counted again. */
export function countUse(use: BudgetUse, event: RunEvent, limits: BudgetLimits): void {
  switch (event.type) {
    case 'task:start':
      if (event.resumed !== true) use.steps += 1;
      return;
    case 'tool:attempt':
      if (event.attempt === 1) use.toolCalls += 1;
      measure(use, event.params, limits);
      return;
    case 'run:start':
      measure(use, event.inputs, limits);
      return;
    case 'input:received':
    case 'approval:resolved':
      measure(use, event.payload, limits);
      return;
    case 'model:response': {
      if (event.fromCassette === true) return;
      const { promptTokens = 0, completionTokens = 0 } = event.usage ?? {};
      use.tokens += promptTokens + completionTokens;
      use.costUsd += event.costUsd ?? 0;
      return;
    }
    default:
  }
}

/** Only if there is a limit, because measuring a value is as expensive as writing it. */
function measure(use: BudgetUse, value: JsonValue | undefined, limits: BudgetLimits): void {
  if (limits.payloadBytes === undefined || value === undefined) return;
  use.payloadBytes = Math.max(use.payloadBytes, bytesOf(value));
}

/** Returns the size of the JSON text in UTF-8 bytes. */
export function bytesOf(value: JsonValue): number {
  if (isValueHandle(value)) return value.bytes;
  const text = JSON.stringify(value);
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // The two halves of a surrogate pair take four bytes together.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** An exhausted budget. */
export interface BudgetBreach extends BudgetLimit {
  readonly budget: BudgetName;
  readonly used: number;
}

/**
 * Returns the budget that an event exceeds, or the exhausted budget that a model request would use.
 * @param use usage including the event
 */
export function breachOf(use: BudgetUse, event: RunEvent, limits: BudgetLimits): BudgetBreach | undefined {
  for (const budget of budgets) {
    const limit = limits[budget];
    if (limit === undefined) continue;
    const used = use[budget];
    const isSpent =
      event.type === 'model:request' && used >= limit.limit && (budget === 'tokens' || budget === 'costUsd');
    if (used > limit.limit || isSpent) return { ...limit, budget, used };
  }
  return undefined;
}

const words: Readonly<Record<BudgetName, (used: number, limit: number) => string>> = {
  steps: (used, limit) => `would take step ${used}, but the limit is ${limit}`,
  toolCalls: (used, limit) => `would make tool call ${used}, but the limit is ${limit}`,
  tokens: (used, limit) => `has used ${used} model tokens, but the limit is ${limit}`,
  costUsd: (used, limit) => `has cost ${used} US dollars, but the limit is ${limit}`,
  payloadBytes: (used, limit) => `received ${used} bytes at once, but the limit is ${limit}`,
};

const aRun = 'The run';

/**
 * Returns the rule and the reason for display, without a period. @param who the user of the budget, as the start of a
 * sentence
 */
export function wordsOfBreach(
  { budget, used, limit }: BudgetBreach,
  who: string = aRun,
): {
  readonly rule: string;
  readonly reason: string;
} {
  return { rule: rules[budget], reason: `${who} ${words[budget](used, limit)}` };
}

/** Creates the error that ends the run or turn whose budget is exhausted. */
function budgetExceeded(breach: BudgetBreach, who: string): EngineError {
  const { budget, used, limit, place } = breach;
  return new EngineError({
    code: overBudgetCode,
    message: `${wordsOfBreach(breach, who).reason} (rule ${rules[budget]}, ${place}).`,
    details: { budget, used, limit, place, rule: rules[budget] },
  });
}

/** The environment of a meter for one run or one conversation turn. */
interface MeterWorld {
  /** The user of the budget, as the start of a sentence; a run if absent. */
  readonly who?: string;
  /** Returns the current limits, because policies may change during a run. */
  readonly limits: () => BudgetLimits | undefined;
  /** Called once, with `budget.exceeded`. */
  readonly stop: (error: EngineError, breach: BudgetBreach) => void;
  /** Returns the events of an earlier process in this run; called once, if there are limits. */
  readonly former?: () => Iterable<Pick<EventEnvelope, 'event' | 'rootRunId'>>;
}

const noLimits: BudgetLimits = {};

/** Tracks the usage of a run including everything it calls, or of a turn's own requests. */
export class BudgetMeter {
  readonly #world: MeterWorld;
  #use = emptyBudgetUse();
  /** Usage when the latest attempt of one of the run's own nodes started; undefined before the first attempt. */
  #atAttempt: BudgetUse | undefined;
  #former: MeterWorld['former'];
  #isOver = false;

  constructor(world: MeterWorld) {
    this.#world = world;
    this.#former = world.former;
  }

  /** Counts one of the run's events. @param isOfCalled whether it belongs to a child run */
  take(event: RunEvent, isOfCalled: boolean): void {
    if (!countedEvents.has(event.type)) return;
    const limits = this.#limits();
    this.#count(event, isOfCalled, limits ?? noLimits);
    if (limits === undefined || this.#isOver) return;
    const breach = breachOf(this.#use, event, limits);
    if (breach === undefined) return;
    this.#isOver = true;
    this.#world.stop(budgetExceeded(breach, this.#world.who ?? aRun), breach);
  }

  /**
   * Returns the amounts left when a node's latest attempt started, by budget name. The values are the same when that
   * attempt is called again, whatever it had used before it was interrupted.
   */
  left(): Readonly<Record<string, number>> {
    const limits = this.#limits() ?? noLimits;
    return Object.fromEntries(
      usedUp.flatMap((name) => {
        const { limit } = limits[name] ?? {};
        return limit === undefined ? [] : [[name, Math.max(0, limit - (this.#atAttempt ?? this.#use)[name])]];
      }),
    );
  }

  /** Includes earlier processes' usage as soon as there is a limit. */
  #limits(): BudgetLimits | undefined {
    const limits = this.#world.limits();
    const former = limits === undefined ? undefined : this.#former;
    if (limits === undefined || former === undefined) return limits;
    this.#former = undefined;
    const [own, ownAttempt] = [this.#use, this.#atAttempt];
    this.#use = emptyBudgetUse();
    for (const { event, rootRunId } of former()) this.#count(event, rootRunId !== undefined, limits);
    if (ownAttempt !== undefined) this.#atAttempt = sumOf(this.#use, ownAttempt);
    this.#use = sumOf(this.#use, own);
    return limits;
  }

  #count(event: RunEvent, isOfCalled: boolean, limits: BudgetLimits): void {
    countUse(this.#use, event, limits);
    const begins = (event.type === 'task:start' && event.resumed !== true) || event.type === 'node:retry';
    if (begins && !isOfCalled) this.#atAttempt = { ...this.#use };
  }
}
