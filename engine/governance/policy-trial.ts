/**
 * A policy tried on the log of a run that has been: which of its effects it would have refused.
 */
import { isJsonMap } from '../flowspec/json-value.ts';
import type { AskedEffect, EffectRequest, EffectVerdict } from '../kernel/effect.ts';
import { effects } from '../kernel/effect.ts';
import type { ModelMessage } from '../kernel/model-capability.ts';
import type { EventEnvelope, RunEvent } from '../kernel/run-event.ts';
import { startedTask } from '../kernel/task-events.ts';
import { type BudgetLimits, breachOf, countUse, limitsOf, nothingUsed, wordsOfBreach } from './budget.ts';
import { injectionRule, looksForSigns, verdictOf } from './layered-policy.ts';
import type { PolicyLayer } from './policy-layer.ts';

/** Something that a policy would have refused. */
export interface TriedRefusal {
  /** Of the event that tells of it. */
  readonly seq: number;
  readonly rule: string;
  /** `<file>:<line>` */
  readonly place: string;
  /** For a budget `budget`. */
  readonly effect: string;
  /** For a budget its name. */
  readonly target: string;
  readonly reason: string;
}

/** Takes the events of one run in their order. */
export class PolicyTrial {
  readonly #layers: readonly PolicyLayer[];
  readonly #servers: ReadonlyMap<string, AskedEffect>;
  readonly #limits: BudgetLimits | undefined;
  readonly #nodeTypes = new Map<string, string>();
  /** Of runs, by their ids. */
  readonly #names = new Map<string, string>();
  /** Those that were asked last, by the ids of runs. */
  readonly #models = new Map<string, string>();
  readonly #use = nothingUsed();
  #isOver = false;

  /** @param servers what servers of tools are to policies, by what the names of their tools begin with */
  constructor(layers: readonly PolicyLayer[], servers: ReadonlyMap<string, AskedEffect> = new Map()) {
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
    // No tool of a server is called that may not be started or spoken to.
    const server = event.type === 'tool:attempt' ? this.#servers.get(event.tool.split('.')[0] ?? '') : undefined;
    const refused = this.#judged(event.type === 'tool:attempt' && event.attempt > 1 ? undefined : server, seq);
    const said = this.#signs({ seq, runId, event });
    return [...(refused.length > 0 ? refused : this.#judged(asked, seq)), ...said, ...this.#overBudget(event, seq)];
  }

  /** Of what models were asked the log has what tools gave them, and what nodes asked them. */
  #signs({ seq, runId, event }: Pick<EventEnvelope, 'seq' | 'runId' | 'event'>): readonly TriedRefusal[] {
    if (!looksForSigns(this.#layers)) return [];
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

  #judged(asked: AskedEffect | undefined, seq: number): readonly TriedRefusal[] {
    if (asked === undefined) return [];
    for (const layer of this.#layers) {
      const verdict = verdictOf(layer, { ...nowhere, ...asked });
      if (verdict === undefined || !isRefusal(verdict, asked)) continue;
      const { rule, place = '', reason } = verdict;
      return [{ seq, rule, place, effect: asked.effect, target: asked.target, reason }];
    }
    return [];
  }

  /** Once: there the run would have ended. */
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

/** Calls of tools can wait for a person; whatever else would have to is refused. */
function isRefusal({ decision }: EffectVerdict, { effect }: AskedEffect): boolean {
  return decision === 'deny' || (decision === 'ask' && effect !== 'tool');
}

const nowhere: Omit<EffectRequest, 'effect' | 'target'> = {
  place: 'elsewhere',
  workspace: '',
  isTrusted: true,
  isDry: false,
  actor: 'node',
};

function effectOf(event: RunEvent): AskedEffect | undefined {
  switch (event.type) {
    case 'model:request':
      return { effect: 'model', target: `${event.provider}::${event.model}` };
    case 'tool:attempt':
      return event.attempt === 1 ? { effect: 'tool', target: event.tool } : undefined;
    case 'governance:decision': {
      // Of tools and models other events tell, whoever allowed them.
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
  // What stands in `messages` may be the model's own, or the flow's: a text alone is what the flow asks.
  return typeof prompt === 'string' && messages === undefined ? { role: 'user', content: prompt } : undefined;
}

function effectOfEnd(target: string | undefined, event: RunEvent): AskedEffect | undefined {
  if (event.type !== 'run:end' || event.output === undefined || target === undefined) return undefined;
  return { effect: 'output', target, value: event.output };
}

/** What nodes do by the flow's own text is told by their inputs alone. */
const ofNodes: Readonly<Record<string, { readonly effect: AskedEffect['effect']; readonly key: string }>> = {
  'http.request': { effect: 'web', key: 'url' },
  'file.read': { effect: 'read', key: 'path' },
  'file.write': { effect: 'write', key: 'path' },
};

function effectOfNode(type: string | undefined, input: unknown): AskedEffect | undefined {
  const known = type === undefined ? undefined : ofNodes[type];
  if (known === undefined || !isJsonMap(input as never)) return undefined;
  const target = (input as Readonly<Record<string, unknown>>)[known.key];
  return typeof target === 'string' ? { effect: known.effect, target } : undefined;
}
