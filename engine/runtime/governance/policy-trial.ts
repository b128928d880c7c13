/**
 * Tests a policy against a recorded run's log and finds the effects that it would have denied.
 */
import { isJsonMap } from '../../language/json/json-value.ts';
import type { EffectRequest, EffectVerdict, RequestedEffect } from '../kernel/capabilities/effect.ts';
import { effects } from '../kernel/capabilities/effect.ts';
import type { EventEnvelope, RunEvent } from '../kernel/events/run-event.ts';
import { startedTask } from '../kernel/events/task-events.ts';
import type { ModelMessage } from '../kernel/models/model-capability.ts';
import { type BudgetLimits, breachOf, countUse, emptyBudgetUse, limitsOf, wordsOfBreach } from './budget.ts';
import { deniesPromptInjection, injectionRule, verdictOf } from './layered-policy.ts';
import type { PolicyLayer } from './policy-layer.ts';

/** An effect that a policy would have denied. */
export interface TriedRefusal {
  /** `seq` of the effect's event. */
  readonly seq: number;
  readonly rule: string;
  /** `<file>:<line>` */
  readonly place: string;
  /** The effect; `budget` for a budget. */
  readonly effect: string;
  /** The target; for a budget, its name. */
  readonly target: string;
  readonly reason: string;
}

/** Processes one run's events in order. */
export class PolicyTrial {
  readonly #layers: readonly PolicyLayer[];
  readonly #servers: ReadonlyMap<string, RequestedEffect>;
  readonly #limits: BudgetLimits | undefined;
  readonly #nodeTypes = new Map<string, string>();
  /** Run names by ID. */
  readonly #names = new Map<string, string>();
  /** Most recently called models, by run ID. */
  readonly #models = new Map<string, string>();
  readonly #use = emptyBudgetUse();
  #isOver = false;

  /** @param servers tool server effects for policies, by the prefix of the servers' tool names */
  constructor(layers: readonly PolicyLayer[], servers: ReadonlyMap<string, RequestedEffect> = new Map()) {
    this.#layers = layers;
    this.#servers = servers;
    this.#limits = limitsOf(layers);
  }

  take({ seq, runId, event }: EventEnvelope): readonly TriedRefusal[] {
    if (event.type === 'run:start') this.#names.set(runId, event.name);
    const started = startedTask(event);
    if (started?.nodeId !== undefined) this.#nodeTypes.set(`${runId} ${started.nodeId}`, started.nodeType ?? '');
    if (event.type === 'model:request') this.#models.set(runId, `${event.provider}::${event.model}`);
    const asked =
      event.type === 'node:input'
        ? effectOfNode(this.#nodeTypes.get(`${runId} ${event.nodeId}`), event.input)
        : (effectOf(event) ?? effectOfEnd(this.#names.get(runId), event));
    // A server's tools cannot be called if starting it or connecting to it is denied.
    const server = event.type === 'tool:attempt' ? this.#servers.get(event.tool.split('.')[0] ?? '') : undefined;
    const refused = this.#judged(event.type === 'tool:attempt' && event.attempt > 1 ? undefined : server, seq);
    const said = this.#signs({ seq, runId, event });
    return [...(refused.length > 0 ? refused : this.#judged(asked, seq)), ...said, ...this.#overBudget(event, seq)];
  }

  /** For model requests, the log contains the tool results and node prompts. */
  #signs({ seq, runId, event }: Pick<EventEnvelope, 'seq' | 'runId' | 'event'>): readonly TriedRefusal[] {
    if (!deniesPromptInjection(this.#layers)) return [];
    const nodeType = event.type === 'node:input' ? this.#nodeTypes.get(`${runId} ${event.nodeId}`) : undefined;
    const said = saidIn(event, nodeType);
    if (said === undefined) return [];
    const asked = {
      effect: 'model',
      target: this.#models.get(runId) ?? 'a model',
      said: { messages: [said] },
    } as const;
    return this.#judged(asked, seq).filter(({ rule }) => rule === injectionRule);
  }

  #judged(asked: RequestedEffect | undefined, seq: number): readonly TriedRefusal[] {
    if (asked === undefined) return [];
    for (const layer of this.#layers) {
      const verdict = verdictOf(layer, { ...nowhere, ...asked });
      if (verdict === undefined || !isRefusal(verdict, asked)) continue;
      const { rule, place = '', reason } = verdict;
      return [{ seq, rule, place, effect: asked.effect, target: asked.target, reason }];
    }
    return [];
  }

  /** Reported once, because the run would have ended at that point. */
  #overBudget(event: RunEvent, seq: number): readonly TriedRefusal[] {
    if (this.#limits === undefined || this.#isOver) return [];
    countUse(this.#use, event, this.#limits);
    const breach = breachOf(this.#use, event, this.#limits);
    if (breach === undefined) return [];
    this.#isOver = true;
    const { place, budget: target } = breach;
    return [{ seq, ...wordsOfBreach(breach), place, effect: 'budget', target }];
  }
}

/** Tool calls can wait for a person; all other effects that require approval are denied. */
function isRefusal({ decision }: EffectVerdict, { effect }: RequestedEffect): boolean {
  return decision === 'deny' || (decision === 'ask' && effect !== 'tool');
}

const nowhere: Omit<EffectRequest, 'effect' | 'target'> = {
  place: 'elsewhere',
  workspace: '',
  isTrusted: true,
  isDry: false,
  actor: 'node',
};

function effectOf(event: RunEvent): RequestedEffect | undefined {
  switch (event.type) {
    case 'model:request':
      return { effect: 'model', target: `${event.provider}::${event.model}` };
    case 'tool:attempt':
      return event.attempt === 1 ? { effect: 'tool', target: event.tool } : undefined;
    case 'governance:decision': {
      // Tools and models have their own events, regardless of which rule allowed them.
      const effect = effects.find((one) => one === event.effect && one !== 'tool' && one !== 'model');
      return event.allowed && effect !== undefined ? { effect, target: event.target } : undefined;
    }
    default:
      return undefined;
  }
}

function saidIn(event: RunEvent, nodeType: string | undefined): ModelMessage | undefined {
  if (event.type === 'agent:tool:complete') {
    const { callKey: toolCallId, toolName, result } = event;
    return typeof result === 'string' ? { role: 'tool', toolCallId, toolName, content: result } : undefined;
  }
  if (event.type !== 'node:input' || nodeType !== 'prompt' || !isJsonMap(event.input as never)) return undefined;
  const { prompt, messages } = event.input as Readonly<Record<string, unknown>>;
  // `messages` may come from the model itself or from the flow. A plain string is the flow's prompt.
  return typeof prompt === 'string' && messages === undefined ? { role: 'user', content: prompt } : undefined;
}

function effectOfEnd(target: string | undefined, event: RunEvent): RequestedEffect | undefined {
  if (event.type !== 'run:end' || event.output === undefined || target === undefined) return undefined;
  return { effect: 'output', target, value: event.output };
}

/** Node effects specified in the flow's own text appear only in node inputs. */
const ofNodes: Readonly<Record<string, { readonly effect: RequestedEffect['effect']; readonly key: string }>> = {
  'http.request': { effect: 'web', key: 'url' },
  'file.read': { effect: 'read', key: 'path' },
  'file.write': { effect: 'write', key: 'path' },
};

function effectOfNode(type: string | undefined, input: unknown): RequestedEffect | undefined {
  const known = type === undefined ? undefined : ofNodes[type];
  if (known === undefined || !isJsonMap(input as never)) return undefined;
  const target = (input as Readonly<Record<string, unknown>>)[known.key];
  return typeof target === 'string' ? { effect: known.effect, target } : undefined;
}
