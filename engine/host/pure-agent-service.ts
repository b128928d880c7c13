/**
 * Agents of the contract pure in an engine: those that the program has registered, and those of products.
 */
import { AgentRegistry } from '../agent/pure/agent-registry.ts';
import { type AgentClass, classAgent } from '../agent/pure/class-agent.ts';
import { createPureAgents } from '../agent/pure/run-pure-agent.ts';
import type { PureAgentsCapability } from '../kernel/pure-agents-capability.ts';

/** What a program may say of them. */
export interface PureAgentOptions {
  /** Classes that extend `BaseAgent`, or functions that make an instance: agents for steps of flows, by their own names. */
  readonly agents?: readonly AgentClass[];
}

export interface PureAgentService {
  /** Whoever reads products puts their agents here. */
  readonly registry: AgentRegistry;
  readonly pureAgents: PureAgentsCapability;
}

/** Registers the program's agents. @throws EngineError `agent.no-base-agent` | `agent.bad-name` | `agent.duplicate` */
export function createPureAgentService({ agents = [] }: PureAgentOptions): PureAgentService {
  const registry = new AgentRegistry();
  for (const agent of agents) registry.register(classAgent(agent, 'the program'));
  return { registry, pureAgents: createPureAgents(registry) };
}
