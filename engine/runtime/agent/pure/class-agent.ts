/**
 * Agents that a host program registers as classes. They run in the host's process with full access to it, but the
 * engine passes them no capabilities, and each run uses a new instance.
 */
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import { frozenCopy } from '../../../language/json/checked-json.ts';
import { agentKinds } from '../../kernel/capabilities/pure-agents-capability.ts';
import type { RegisteredAgent } from './agent-registry.ts';
import { checkResult, refusalOfThrown, withSpent } from './agent-result.ts';
import { BaseAgent } from './base-agent.ts';
import { createPowers } from './reasoner.ts';

/**
 * A class that extends `BaseAgent`, or, if its constructor has parameters, a function that creates an instance. An
 * instance represents its class: each run gets a new one, with the public fields that this instance had when it was
 * registered.
 */
export type AgentClass = (new () => BaseAgent) | (() => BaseAgent) | BaseAgent;

type AgentMaker = Exclude<AgentClass, BaseAgent>;

/**
 * Creates an agent from a class. The class is instantiated once to read its name.
 * @param origin the code that registers it, for messages
 * @throws EngineError `agent.no-base-agent` if it does not extend `BaseAgent`, has no `name`, or no `run`
 */
export function classAgent(registered: AgentClass, origin: string): RegisteredAgent {
  const given = registered instanceof BaseAgent ? makerLike(registered, origin) : registered;
  const { name, kind } = sampleOf(given, origin);
  return {
    ...{ name, kind, origin },
    async run(step, scope) {
      const powers = createPowers(scope);
      try {
        const { reasoner, trace } = powers;
        const result: unknown = await instanceOf(given).run(Object.freeze({ ...step, reasoner, trace }));
        return withSpent(checkResult(result), powers.spent());
      } catch (thrown) {
        if (scope.signal.aborted) throw scope.signal.reason;
        return refusalOfThrown(thrown);
      } finally {
        powers.close();
      }
    },
  };
}

function sampleOf(given: unknown, origin: string): BaseAgent {
  if (typeof given !== 'function') throw notAnAgent(origin, 'the value is not a class');
  let sample: unknown;
  try {
    sample = instanceOf(given as AgentMaker);
  } catch (thrown) {
    throw notAnAgent(origin, `${nameOf(given)} cannot be created: ${toErrorRecord(thrown).message}`);
  }
  if (!(sample instanceof BaseAgent)) throw notAnAgent(origin, `${nameOf(given)} does not extend BaseAgent`);
  const { name, run, kind } = sample as { readonly name?: unknown; readonly run?: unknown; readonly kind?: unknown };
  if (typeof name !== 'string' || name === '')
    throw notAnAgent(origin, `${nameOf(given)} has no name: set name = "product.agent"`);
  if (typeof run !== 'function') throw notAnAgent(origin, `${nameOf(given)} has no method run(step)`);
  if (!agentKinds.some((known) => known === kind)) {
    throw notAnAgent(
      origin,
      `${nameOf(given)} has the kind ${JSON.stringify(kind)}, which must be one of ${agentKinds.join(', ')}`,
    );
  }
  return sample;
}

/**
 * Returns a function that creates instances like this one. The original constructor arguments are unknown.
 * @throws EngineError `agent.no-base-agent` if the constructor has parameters
 */
function makerLike(instance: BaseAgent, origin: string): AgentMaker {
  const ofClass = instance.constructor as new () => BaseAgent;
  if (ofClass.length > 0) {
    const name = nameOf(ofClass);
    throw notAnAgent(
      origin,
      `the value is an instance of ${name}, and its constructor has parameters. Pass a function that creates one: () => new ${name}(…)`,
    );
  }
  const fields = Object.entries(instance).map(([key, value]) => [key, copyOf(value)] as const);
  return () => Object.assign(new ofClass(), Object.fromEntries(fields.map(([key, value]) => [key, copyOf(value)])));
}

/** Values that are not data, such as functions, are shared. */
function copyOf(value: unknown): unknown {
  return frozenCopy(value).ok ? JSON.parse(JSON.stringify(value)) : value;
}

function instanceOf(given: AgentMaker): BaseAgent {
  return isClass(given) ? new given() : given();
}

/** Whether the value is a class. Whether it extends `BaseAgent` is checked after instantiation. */
function isClass(given: AgentMaker): given is new () => BaseAgent {
  return given.prototype instanceof BaseAgent || /^class\b/.test(Function.prototype.toString.call(given));
}

function nameOf(given: unknown): string {
  const { name } = given as { readonly name?: unknown };
  return typeof name === 'string' && name !== '' ? name : 'the class';
}

function notAnAgent(origin: string, why: string): EngineError {
  return new EngineError({
    code: 'agent.no-base-agent',
    message: `${origin}: no agent was registered, because ${why}.`,
  });
}
