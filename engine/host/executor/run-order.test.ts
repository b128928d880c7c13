import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { createEngine } from '../../index.ts';
import { ShopWorld } from '../../packs/product/test-shop.ts';
import { AgentResult, type AgentStep, BaseAgent } from '../../runtime/agent/pure/base-agent.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { SecretWorld } from '../../testing/secret-world.ts';
import { openProducts } from './gateway.ts';
import { testFlow } from './product-tester.ts';

let world: ShopWorld;
let outside: SecretWorld;
beforeEach(async () => {
  world = await ShopWorld.open();
  outside = await SecretWorld.open();
  world.write('millrace.policy.yaml', 'allow_full_autonomy: true\n');
});
afterEach(async () => {
  await world.close();
  await outside.close();
});

const flow = `id: order
autonomy_level: full_auto
steps:
  - { id: think, type: agent, agent: shop.spy, params: { n: "{{payload.n}}" } }
  - { id: act, type: tool, tool: shop.act, params: { n: "{{artifacts.agent.shop.spy.output.n}}" } }
  - { id: sum, type: agent, agent: shop.spy, params: { n: "{{artifacts.tool.shop.act.output.n}}" } }
`;

/** Returns the events of a run that show who does what. */
const doings = (events: readonly EventEnvelope[]): readonly string[] =>
  events.flatMap(({ event }) => {
    if (!/^(?:run|task|agent|tool|governance):/.test(event.type)) return [];
    return [`${event.type}${'nodeId' in event ? ` ${event.nodeId}` : ''}`];
  });

function writeShop(): void {
  world.write('products/shop/flows/order.yaml', flow);
  const http = `http: { url: "${outside.base}/{{params.n}}" }`;
  const schema = 'input_schema: { type: object }';
  world.write('products/shop/tools/act.tool.yaml', `tool_id: act\ndescription: acts\n${schema}\nrun: { ${http} }\n`);
}

test('MF-005 a flow goes through the runner, the agent and the tool executor, and only the executor calls the tool', async () => {
  const called: string[] = [];
  class Spy extends BaseAgent {
    readonly name = 'shop.spy';
    async run({ params }: AgentStep) {
      called.push('agent');
      return AgentResult.ok({ n: params['n'] ?? null });
    }
  }
  await world.engine.close();
  await world.openEngine({ agents: [Spy] });
  writeShop();
  outside.answer = () => {
    called.push('tool');
    return { body: '{"n":8}' };
  };
  called.push('gateway');
  const run = await testFlow(world.engine, { product: 'shop', flow: 'order' }, { n: 7 });
  called.push('back');
  await run.expect({ status: 'COMPLETED', output: { n: 8 } });
  expect(called).toEqual(['gateway', 'agent', 'tool', 'agent', 'back']);
  expect(outside.heard).toMatchObject([{ url: '/7' }]);
  const agentStep = (id: string): string[] => [
    `task:start ${id}`,
    'agent:start',
    'agent:complete',
    `task:complete ${id}`,
  ];
  expect(
    doings(await world.engine.readEvents(run.runId as RunId, -1, 1000)).filter((one) => !one.startsWith('governance')),
  ).toEqual([
    'run:start',
    ...agentStep('think'),
    ...['task:start act', 'tool:attempt', 'tool:result', 'task:complete act'],
    ...agentStep('sum'),
    'run:end',
  ]);
});

test('MF-023 the same input leads to the same steps in the same order, and to the same result', async () => {
  class Spy extends BaseAgent {
    readonly name = 'shop.spy';
    async run({ params }: AgentStep) {
      return AgentResult.ok({ n: params['n'] ?? null });
    }
  }
  await world.engine.close();
  await world.openEngine({ agents: [Spy] });
  writeShop();
  outside.answer = () => ({ body: '{"n":8}' });
  const runs = await Promise.all(
    [1, 2, 3].map(() => testFlow(world.engine, { product: 'shop', flow: 'order' }, { n: 7 })),
  );
  const logs = await Promise.all(
    runs.map(async ({ runId }) => doings(await world.engine.readEvents(runId as RunId, -1, 1000))),
  );
  expect(logs[0]?.length).toBeGreaterThan(10);
  for (const log of logs) expect(log).toEqual(logs[0]);
  for (const run of runs) await run.expect({ status: 'COMPLETED', output: { n: 8 } });
});

test('MF-141 events and output of a step are on disk before the next one starts', async () => {
  const place = { workspace: world.folder.at('workspace'), homeFolder: world.folder.at('home'), env: {} };
  const storeFile = world.folder.at('runs.db');
  const reader = await createEngine({ ...place, storeFile });
  const seen: (readonly string[])[] = [];
  class Spy extends BaseAgent {
    readonly name = 'shop.spy';
    async run({ params }: AgentStep) {
      const [latest] = await reader.listRuns({ limit: 1 });
      seen.push(latest === undefined ? [] : doings(await reader.readEvents(latest.runId, -1, 1000)));
      return AgentResult.ok({ n: params['n'] ?? null });
    }
  }
  const engine = await createEngine({ ...place, storeFile, isTrusted: true, agents: [Spy] });
  try {
    writeShop();
    outside.answer = () => ({ body: '{"n":8}' });
    expect(await openProducts(engine).runFlow('shop', 'order', { n: 7 })).toMatchObject({
      data: { status: 'COMPLETED' },
    });
    const [first = [], last = []] = seen;
    expect(first).not.toContain('task:complete think');
    for (const told of ['task:complete think', 'tool:attempt', 'tool:result', 'task:complete act'])
      expect(last).toContain(told);
    expect(last).not.toContain('task:complete sum');
  } finally {
    await engine.close();
    await reader.close();
  }
});
