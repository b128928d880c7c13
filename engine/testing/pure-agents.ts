/**
 * Runs agents with the pure contract like those of a program, on a hub that records their events.
 */

import { asRunId } from '../base/ids.ts';
import type { JsonMap } from '../language/json/json-value.ts';
import { AgentRegistry } from '../runtime/agent/pure/agent-registry.ts';
import { type AgentStep, BaseAgent } from '../runtime/agent/pure/base-agent.ts';
import { type AgentClass, classAgent } from '../runtime/agent/pure/class-agent.ts';
import { createPureAgents } from '../runtime/agent/pure/run-pure-agent.ts';
import type { AgentResult as Result, StepContext } from '../runtime/kernel/capabilities/pure-agents-capability.ts';
import type { RunEvent } from '../runtime/kernel/events/run-event.ts';
import type { Hub } from '../runtime/kernel/hub/hub.ts';
import type { ModelReply, ModelRequest } from '../runtime/kernel/models/model-capability.ts';
import { createFakeCapabilities } from './fake-capabilities.ts';
import { createManualClock } from './manual-clock.ts';

const emptyStep: StepContext = {
  params: {},
  payload: {},
  artifacts: {},
  constraints: { autonomyLevel: 'semi_auto', attempt: 1, maxAttempts: 1, budgetsLeft: {} },
};

export interface PureAgentRunning {
  readonly step?: Partial<StepContext>;
  readonly reply?: (request: ModelRequest) => ModelReply;
  readonly signal?: AbortSignal;
  readonly name?: string;
}

export interface RanPureAgent {
  readonly result: Result;
  readonly events: readonly RunEvent[];
  readonly asked: readonly ModelRequest[];
}

/** Runs agents that are registered like those of a program. */
export function pureAgentWorld(...agents: readonly AgentClass[]) {
  const registry = new AgentRegistry();
  for (const agent of agents) registry.register(classAgent(agent, 'the test'));
  const can = createPureAgents((name, product) => registry.get(name, product));
  let count = 0;
  return async ({ step = {}, reply, signal, name = 'shop.planner' }: PureAgentRunning = {}): Promise<RanPureAgent> => {
    const events: RunEvent[] = [];
    const hub = {
      emit: (event: RunEvent) => void events.push(event),
      scoped: () => hub,
      with: () => hub,
      taskId: 'node:plan',
    } as unknown as Hub;
    const { capabilities, asked } = createFakeCapabilities(reply === undefined ? {} : { reply });
    const scope = {
      ...{ hub, clock: createManualClock(5), model: capabilities.model, runId: asRunId(`r-${++count}`) },
      signal: signal ?? new AbortController().signal,
    };
    const call = { agent: name, product: 'shop', step: { ...emptyStep, ...step } };
    return { result: await can.run(call, scope), events, asked };
  };
}

/** Returns an agent with this implementation. */
export function planner(run: (step: AgentStep) => unknown): AgentClass {
  return class Planner extends BaseAgent {
    readonly name = 'shop.planner';
    override readonly kind = 'planner';
    async run(step: AgentStep) {
      return (await run(step)) as never;
    }
  };
}

/** Returns the data of an agent after it has run. */
export async function dataOf(run: (step: AgentStep) => unknown, running?: PureAgentRunning): Promise<JsonMap | null> {
  const { result } = await pureAgentWorld(planner(run))(running);
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}
