/** Tests policies that are edited during a run, and the remaining budget that agents receive. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentResult, type AgentStep, BaseAgent } from '../../library.ts';
import type { StepConstraints } from '../../runtime/kernel/capabilities/pure-agents-capability.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';
import { runSteps, trusted } from './test-product-runs.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

const found = '  - { id: list, type: tool, tool: core.file_list, params: { glob: "*.md" } }\n';

/** Returns an agent that does this while the flow runs. */
function agentThat(act: (step: AgentStep) => Promise<void> | void) {
  return class extends BaseAgent {
    readonly name = 'core.acts';
    async run(step: AgentStep) {
      await act(step);
      return AgentResult.ok({ done: true });
    }
  };
}

const acts = '  - { id: act, type: agent, agent: core.acts }\n';

describe('MF-092 tightening a policy during a run stops what comes next', () => {
  /** Returns the end of a flow at full_auto, with this policy set after its first tool. */
  async function endAfter(policy: string) {
    const tighten = agentThat(async () => {
      at.write('workspace/millrace.policy.yaml', policy);
      // Policies are read again after a tenth of a second.
      await new Promise((resolve) => setTimeout(resolve, 120));
    });
    const steps = `${found}${acts}${found.replace('list', 'again')}`;
    const { end, events } = await runSteps(at, steps, { ...trusted, agents: [tighten] });
    const called = events.flatMap((event) => (event.type === 'tool:attempt' ? [event.tool] : []));
    return { end, called, decisions: events.filter(({ type }) => type === 'governance:decision') };
  }

  test.each([
    ['that forbids acting without asking', 'allow_full_autonomy: false\n', 'full_autonomy_disabled', ':1'],
    ['in which nothing allows that anymore', 'max_steps: 90\n', 'full_autonomy_disabled', ''],
    ['that blocks the tool', 'allow_full_autonomy: true\nblocked_tools: [core.*]\n', 'tool_blocked', ':2'],
  ])('%s', async (_what, policy, rule, place) => {
    const { end, called, decisions } = await endAfter(policy);
    expect(end).toMatchObject({
      status: 'failed',
      failedNodes: ['again'],
      error: { code: 'permission_denied', message: expect.stringContaining(`rule ${rule}`) },
    });
    expect(end.error?.details).toMatchObject({ code: 'effect.denied' });
    expect(called).toHaveLength(1);
    expect(decisions.at(-1)).toMatchObject({ allowed: false, rule, target: 'core.file_list' });
    if (place !== '') expect(end.error?.message).toContain(`millrace.policy.yaml${place}`);
  });

  test.each([
    ['max_tool_calls: 1', 'tool_call_limit_exceeded'],
    ['max_steps: 2', 'step_limit_exceeded'],
  ])('%s', async (limit, rule) => {
    const { end } = await endAfter(`allow_full_autonomy: true\n${limit}\n`);
    expect(end).toMatchObject({ status: 'failed', error: { code: 'budget.exceeded', details: { rule } } });
  });
});

describe('the remaining budget', () => {
  test('MF-041 is part of the constraints of a step, for everything with a limit', async () => {
    let seen: StepConstraints['budgetsLeft'] | undefined;
    const look = agentThat(({ constraints }) => {
      seen = constraints.budgetsLeft;
    });
    const policy = 'max_steps: 9\nmax_tool_calls: 3\nmax_cost_usd_per_run: 0.5\n';
    await runSteps(at, `${found}${acts}`, { ...trusted, agents: [look], policy });
    expect(seen).toEqual({ steps: 7, toolCalls: 2, costUsd: 0.5 });
    await runSteps(at, acts, { ...trusted, agents: [look] });
    expect(seen).toEqual({});
  });
});
