/**
 * Registers pure agents by name, and the products that may use them.
 */
import { EngineError } from '../../../base/engine-error.ts';
import { didYouMean } from '../../../language/findings/nearest.ts';
import type { AgentKind, PureAgentScope, StepContext } from '../../kernel/capabilities/pure-agents-capability.ts';
import type { CheckedResult } from './agent-result.ts';

/** An agent that can be run, whether defined in a file or in code. */
export interface RegisteredAgent {
  /** `<product>.<agent>`. Agents named `core.<agent>` and agents without a product are available to every product. */
  readonly name: string;
  readonly kind: AgentKind;
  /** Origin for display: the agent's file, relative to the workspace, or the code that registered it. */
  readonly origin: string;
  /** Whether the agent itself emits `agent:start` and its end event. */
  readonly tellsItself?: true;
  /**
   * Runs the agent once, without state from earlier runs.
   * @param step frozen at every depth
   * @throws any error of the agent, or the signal's reason
   */
  run(step: StepContext, scope: PureAgentScope): Promise<CheckedResult>;
}

/** The product whose agents are available to all products. */
const coreProduct = 'core';

/** Returns an agent's product; undefined if it has none. */
export function productOfAgent(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : name.slice(0, dot);
}

/** Pure agents by name. Lookups use the current state, because products may be reloaded at any time. */
export class AgentRegistry {
  readonly #agents = new Map<string, RegisteredAgent>();
  readonly #ofProducts = new Map<string, ReadonlySet<string>>();

  /** @throws EngineError `agent.duplicate` | `agent.bad-name` */
  register(agent: RegisteredAgent): void {
    const { name, origin } = agent;
    if (!/^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u.test(name)) throw badName(agent);
    const former = this.#agents.get(name);
    if (former !== undefined) {
      throw new EngineError({
        code: 'agent.duplicate',
        message: `Two agents are named "${name}": ${former.origin} and ${origin}. Rename one of them.`,
        details: { name, origins: [former.origin, origin] },
      });
    }
    this.#agents.set(name, agent);
  }

  /**
   * Replaces a product's agents. Adds the prefix `<product>.` to names that lack it.
   * @returns errors: `agent.duplicate`, `agent.bad-name`, `agent.isolated` for a name that belongs to another product.
   * Such agents are omitted
   */
  setProduct(product: string, agents: readonly RegisteredAgent[]): readonly EngineError[] {
    for (const name of this.#ofProducts.get(product) ?? []) this.#agents.delete(name);
    const names = new Set<string>();
    this.#ofProducts.set(product, names);
    return agents.flatMap((agent) => {
      const owner = productOfAgent(agent.name);
      const name = owner === undefined ? `${product}.${agent.name}` : agent.name;
      try {
        if (owner !== undefined && owner !== product) throw foreignName(agent, product);
        this.register(owner === undefined ? { ...agent, name } : agent);
        names.add(name);
        return [];
      } catch (thrown) {
        if (EngineError.is(thrown)) return [thrown];
        throw thrown;
      }
    });
  }

  /** Returns the agents sorted by name. */
  list(): readonly RegisteredAgent[] {
    return [...this.#agents.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /**
   * Finds the agent for a step. A name without a product refers to an agent of the flow's own product first, then to a
   * core agent or one registered by the program.
   * @param name name used in the step
   * @param product the flow's product; undefined if it has none
   * @returns undefined if there is none
   * @throws EngineError `agent.isolated` if it belongs to another product
   */
  find(name: string, product: string | undefined): RegisteredAgent | undefined {
    const owner = productOfAgent(name);
    if (owner === undefined) {
      const own = product === undefined ? undefined : this.#agents.get(`${product}.${name}`);
      return own ?? this.#agents.get(`${coreProduct}.${name}`) ?? this.#agents.get(name);
    }
    if (!isReachable(owner, product)) throw isolated(name, owner, product);
    return this.#agents.get(name);
  }

  /** Like `find`, but never returns undefined. @throws EngineError `agent.not-found` as well */
  get(name: string, product: string | undefined): RegisteredAgent {
    const agent = this.find(name, product);
    if (agent !== undefined) return agent;
    const reachable = [...this.#agents.keys()].filter((known) => isReachable(productOfAgent(known), product));
    const hint = didYouMean(name, reachable);
    throw new EngineError({
      code: 'agent.not-found',
      message: `Agent "${name}" does not exist${product === undefined ? '' : ` for the product "${product}"`}.${hint}`,
    });
  }
}

function badName({ name, origin }: RegisteredAgent): EngineError {
  return new EngineError({
    code: 'agent.bad-name',
    message: `${origin}: ${JSON.stringify(name)} is not a valid agent name: use letters, digits, "_" and "-", and a dot after the product, as in "shop.planner".`,
  });
}

/** @param product the flow's product; flows without a product can use all agents */
function isReachable(owner: string | undefined, product: string | undefined): boolean {
  return product === undefined || owner === undefined || owner === product || owner === coreProduct;
}

function isolated(name: string, owner: string, product: string | undefined): EngineError {
  return new EngineError({
    code: 'agent.isolated',
    message: `The agent "${name}" belongs to the product "${owner}", but flows of "${product}" can only use their own agents and those of core.`,
    details: { agent: name, owner, product },
  });
}

function foreignName({ name, origin }: RegisteredAgent, product: string): EngineError {
  return new EngineError({
    code: 'agent.isolated',
    message: `${origin}: an agent of the product "${product}" cannot be named "${name}": its name must begin with "${product}.".`,
    details: { agent: name, product },
  });
}
