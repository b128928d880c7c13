import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import { type AgentWorkspace, createAgentWorkspace } from '../wiring/test-agent-workspace.ts';

let at: AgentWorkspace;
let engine: Engine;
beforeEach(async () => {
  at = createAgentWorkspace();
  engine = await at.open();
});
afterEach(() => at.close());

async function problemsIn(text: string, path = 'products/shop/flows/f.yaml'): Promise<readonly string[]> {
  const found = await engine.checkFlowInPlace({ path, text });
  return found.map(({ range, severity, code, nodeId }) => `${range.line} ${severity} ${code} ${nodeId}`);
}

function tool(product: string, id: string, more: string): void {
  const schema = 'input_schema: { type: object, properties: { n: { type: number } } }';
  at.write(
    `workspace/products/${product}/tools/${id}.tool.yaml`,
    `tool_id: ${id}\ndescription: does it\n${schema}\n${more}run: { js: "return 1" }\n`,
  );
}

test('MF-180 MF-160 warns about tools and agents of a flow at their position: risk, owner, and mismatches', async () => {
  tool('shop', 'pay', 'risk: high\n');
  tool('bank', 'own', '');
  at.write('workspace/products/bank/agents/clerk.aip', '# Options\n```toml\ncontract = "pure"\n```\n');
  at.write('workspace/products/shop/agents/actor.aip', '# Output\n```lua\nreturn 1\n```\n');
  const text = `id: f
steps:
  - { id: pay, type: tool, tool: shop.pay, params: { n: 1 } }
  - { id: ok, type: human_approval, message: "Pay?" }
  - { id: again, type: tool, tool: pay, params: { n: many } }
  - { id: theirs, type: tool, tool: bank.own }
  - { id: clerk, type: agent, agent: bank.clerk }
  - { id: actor, type: agent, agent: shop.actor }
`;
  expect(await problemsIn(text)).toEqual([
    '3 warning step.risky-tool pay',
    '5 error node.tool-params again',
    '6 error product.isolated theirs',
    '7 error product.isolated clerk',
    '8 error step.agent-not-pure actor',
  ]);
});

test('warns about a flow that the manifest of its product does not list', async () => {
  const text = 'id: g\nsteps: [{ id: ok, type: human_approval, message: "Go?" }]\n';
  at.write('workspace/products/shop/flows/f.yaml', text.replace('g', 'f'));
  at.write('workspace/products/shop/flows/g.yaml', text);
  expect(await problemsIn(text, 'products/shop/flows/g.yaml')).toEqual([]);
  at.write('workspace/products/shop/manifest.yaml', 'flows: [f]\n');
  const [found] = await engine.checkFlowInPlace({ path: 'products/shop/flows/g.yaml', text });
  expect(found).toMatchObject({
    code: 'product.unlisted',
    severity: 'warning',
    message: expect.stringContaining('Add g.yaml there.'),
  });
});

test('returns nothing for a text that is not a flow', async () => {
  expect(await problemsIn('id: [')).toEqual([]);
  expect(await problemsIn('hello')).toEqual([]);
});
