/** Tests which permissions a flow lacks before it runs. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needText } from '../../base/consent.ts';
import type { Engine, EngineOptions } from '../../index.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
const env = { ...process.env, MILLRACE_SECRET_API_TOKEN: 'a-very-secret-token' };

beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

const open = async (more: Partial<EngineOptions> = {}): Promise<void> => {
  engine = await world.untrusted(env, { asksPermission: true, bindsKeys: true, ...more });
};

const call = (id: string, input: JsonMap, more: JsonMap = {}): JsonMap => ({
  id,
  type: 'http.request',
  input,
  ...more,
});
const flowOf = (nodes: readonly JsonMap[], more: JsonMap = {}): string =>
  JSON.stringify({ flow: { name: 'F', ...more }, nodes, edges: [] } as JsonValue);

/** Returns the missing permissions as text, with the nodes that need them. */
async function missing(text: string, inputs: JsonMap = {}): Promise<Record<string, readonly string[]>> {
  const plan = await engine.findPermissions({ by: 'startRun', request: { path: 'call.flow.yaml', text, inputs } });
  return Object.fromEntries(plan.missing.map(({ need, nodes }) => [needText(need), nodes]));
}

const token = { authorization: 'Bearer {{secret.API_TOKEN}}' };

test('13.6 one plan lists hosts, secrets, private addresses and trust, with the nodes that need them', async () => {
  await open();
  world.folder.write('workspace/inner.flow.yaml', flowOf([call('deep', { url: 'http://10.0.0.7:8080/x' })]));
  const text = flowOf([
    call('orders', { url: 'https://shop.example/orders?open=true' }),
    call('send', { url: 'https://desk.example/{{orders.body.id}}', headers: token }),
    call('announce', { url: 'http://192.168.1.20/' }),
    {
      id: 'totals',
      type: 'command.run',
      config: { program: 'node' },
      input: { args: ['totals.mjs', '{{orders.body}}'] },
    },
    { id: 'each', type: 'control.foreach', input: { items: [1], body: ['again'] } },
    call('again', { url: 'http://192.168.1.20/{{item}}' }),
    { id: 'inner', type: 'flow', input: { flow: 'inner.flow.yaml' } },
    call('off', { url: 'http://192.168.1.99/' }, { disabled: true }),
  ]);
  expect(await missing(text)).toEqual({
    'let call.flow.yaml use the secret API_TOKEN, until its text changes': ['F'],
    'send the secret API_TOKEN to desk.example': ['send'],
    'send requests to 192.168.1.20, an address on this machine or your network': ['announce', 'again'],
    'trust this workspace to run node totals.mjs …': ['totals'],
    'send requests to 10.0.0.7:8080, an address on this machine or your network': ['inner.flow.yaml: deep'],
  });
  const request = { path: 'call.flow.yaml', text, inputs: {} };
  const { hosts, missing: needs } = await engine.findPermissions({ by: 'startRun', request });
  expect(hosts).toEqual(['shop.example', 'desk.example', '192.168.1.20', '10.0.0.7:8080']);
  await engine.grantPermissions(needs.map(({ need }) => need));
  expect(await missing(text)).toEqual({});
  // The permissions apply to this text of the flow and to these hosts only.
  expect(Object.keys(await missing(flowOf([call('a', { url: 'https://evil.example/', headers: token })])))).toEqual([
    'send the secret API_TOKEN to evil.example',
  ]);
});

test.each<[string, JsonMap, number]>([
  ['a bound host', { url: 'http://{{a.body}}/' }, 0],
  ['a host with a bound end', { url: 'http://192.168.1.2{{a.body}}/' }, 0],
  ['a host with a bound port', { url: 'http://192.168.1.2:{{a.body}}/' }, 0],
  ['a bound address', { url: '{{a.body}}' }, 0],
  ['bound headers', { url: 'http://192.168.1.2/', headers: '{{a.body}}' }, 0],
  ['a bound path', { url: 'http://192.168.1.2/{{a.body}}' }, 1],
  ['a bound query', { url: 'http://192.168.1.2?q={{a.body}}' }, 1],
  ['an input of the flow with a default', { url: 'http://{{flow.input.host}}/' }, 1],
  ['an input without a value', { url: 'http://{{flow.input.other}}/' }, 0],
  ['a bound body', { url: 'http://192.168.1.2/', method: 'POST', body: '{{a.body}}' }, 1],
  ['another spelling', { url: 'http://0300.0250.1.2/' }, 1],
  ['a user name', { url: 'http://a@192.168.1.2/' }, 0],
  ['a public host', { url: 'https://shop.example/' }, 0],
])('13.6 finds what is certain in a request with %s', async (_, input, count) => {
  await open();
  const nodes = [call('a', { url: 'https://shop.example/' }), call('b', input)];
  expect(Object.keys(await missing(flowOf(nodes, { input: { host: '192.168.1.2' } })))).toHaveLength(count);
});

test('13.6 uses the inputs of the run, and in a trusted workspace lists only missing permissions for secrets', async () => {
  await open({ isTrusted: true });
  const text = flowOf([call('b', { url: 'http://{{flow.input.host}}/', headers: token })], {
    input: { host: 'a.example' },
  });
  expect(await missing(text)).toEqual({ 'send the secret API_TOKEN to a.example': ['b'] });
  expect(await missing(text, { host: 'b.example' })).toEqual({ 'send the secret API_TOKEN to b.example': ['b'] });
});

test('13.6 plans nothing if a policy denies the effect, or if no person could grant the permission', async () => {
  world.folder.write('workspace/millrace.policy.yaml', 'effects: { command: deny }\nblocked_hosts: ["192.168.1.2"]\n');
  const text = flowOf([
    call('a', { url: 'http://192.168.1.2/' }),
    { id: 'b', type: 'command.run', config: { program: 'node' }, input: {} },
    call('c', { url: 'http://192.168.1.3/' }),
  ]);
  await open();
  expect(Object.values(await missing(text))).toEqual([['c']]);
  await engine.close();
  engine = await world.untrusted(env);
  expect(await missing(text)).toEqual({});
});

test('13.6 reports a secret without a value before planning anything', async () => {
  await open({ isTrusted: true });
  const text = flowOf([call('a', { url: 'https://desk.example/', headers: { a: '{{secret.OTHER}}' } })]);
  const request = { path: 'call.flow.yaml', text, inputs: {} };
  await expect(engine.findPermissions({ by: 'startRun', request })).rejects.toMatchObject({
    code: 'secret.missing',
  });
});
