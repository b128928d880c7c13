/**
 * Tests that calls of nodes are in the history: without secrets, complete even if they are large, and not repeated by
 * another process.
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineNodeType } from '../../runtime/flow/node-type.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

const token = 'tok "en/ü 9876+5432';

const orders = defineNodeType(
  {
    ...{ type: 'shop.order', title: 'Order', description: 'Orders.', category: 'net', icon: 'globe' },
    inputSchema: z.object({ url: z.string(), body: z.string() }),
    configSchema: z.object({}),
    outputSchema: z.object({ said: z.string(), by: z.string() }),
    secretFields: ['body'],
    effects: 'external',
  },
  {
    capabilities: ['web', 'ask'],
    async run({ input, can, signal }) {
      const headers = { 'content-type': 'text/plain' };
      const { text } = await can.web.send({ ...input, method: 'POST', headers, maxBytes: 1e6 }, signal);
      const { payload } = await can.ask('pay', { kind: 'approval', title: `Pay for ${text.length} characters?` });
      return { said: text, by: String(payload['approved']) };
    },
  },
);

test('12.1 a and b a request with a secret is sent once, whichever process resumes, and its response reveals no secret', async () => {
  const world = await SecretWorld.open();
  try {
    // The text is too large for an event, and repeats the secret.
    world.answer = ({ body }) => ({ headers: { 'content-type': 'text/plain' }, body: `${body} ${'x'.repeat(40_000)}` });
    const nodePacks = [{ name: 'shop', version: '1', nodeTypes: [orders] }];
    const open = () => world.engine({ MILLRACE_SECRET_API_TOKEN: token }, { nodePacks });
    const text = `
flow: { name: Order, nodePacks: [shop] }
nodes:
  - { id: order, type: shop.order, input: { url: "${world.base}/order", body: "by {{secret.API_TOKEN}}" } }
edges: []`;
    const first = await open();
    const { runId } = await first.startRun({ path: 'order.flow.yaml', text, inputs: {} });
    expect(await first.whenEnded(runId)).toMatchObject({ status: 'suspended' });
    const told = (await first.readEvents(runId, -1, 100)).flatMap(({ event }) =>
      event.type === 'call:complete' ? [event] : [],
    );
    expect(told).toMatchObject([{ callKey: expect.stringMatching(/^web\.send:[0-9a-f]{64}:0$/) }]);
    expect(JSON.stringify(told).length).toBeLessThan(2000);
    await world.closeEngines();
    const second = await open();
    await second.resumeRun({ runId, payload: { approved: true } });
    expect(await second.whenEnded(runId)).toMatchObject({ status: 'completed' });
    expect(world.heard.map(({ body }) => body)).toEqual([`by ${token}`]);
    const end = (await second.readEvents(runId, -1, 100)).findLast(
      ({ event }) => event.type === 'task:complete',
    )?.event;
    const result = end?.type === 'task:complete' ? end.result : null;
    const { $value = '' } = result as { readonly $value?: string };
    expect(await second.readValue($value)).toEqual({ said: `by •••API_TOKEN••• ${'x'.repeat(40_000)}`, by: 'true' });
    await world.expectNoTrace([token]);
  } finally {
    await world.close();
  }
});
