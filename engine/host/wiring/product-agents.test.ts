/** Tests agents that steps name: those of the program, and those that cause a flow to be rejected. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentResult, type AgentStep, BaseAgent } from '../../library.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';
import { agentStep, pure, runAgain, runSteps, startSteps, trusted } from './test-product-runs.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

describe('a class of the program', () => {
  class Planner extends BaseAgent {
    readonly name = 'core.planner';
    async run({ params }: AgentStep) {
      return AgentResult.ok({ n: Number(params['n']) });
    }
  }

  test('MF-131 MF-162 is available to steps of every product, and outside products', async () => {
    for (const path of ['products/shop/flows/f.yaml', 'products/bank/flows/f.yaml', 'f.flow.yaml']) {
      const ran = await runSteps(at, agentStep('core.planner'), { ...trusted, agents: [Planner], path });
      expect(ran.given, path).toEqual({ n: 2 });
    }
  });

  test('MF-131 rejects duplicate names and invalid agents when the engine is opened', async () => {
    await expect(at.open({ agents: [Planner, Planner] })).rejects.toMatchObject({
      code: 'agent.duplicate',
    });
    await expect(at.open({ agents: [class {} as never] })).rejects.toMatchObject({ code: 'agent.no-base-agent' });
  });
});

describe('rejects a flow', () => {
  test('X-08 if a step names an autonomous agent, with alternatives', async () => {
    at.write('workspace/products/shop/agents/actor.aip', scriptSection('Output', 'return 1'));
    const engine = await at.open(trusted);
    const refused = startSteps(at, engine, agentStep('shop.actor'));
    await expect(refused).rejects.toMatchObject({
      code: 'flow.invalid',
      details: [{ code: 'step.agent-not-pure', nodeId: 'plan', range: { line: 4 } }],
    });
    await expect(startSteps(at, engine, agentStep('shop.actor'))).rejects.toThrow('contract = "pure"');
    await expect(startSteps(at, engine, agentStep('shop.actor'))).rejects.toThrow(
      'run: { agent: ../agents/actor.aip }',
    );
  });

  test('X-08 but accepts the same agent as a tool, under governance', async () => {
    at.write('workspace/products/shop/agents/actor.aip', scriptSection('Output', 'return { n = input.n }'));
    at.write(
      'workspace/products/shop/tools/act.tool.yaml',
      'tool_id: act\nname: act\ndescription: Acts.\ninput_schema: { type: object, properties: { n: { type: number } } }\nrun:\n  agent: ../agents/actor.aip\n',
    );
    const acting = '  - { id: plan, type: tool, tool: shop.act, params: { n: 2 } }\n';
    const ran = await runSteps(at, acting);
    expect(ran.end.error).toBeUndefined();
    expect(ran.events.some(({ type }) => type === 'tool:result')).toBe(true);
    const engine = await at.open(trusted);
    const { runId } = await startSteps(at, engine, acting, { policy: 'blocked_tools: [shop.act]\n' });
    await engine.whenEnded(runId);
    expect((await engine.readEvents(runId, -1, 100)).map(({ event }) => event)).toMatchObject([
      { type: 'run:refused', code: 'policy_blocked', details: { rule: 'tool_blocked', target: 'shop.act' } },
    ]);
  });

  test('MF-131 if two agents have the name used by a step', async () => {
    const twin =
      "import { AgentResult, BaseAgent } from 'millrace';\nexport class A extends BaseAgent { name = 'shop.planner'; async run() { return AgentResult.ok(); } }\n";
    at.write('workspace/products/shop/agents/a.mjs', twin);
    at.write('workspace/products/shop/agents/planner.aip', pure + scriptSection('Output', 'return { a = 1 }'));
    const engine = await at.open(trusted);
    const words = 'products/shop/agents/a.mjs and products/shop/agents/planner.aip';
    await expect(startSteps(at, engine, agentStep('shop.planner'))).rejects.toThrow(words);
    // After a fix, it runs.
    at.write('workspace/products/shop/agents/a.mjs', twin.replace('shop.planner', 'shop.other'));
    expect((await runAgain(at, engine, agentStep('shop.planner'))).end.status).toBe('completed');
  });

  test('MF-111 MF-133 MF-160 but not for other agents of its product, which are reported to the user', async () => {
    const classes = `import { AgentResult, BaseAgent } from 'millrace';
export class Alone { name = 'shop.alone'; async run() {} }
export class Bare extends BaseAgent { name = 'bare'; async run() { return AgentResult.ok({ a: 1 }); } }
export class Foreign extends BaseAgent { name = 'bank.foreign'; async run() { return AgentResult.ok(); } }
`;
    at.write('workspace/products/shop/agents/classes.mjs', classes);
    const ran = await runSteps(at, agentStep('bare'));
    expect(ran.given).toEqual({ a: 1 });
    const notices = ran.engine.notices.map(({ code, message }) => `${code} ${message}`);
    expect(notices).toEqual([
      'agent.no-base-agent products/shop/agents/classes.mjs: no agent was registered, because the class it exports as Alone does not extend BaseAgent.',
      'agent.bare-name products/shop/agents/classes.mjs: the name of agent "bare" has no product. Name it product.bare, with the name of its product.',
      'agent.isolated products/shop/agents/classes.mjs: an agent of the product "shop" cannot be named "bank.foreign": its name must begin with "shop.".',
    ]);
  });

  test('if the file of an agent is invalid', async () => {
    at.write('workspace/products/shop/agents/planner.aip', '# Options\n\n```toml\ncontract = "clean"\n```\n');
    await expect(startSteps(at, await at.open(trusted), agentStep('shop.planner'))).rejects.toThrow(
      'products/shop/agents/planner.aip:4: The option "contract" must be',
    );
  });

  test('MF-040 but not for a missing agent: its step fails', async () => {
    const { end } = await runSteps(at, agentStep('shop.none'));
    expect(end).toMatchObject({ status: 'failed', failedNodes: ['plan'], error: { code: 'agent.not-found' } });
  });

  test('MF-110 an agent in another folder is not available', async () => {
    for (const path of [
      'planner.aip',
      'products/planner.aip',
      'products/shop/planner.aip',
      'products/shop/agents/deeper/planner.aip',
      'agents/planner.aip',
    ]) {
      at.write(`workspace/${path}`, pure + scriptSection('Output', 'return {}'));
    }
    expect((await runSteps(at, agentStep('shop.planner'))).end).toMatchObject({
      status: 'failed',
      error: { code: 'agent.not-found' },
    });
  });
});
