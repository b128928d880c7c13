import { describe, expect, test } from 'vitest';
import type { ToolCall, ToolDescription, ToolResult } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { scopeOf, testTool } from './test-tools.ts';
import { createToolExecutor } from './tool-executor.ts';

const clock = createManualClock();

/** Calls one of several tools, which return their names and the products of their runs, from a run with products. */
async function called(
  tools: readonly Partial<ToolDescription>[],
  call: Pick<ToolCall, 'tool' | 'ofStep'>,
  products: readonly string[] = [],
): Promise<{ readonly result: ToolResult; readonly told: readonly RunEvent[] }> {
  const own = tools.map((one) =>
    testTool(async (_params, { hub }) => `${one.name} in ${hub.products?.join(' and ') ?? 'none'}`, {
      inputSchema: {},
      ...one,
    }),
  );
  const source = {
    list: async () => own,
    find: async (name: string) => own.find((one) => one.description.name === name),
  };
  const executor = createToolExecutor({ source, answers: createFakeCapabilities().capabilities.answers });
  const told: RunEvent[] = [];
  const scope = scopeOf(told, clock);
  const hub = products.reduce((at, product) => at.with({ product }), scope.hub);
  return { result: await executor.call({ ...call, params: {} }, { ...scope, hub }), told };
}

const own = { name: 'p2.own', product: 'p2', source: 'products/p2/tools/own.tool.yaml' } as const;

describe('MF-161 tools of products', () => {
  test.each([
    [
      ['p1'],
      'the product p1 cannot call it. Write shared: true in products/p2/tools/own.tool.yaml, or add a tool to p1.',
    ],
    [
      [],
      'only the flows and agents of that product can call it. Write shared: true in products/p2/tools/own.tool.yaml.',
    ],
    [['p2', 'p1'], 'the product p1 cannot call it. '],
  ])('a tool that is not shared is refused to a run of %j and never runs', async (products, message) => {
    const { result, told } = await called([own], { tool: 'p2.own' }, products);
    expect(result).toMatchObject({
      ...{ status: 'error', error_category: 'auth_error', retryable: false },
      message: expect.stringContaining(`The tool "p2.own" belongs to the product p2, and ${message}`),
      metadata: { attempt: 0, code: 'product.isolated' },
    });
    expect(told.map(({ type }) => type)).toEqual(['tool:result']);
  });

  test('a tool can be called by its own product and, if shared, by all products with its own rules', async () => {
    const ofOwn = await called([own], { tool: 'p2.own' }, ['p2']);
    expect(ofOwn.result).toMatchObject({ result: 'p2.own in p2' });
    const shared = [{ ...own, shared: true as const }];
    expect((await called(shared, { tool: 'p2.own' }, ['p1'])).result).toMatchObject({ result: 'p2.own in p1 and p2' });
    expect((await called(shared, { tool: 'p2.own' })).result).toMatchObject({ result: 'p2.own in p2' });
  });

  test('MF-020 a tool that runs a flow is refused to a product, regardless of its owner', async () => {
    const flow = { name: 'sub', kind: 'flow' } as const;
    expect((await called([flow], { tool: 'sub' }, ['p1'])).result).toMatchObject({
      message: expect.stringMatching(/^The tool "sub" runs a flow, and flows of products cannot call other flows/),
      metadata: { code: 'product.isolated' },
    });
    expect((await called([flow], { tool: 'sub' })).result).toMatchObject({ result: 'sub in none' });
  });
});

describe('12.8 a bare name in a step', () => {
  const all = [{ name: 'p1.send', product: 'p1' }, { name: 'core.send' }, { name: 'send' }];

  test('a bare name refers to a tool of the same product, then a built-in tool, then a tool of the workspace', async () => {
    const meant = async (tools: readonly Partial<ToolDescription>[], product = 'p1'): Promise<unknown> => {
      const { result } = await called(tools, { tool: 'send', ofStep: true }, [product]);
      return result.status === 'success' ? result.result : result.error_category;
    };
    expect(await meant(all)).toBe('p1.send in p1');
    expect(await meant(all.slice(1))).toBe('core.send in p1');
    expect(await meant(all.slice(2))).toBe('send in p1');
    expect(await meant(all, 'p3')).toBe('core.send in p3');
    expect(await meant([])).toBe('not_found');
  });

  test('a bare name is emitted as the full name, and taken literally outside of steps', async () => {
    const { told } = await called(all, { tool: 'send', ofStep: true }, ['p1']);
    expect(told).toMatchObject([
      { type: 'tool:attempt', tool: 'p1.send' },
      { type: 'tool:result', tool: 'p1.send' },
    ]);
    expect((await called(all, { tool: 'send' }, ['p1'])).result).toMatchObject({ result: 'send in p1' });
    expect((await called(all, { tool: 'p1.send', ofStep: true }, ['p1'])).result).toMatchObject({
      result: 'p1.send in p1',
    });
  });
});
