/**
 * Runs flows with lists of steps, with agents and tools provided by a test.
 */
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';
import { createWorkspaceGate } from '../runtime/governance/workspace-gate.ts';
import type { GovernanceCapability } from '../runtime/kernel/capabilities/effect.ts';
import type { ToolDescription } from '../runtime/kernel/capabilities/tool-capability.ts';
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import { canonicalText } from '../runtime/kernel/requests/ask.ts';
import { checkAnswer } from '../runtime/kernel/requests/check-answer.ts';
import { testTool } from '../world/tools/test-tools.ts';
import { createFakeCapabilities, type PureAgentBody } from './fake-capabilities.ts';
import { type TestRun, type TestRunOptions, testRun } from './test-run.ts';

/** Implementation of a test tool. */
export type StepToolBody = (params: JsonMap) => JsonValue | Promise<JsonValue>;

export interface StepWorld {
  readonly agents?: Readonly<Record<string, PureAgentBody>>;
  readonly tools?: Readonly<Record<string, StepToolBody>>;
  /** Description fields of every tool. */
  readonly toolTraits?: Partial<ToolDescription>;
  /** The gate for all effects; by default only the autonomy levels. */
  readonly governance?: GovernanceCapability;
}

/** A gate that only checks the autonomy level. */
export const levelsAlone = createWorkspaceGate({
  policy: () => ({ decision: 'allow', rule: 'definition', reason: '', trustHelps: false }),
  workspace: '/ws',
  isTrusted: async () => true,
});

/** Returns a file with these steps, each in one line. Nothing in it requires approval by itself. */
export function stepFlow(...steps: readonly string[]): string {
  return `id: f\nautonomy_level: full_auto\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
}

/** Runs a flow of steps. */
export function runSteps(text: string, world: StepWorld = {}, options: TestRunOptions = {}): Promise<TestRun> {
  const tools = Object.entries(world.tools ?? {}).map(([name, body]) =>
    testTool(async (params) => await body(params), {
      ...{ name, inputSchema: { type: 'object' }, effects: 'external' },
      ...world.toolTraits,
    }),
  );
  const { governance = levelsAlone } = world;
  const { capabilities } = createFakeCapabilities({ pureAgents: world.agents ?? {}, tools, governance });
  return testRun(text, { capabilities, ...options });
}

/**
 * Resumes a waiting run with an answer as it comes from outside.
 * @throws Error with the codes of invalid parts
 */
export async function answerStep(
  text: string,
  { events }: Pick<TestRun, 'events'>,
  given: JsonMap,
  world: StepWorld = {},
): Promise<TestRun & { readonly all: readonly EventEnvelope[] }> {
  const asked = events.findLast(({ event }) => 'request' in event && 'requestHash' in event)?.event;
  if (asked === undefined || !('requestHash' in asked) || !('request' in asked)) throw new Error('Nobody has asked');
  const checked = checkAnswer(asked.request, given);
  if (!checked.ok) throw new Error(checked.misfits.map(({ code }) => code).join(' '));
  const { nodeId: name, key, requestHash } = asked;
  const answer = { name, key, requestHash, payload: checked.payload, by: 'kim', at: 7 };
  const answers = { list: () => [answer], listen: () => () => undefined };
  const start = events.find(({ event }) => event.type === 'run:start')?.event;
  const inputs = start?.type === 'run:start' ? (start.inputs as JsonMap) : {};
  const run = await runSteps(text, world, { inputs, answers, resume: { events } });
  const { state, last } = run;
  return { events: run.events, state, last, end: last as TestRun['end'], all: [...events, ...run.events] };
}

/** Returns the request of the waiting step. */
export function requestIn({ events }: Pick<TestRun, 'events'>): JsonMap {
  const asked = events.findLast(({ event }) => event.type.endsWith(':requested'))?.event;
  return JSON.parse(canonicalText((asked as unknown as { request: JsonMap }).request));
}
