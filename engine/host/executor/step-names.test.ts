import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pay, ShopWorld } from '../../packs/product/test-shop.ts';
import { AgentResult, BaseAgent } from '../../runtime/agent/pure/base-agent.ts';
import { testFlow } from './product-tester.ts';

let world: ShopWorld;
beforeEach(async () => {
  world = await ShopWorld.open();
});
afterEach(() => world.close());

describe('names in steps', () => {
  const calling = (step: string): string => `id: x\nautonomy_level: full_auto\nsteps: [${step}]\n`;
  const allowFull = async (): Promise<void> => {
    world.write('millrace.policy.yaml', 'allow_full_autonomy: true\n');
  };

  test('12.8 without a product they refer to its own tool and agent first, and artifacts keep the name as written', async () => {
    await allowFull();
    world.write(
      'products/shop/flows/bare.yaml',
      calling(
        '{ id: a, type: agent, agent: planner, params: { k: 1 } }, { id: t, type: tool, tool: pay, params: { order: "{{artifacts.agent.planner.output.params.k}}" } }',
      ),
    );
    const run = await testFlow(world.engine, { product: 'shop', flow: 'bare' });
    await run.expect({ status: 'COMPLETED', output: { paid: 1 } });
    const { data } = await world.products.getRun(run.runId);
    expect(data?.steps.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
  });

  test('MF-160 an agent of another product is rejected before the run, with its line and a fix', async () => {
    world.write('products/other/flows/f.yaml', calling('{ id: a, type: agent, agent: shop.planner }'));
    expect(await world.products.runFlow('other', 'f', {})).toMatchObject({
      error: {
        code: 'invalid_input',
        message: expect.stringContaining(
          'Agent "shop.planner" belongs to product shop, but flows of other can only use agents of other and core.',
        ),
      },
    });
  });

  test('MF-161 a step may use a tool of another product only if it is shared', async () => {
    await allowFull();
    world.write('products/other/flows/f.yaml', calling('{ id: t, type: tool, tool: shop.pay, params: { order: 2 } }'));
    expect(await world.products.runFlow('other', 'f', {})).toMatchObject({
      error: {
        message: expect.stringContaining(
          'Write shared: true in products/shop/tools/pay.tool.yaml, or add a tool to other.',
        ),
      },
    });
    world.write('products/shop/tools/pay.tool.yaml', `${pay}shared: true\n`);
    const run = await testFlow(world.engine, { product: 'other', flow: 'f' });
    await run.expect({ status: 'COMPLETED', output: { paid: 2 } });
  });

  test('C5 an unknown agent or tool fails its step when that step starts', async () => {
    await allowFull();
    world.write('products/shop/flows/a.yaml', calling('{ id: a, type: agent, agent: shop.none }'));
    world.write('products/shop/flows/t.yaml', calling('{ id: t, type: tool, tool: shop.none }'));
    await (await testFlow(world.engine, { product: 'shop', flow: 'a' })).expect({
      status: 'FAILED',
      steps: { a: 'FAILED' },
    });
    await (await testFlow(world.engine, { product: 'shop', flow: 't' })).expect({
      status: 'FAILED',
      errorCode: 'not_found',
    });
  });

  test('MF-162 agents of core and of the program are available to every product', async () => {
    await allowFull();
    class Everyone extends BaseAgent {
      readonly name = 'core.everyone';
      async run() {
        return AgentResult.ok({ hi: 1 });
      }
    }
    await world.engine.close();
    await world.openEngine({ agents: [Everyone] });
    for (const product of ['shop', 'other']) {
      world.write(`products/${product}/flows/f.yaml`, calling('{ id: a, type: agent, agent: everyone }'));
      await (await testFlow(world.engine, { product, flow: 'f' })).expect({ status: 'COMPLETED', output: { hi: 1 } });
    }
  });
});
