/**
 * Agents of the contract pure by name, with whom they may work for.
 */
import { EngineError } from '../../base/engine-error.ts';
import { didYouMean } from '../../flowspec/nearest.ts';
import type { AgentKind, PureAgentScope, StepContext } from '../../kernel/pure-agents-capability.ts';
import type { CheckedResult } from './agent-result.ts';

/** An agent that can be run, however it is written. */
export interface RegisteredAgent {
  /** `<product>.<agent>`; `core.<agent>` works for every product, and so does a name without a product. */
  readonly name: string;
  readonly kind: AgentKind;
  /** For people: its file, relative to the workspace, or who has registered it. */
  readonly origin: string;
  /** Whoever runs it tells `agent:start` and its end. */
  readonly tellsItself?: true;
  /**
   * Runs it once, with nothing left of a run before.
   * @param step frozen at every depth
   * @throws whatever the agent throws, or the signal's reason
   */
  run(step: StepContext, scope: PureAgentScope): Promise<CheckedResult>;
}

/** What everybody may use. */
const coreProduct = 'core';

/** The product whose agent it is; undefined = nobody's in particular. */
export function productOfAgent(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : name.slice(0, dot);
}

/** Agents of the contract pure, by name. What is asked for counts at that moment: products may be read anew at any time. */
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
        message: `There are two agents named "${name}": ${former.origin} and ${origin}. Rename one of them.`,
        details: { name, origins: [former.origin, origin] },
      });
    }
    this.#agents.set(name, agent);
  }

  /**
   * Puts agents in the place of those that a product had. Its own names stand behind `<product>.`, also where an agent leaves that out.
   * @returns what is wrong: `agent.duplicate`, `agent.bad-name`, `agent.isolated` for a name of another product. Such an agent is left out
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

  /** In the order of their names. */
  list(): readonly RegisteredAgent[] {
    return [...this.#agents.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /**
   * The agent that a step means: a bare name is the own product's agent first, then that of core or of the program.
   * @param name as the step names it
   * @param product whose flow it is; undefined = it lies in no product
   * @returns undefined = there is none
   * @throws EngineError `agent.isolated` when it is another product's
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

  /** As `find`. @throws EngineError `agent.not-found` too */
  get(name: string, product: string | undefined): RegisteredAgent {
    const agent = this.find(name, product);
    if (agent !== undefined) return agent;
    const reachable = [...this.#agents.keys()].filter((known) => isReachable(productOfAgent(known), product));
    const hint = didYouMean(name, reachable);
    throw new EngineError({
      code: 'agent.not-found',
      message: `There is no agent "${name}"${product === undefined ? '' : ` for the product "${product}"`}.${hint}`,
    });
  }
}

function badName({ name, origin }: RegisteredAgent): EngineError {
  return new EngineError({
    code: 'agent.bad-name',
    message: `${origin}: ${JSON.stringify(name)} is no name for an agent: use letters, digits, "_" and "-", and a dot behind the product, as in "shop.planner".`,
  });
}

/** @param product whose flow asks; flows that lie in no product reach all */
function isReachable(owner: string | undefined, product: string | undefined): boolean {
  return product === undefined || owner === undefined || owner === product || owner === coreProduct;
}

function isolated(name: string, owner: string, product: string | undefined): EngineError {
  return new EngineError({
    code: 'agent.isolated',
    message: `The agent "${name}" belongs to the product "${owner}", and a flow of "${product}" reaches only its own agents and those of core.`,
    details: { agent: name, owner, product },
  });
}

function foreignName({ name, origin }: RegisteredAgent, product: string): EngineError {
  return new EngineError({
    code: 'agent.isolated',
    message: `${origin}: an agent of the product "${product}" cannot be named "${name}": its name begins with "${product}.".`,
    details: { agent: name, product },
  });
}
