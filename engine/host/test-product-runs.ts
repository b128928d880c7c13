/**
 * Runs of step flows in a workspace with products, for tests of their agents.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import type { Engine, EngineOptions } from '../index.ts';
import type { RunEndEvent, RunEvent } from '../kernel/run-event.ts';
import { type AgentWorkspace, endOf } from './test-agent-workspace.ts';

export const trusted = { isTrusted: true } as const;

/** The beginning of an agent file of the contract pure. */
export const pure = '# Options\n\n```toml\ncontract = "pure"\n```\n\n';

/** A step with this agent. @param more keys behind the others, from a comma on */
export function agentStep(agent: string, more = ''): string {
  return `  - { id: plan, type: agent, agent: ${agent}, params: { n: 2, who: "{{payload.who}}" }${more} }\n`;
}

/** A flow that asks nobody. */
function flowOf(steps: string): string {
  return `id: f\nautonomy_level: full_auto\nsteps:\n${steps}`;
}

/** A module with an agent `shop.planner` whose run has this body. */
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
  /** What the step `plan` gave. */
  readonly given: JsonValue | undefined;
}

interface StepPlace {
  /** Of the flow; one of the product `shop` when absent. */
  readonly path?: string;
  /** More lines of the workspace's policy. */
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

/** Runs a flow to its end, in an engine of its own. */
export async function runSteps(
  at: AgentWorkspace,
  steps: string,
  { path, policy, ...options }: Partial<EngineOptions> & StepPlace = trusted,
): Promise<StepRun> {
  const engine = await at.open(options);
  return await runAgain(at, engine, steps, { ...(path && { path }), ...(policy && { policy }) });
}

/** The same in an engine that is open. */
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
