/** Tests reruns of step flows: what later steps see of steps with reused results. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentResult, type AgentStep, BaseAgent } from '../../library.ts';
import { type AgentWorkspace, createAgentWorkspace, endOf } from './test-agent-workspace.ts';
import { runSteps, trusted } from './test-product-runs.ts';

let at: AgentWorkspace;
let runs: string[];
beforeEach(() => {
  at = createAgentWorkspace();
  runs = [];
});
afterEach(() => at.close());

class First extends BaseAgent {
  readonly name = 'core.first';
  async run() {
    runs.push('first');
    return AgentResult.ok({ n: 1 }, { tags: { round: runs.length } });
  }
}

class Last extends BaseAgent {
  readonly name = 'core.last';
  async run({ params, artifacts }: AgentStep) {
    runs.push('last');
    return AgentResult.ok({ ...params, seen: Object.keys(artifacts).sort() });
  }
}

test('a reused step also provides its meta, even from a run that reused it itself', async () => {
  const steps = `  - { id: one, type: agent, agent: core.first }
  - { id: list, type: tool, tool: core.file_list, params: { glob: "*.md" } }
  - { id: end, type: agent, agent: core.last, params: { by: "{{artifacts.agent.core.first.meta.agent_name}}", tags: "{{artifacts.agent.core.first.meta.tags}}", tool: "{{artifacts.tool.core.file_list.meta.tool_name}}" } }
`;
  const { engine, end } = await runSteps(at, steps, { ...trusted, agents: [First, Last] });
  const given = { by: 'core.first', tags: { round: 1 }, tool: 'core.file_list' };
  expect(end.output).toMatchObject(given);
  let former = (await engine.listRuns({ limit: 1 }))[0]?.runId;
  for (let round = 0; round < 2; round++) {
    if (former === undefined) throw new Error('There is no run.');
    const fates = (await engine.planRerun({ runId: former, nodeId: 'end' })).map(({ fate }) => fate);
    expect(fates).toEqual(['reused', 'reused', 'runs']);
    const { runId } = await engine.rerunFrom({ runId: former, nodeId: 'end' });
    await engine.whenEnded(runId);
    expect((await endOf(engine, runId)).output).toEqual(end.output);
    former = runId;
  }
  expect(runs).toEqual(['first', 'last', 'last', 'last']);
});
