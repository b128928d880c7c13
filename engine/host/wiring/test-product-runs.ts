/**
 * Runs step flows in a workspace with products, for tests of their agents.
 */

import type { Engine, EngineOptions } from '../../index.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunEndEvent, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { type AgentWorkspace, endOf } from './test-agent-workspace.ts';

export const trusted = { isTrusted: true } as const;

/** The start of an agent file with a pure contract. */
export const pure = '# Options\n\n```toml\ncontract = "pure"\n```\n\n';

/** Returns a step with this agent. @param more additional keys, starting with a comma */
export function agentStep(agent: string, more = ''): string {
  return `  - { id: plan, type: agent, agent: ${agent}, params: { n: 2, who: "{{payload.who}}" }${more} }\n`;
}

/** Returns a flow without requests. */
function flowOf(steps: string): string {
  return `id: f\nautonomy_level: full_auto\nsteps:\n${steps}`;
}

/** Returns a module with an agent `shop.planner` and this body for its run. */
export function moduleOf(body: string): string {
  return `import { AgentResult, BaseAgent } from 'millrace';
export class Planner extends BaseAgent {
  name = 'shop.planner';
  kind = 'planner';
  async run(step) {
${body}
  }
}
`;
}

export interface StepRun {
  readonly engine: Engine;
  readonly end: RunEndEvent;
  readonly events: readonly RunEvent[];
  /** Output of the step `plan`. */
  readonly given: JsonValue | undefined;
}

interface StepPlace {
  /** Path of the flow; in the product `shop` if absent. */
  readonly path?: string;
  /** Additional lines of the workspace's policy. */
  readonly policy?: string;
}

/** Starts a flow. */
export async function startSteps(
  at: AgentWorkspace,
  engine: Engine,
  steps: string,
  { path = 'products/shop/flows/f.yaml', policy = '' }: StepPlace = {},
) {
  const text = flowOf(steps);
  at.write(`workspace/${path}`, text);
  at.write('workspace/millrace.policy.yaml', `allow_full_autonomy: true\n${policy}`);
  return await engine.startRun({ path, text, inputs: { who: 'Ada' } });
}

/** Runs a flow to its end in a new engine. */
export async function runSteps(
  at: AgentWorkspace,
  steps: string,
  { path, policy, ...options }: Partial<EngineOptions> & StepPlace = trusted,
): Promise<StepRun> {
  const engine = await at.open(options);
  return await runAgain(at, engine, steps, { ...(path && { path }), ...(policy && { policy }) });
}

/** Runs a flow to its end in an open engine. */
export async function runAgain(at: AgentWorkspace, engine: Engine, steps: string, place?: StepPlace): Promise<StepRun> {
  const { runId } = await startSteps(at, engine, steps, place);
  await engine.whenEnded(runId);
  const events = (await engine.readEvents(runId, -1, 5000)).map(({ event }) => event);
  const done = events.find((event) => event.type === 'task:complete' && event.nodeId === 'plan');
  return {
    engine,
    end: await endOf(engine, runId),
    events,
    given: done?.type === 'task:complete' ? done.result : undefined,
  };
}
