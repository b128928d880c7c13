/** Tests which permissions a conversation lacks before it starts. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needText } from '../../base/consent.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

const flowOf = (id: string, url: string): string =>
  JSON.stringify({ flow: { name: 'F' }, nodes: [{ id, type: 'http.request', input: { url } }], edges: [] });

const catalogue = (flows: string): string => `
nlu: { script: nlu.yaml }
intents: { Order: {} }
flows:
${flows}`;
const entry = (name: string, policy: string): string =>
  `  - { name: ${name}, intent: Order, description: Does it., policy: ${policy} }\n`;

async function missing(): Promise<Record<string, readonly string[]>> {
  const engine = await world.untrusted({}, { asksPermission: true });
  const start = { by: 'startConversation', request: { path: 'desk/desk.dialogue.yaml' } } as const;
  const plan = await engine.findPermissions(start);
  expect(plan.kind).toBe('conversation');
  return Object.fromEntries(plan.missing.map(({ need, nodes }) => [needText(need), nodes]));
}

test('13.6 a conversation requests what the flows and agents of its catalog need, once each', async () => {
  world.folder.write('workspace/desk/nlu.yaml', '- { match: pay, flow: pay }');
  world.folder.write('workspace/desk/pay.flow.yaml', flowOf('send', 'http://10.0.0.1/'));
  world.folder.write('workspace/desk/ship.flow.yaml', flowOf('call', 'http://10.0.0.1/x'));
  world.folder.write('workspace/desk/broken.flow.yaml', 'flow: [');
  world.folder.write('workspace/tidy.aip', '# Output\n\n```lua\nreturn aip.cmd.exec("ls")\n```\n');
  const flows = [
    entry('pay', '{ flow: pay.flow.yaml }'),
    entry('pay_again', '{ flow: pay.flow.yaml }'),
    entry('ship', '{ flow: ship.flow.yaml }'),
    entry('broken', '{ flow: broken.flow.yaml }'),
    entry('gone', '{ flow: gone.flow.yaml }'),
    entry('tidy', '{ agent: tidy.aip }'),
  ];
  world.folder.write('workspace/desk/desk.dialogue.yaml', catalogue(flows.join('')));
  expect(await missing()).toEqual({
    'send requests to 10.0.0.1, an address on this machine or your network': [
      'desk/pay.flow.yaml: send',
      'desk/ship.flow.yaml: call',
    ],
    'trust this workspace to run scripts of tidy.aip that call aip.cmd': ['tidy.aip'],
  });
});

test('13.6 a conversation with an unreadable catalog requests nothing, because its start reports the reason', async () => {
  world.folder.write('workspace/desk/desk.dialogue.yaml', 'flows: 1\n');
  await expect(missing()).rejects.toMatchObject({ code: 'dialogue.invalid' });
});
