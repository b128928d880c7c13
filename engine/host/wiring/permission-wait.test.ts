/** Tests nodes that lack a permission, in runs of a person who can grant it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PermissionNeed } from '../../base/consent.ts';
import type { RunId } from '../../base/ids.ts';
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
  engine = await world.untrusted(env, { asksPermission: true, ...more });
};

async function reopen(more: Partial<EngineOptions> = {}): Promise<void> {
  await engine.close();
  await open(more);
}

const node = (id: string, type: string, more: JsonMap): JsonMap => ({ id, type, ...more });
const call = (input: JsonMap, id = 'call'): JsonMap => node(id, 'http.request', { input });
const command = node('show', 'command.run', {
  config: { program: process.execPath },
  input: { args: ['-e', 'console.log(1)'] },
});
const flowOf = (nodes: readonly JsonMap[], more: JsonMap = {}): string =>
  JSON.stringify({ flow: { name: 'F', ...more }, nodes, edges: [] } as JsonValue);

async function start(text: string, path = 'call.flow.yaml'): Promise<RunId> {
  const { runId } = await engine.startRun({ path, text, inputs: {} });
  await engine.whenEnded(runId);
  return runId;
}

const ended = async (runId: RunId): Promise<string> => (await engine.whenEnded(runId)).status;

/** Returns what the only waiting node waits for. */
async function needsOf(runId: RunId): Promise<readonly PermissionNeed[] | undefined> {
  const [{ request } = { request: undefined }] = await engine.waiting(runId);
  return request?.kind === 'approval' ? request.permission : undefined;
}

async function allow(runId: RunId, given?: readonly PermissionNeed[]): Promise<string> {
  const needs = given ?? (await needsOf(runId)) ?? [];
  await engine.grantPermissions(needs);
  await engine.allowWaiting({ runId, needs });
  return await ended(runId);
}

const privateNeed = (): PermissionNeed => ({ kind: 'private-address', host: new URL(world.base).host });

test('13.6 a node waits for a private address before it runs, and sends its request once it is allowed', async () => {
  await open();
  const runId = await start(flowOf([call({ url: world.base, method: 'POST', body: 'x' })]));
  expect(await engine.getRun(runId)).toMatchObject({ status: 'suspended', waitStatus: 'PENDING_PERMISSION' });
  expect([await needsOf(runId), world.heard]).toEqual([[privateNeed()], []]);
  const events = (await engine.readEvents(runId, -1, 100)).map(({ event }) => event);
  expect(events.at(-1)).toMatchObject({ type: 'run:suspended', reason: 'permission', nodeId: 'call' });
  expect(events.find(({ type }) => type === 'node:suspended')).toMatchObject({
    request: {
      reason: 'permission',
      message: `"call" needs your permission to send requests to ${new URL(world.base).host}, an address on this machine or your network.`,
    },
  });
  expect(events.some(({ type }) => type === 'governance:decision' || type === 'node:retry')).toBe(false);
  expect(await allow(runId)).toBe('completed');
  expect(world.heard).toHaveLength(1);
  expect((await engine.readTrust()).isTrusted).toBe(false);
  // The permission is stored for the workspace.
  expect(await ended(await start(flowOf([call({ url: `${world.base}/2` })])))).toBe('completed');
  expect(await engine.listPrivateHosts()).toEqual([new URL(world.base).host]);
  await engine.forgetPrivateHost(new URL(world.base).host);
  expect(await ended(await start(flowOf([call({ url: world.base })])))).toBe('suspended');
});

test('13.6 a node waits for trust before a command', async () => {
  await open();
  const runId = await start(flowOf([command]));
  expect(await needsOf(runId)).toEqual([{ kind: 'trust', command: expect.stringContaining('console.log(1)') }]);
  expect(await allow(runId)).toBe('completed');
  expect((await engine.readTrust()).isTrusted).toBe(true);
});

test('13.6 a node waits for the permission to send a secret to a host', async () => {
  await open({ isTrusted: true, bindsKeys: true });
  const headers = { authorization: 'Bearer {{secret.API_TOKEN}}' };
  const runId = await start(flowOf([call({ url: world.base, headers })]));
  const { host } = new URL(world.base);
  expect(await needsOf(runId)).toEqual([{ kind: 'secret-host', name: 'API_TOKEN', host }]);
  expect(await allow(runId)).toBe('completed');
  expect(world.heard[0]?.headers.authorization).toBe('Bearer a-very-secret-token');
  await world.expectNoTrace(['a-very-secret-token']);
});

test('13.6 a node requests everything that it lacks at once, and other nodes continue', async () => {
  await open({ bindsKeys: true });
  const asks = call({ url: world.base, headers: { a: '{{secret.API_TOKEN}}', b: '{{secret.API_TOKEN}}' } });
  const text = flowOf([asks, node('other', 'echo', { input: { text: 'x' } })]);
  await engine.startRun({ path: 'call.flow.yaml', text, inputs: {} }).catch(async (thrown) => {
    const { path, definitionHash, names } = thrown.details;
    await engine.allowSecrets({ path, definitionHash, names });
  });
  const runId = await start(text);
  const { host } = new URL(world.base);
  expect(await needsOf(runId)).toEqual([privateNeed(), { kind: 'secret-host', name: 'API_TOKEN', host }]);
  const done = (await engine.readEvents(runId, -1, 100)).flatMap(({ event }) =>
    event.type === 'task:complete' ? [event] : [],
  );
  expect(done).toMatchObject([{ nodeId: 'other' }]);
  expect(await allow(runId)).toBe('completed');
});

test('13.6 a node that waits for a permission survives the end of the program, even of one without a user', async () => {
  await open();
  const runId = await start(
    flowOf([call({ url: world.base }), node('ask', 'human_approval', { input: { title: 'Go?' } })]),
  );
  await engine.close();
  engine = await world.untrusted(env);
  await engine.resumeRun({ runId, nodeId: 'ask', payload: { approved: true } });
  expect(await ended(runId)).toBe('suspended');
  expect([(await engine.waiting(runId)).length, await needsOf(runId), world.heard]).toEqual([1, [privateNeed()], []]);
  await reopen();
  expect(await allow(runId)).toBe('completed');
  expect(world.heard).toHaveLength(1);
});

test('13.6 a node requests a permission again if it was revoked before the node could run', async () => {
  await open();
  const runId = await start(flowOf([call({ url: world.base })]));
  await engine.allowWaiting({ runId, needs: [privateNeed()] });
  expect(await ended(runId)).toBe('suspended');
  expect([await needsOf(runId), world.heard]).toEqual([[privateNeed()], []]);
  expect(await allow(runId)).toBe('completed');
});

test('13.6 a node waits in a called flow and in items of a loop, each by its full name', async () => {
  await open();
  world.folder.write('workspace/inner.flow.yaml', flowOf([call({ url: world.base })]));
  const each = node('each', 'control.foreach', { input: { items: [1, 2], body: ['get'] } });
  const inner = node('inner', 'flow', { input: { flow: 'inner.flow.yaml' } });
  const runId = await start(flowOf([inner, each, call({ url: world.base }, 'get')]));
  expect((await engine.waiting(runId)).map(({ name }) => name).sort()).toEqual([
    'each[0].get',
    'each[1].get',
    'inner/call',
  ]);
  expect(await allow(runId)).toBe('completed');
  expect(world.heard).toHaveLength(3);
});

test('13.6 a node that waits for a permission is canceled with its run', async () => {
  await open();
  const runId = await start(flowOf([call({ url: world.base })]));
  engine.cancelRun(runId);
  await vi.waitUntil(async () => (await engine.getRun(runId)).status === 'cancelled', { timeout: 60_000 });
  expect([await engine.listWaiting(), world.heard]).toEqual([[], []]);
});

test.each<[string, object]>([
  ['an approval', { decision: 'approve' }],
  ['an approval of this node', { decision: 'approve', nodeId: 'call' }],
  ['a payload', { payload: { approved: true }, nodeId: 'call', key: 'permission:1' }],
  ['a payload with a scope', { payload: { approved: true, scope: 'workspace' } }],
  ['a payload that names the permission', { payload: { approved: true, permission: [{ kind: 'trust' }] } }],
  ['a rejection', { decision: 'reject' }],
])('13.6 a node that waits for a permission is not answered by %s', async (_, answer) => {
  await open();
  const runId = await start(flowOf([call({ url: world.base })]));
  await expect(engine.resumeRun({ runId, ...answer })).rejects.toMatchObject({
    code: 'run.invalid-state',
    message: expect.stringContaining('--allow'),
  });
  expect([(await engine.getRun(runId)).status, world.heard]).toEqual(['suspended', []]);
});

test('13.6 a node that waits for a permission keeps waiting when another permission is granted', async () => {
  await open();
  const runId = await start(flowOf([call({ url: world.base })]));
  const needs: PermissionNeed[] = [{ kind: 'private-address', host: '127.0.0.1:1' }];
  await expect(engine.allowWaiting({ runId, needs })).rejects.toMatchObject({ code: 'run.invalid-state' });
});

const cases: [string, (text: string) => string, Partial<EngineOptions> | undefined][] = [
  ['in a run without a person', (url) => flowOf([call({ url })]), { asksPermission: undefined } as never],
  ['after a redirect', (url) => flowOf([call({ url: `${url}/away` })]), undefined],
];
test.each(cases)('13.6 a node still fails %s', async (_, text, more) => {
  await open(more);
  world.answer = ({ url }) =>
    url === '/away' ? { status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' } : { body: '{}' };
  if (text === cases[1]?.[1]) await engine.grantPermissions([privateNeed()]);
  const runId = await start(text(world.base));
  expect([(await engine.getRun(runId)).status, await engine.waiting(runId)]).toEqual(['failed', []]);
});

test('13.6 a node still fails if a policy denies the effect', async () => {
  world.folder.write('workspace/millrace.policy.yaml', 'effects: { command: deny }\nblocked_hosts: ["127.0.0.1"]\n');
  await open();
  for (const refused of [call({ url: '{{flow.input.url}}' }), command]) {
    const text = flowOf([refused], { input: { url: world.base } });
    const runId = await start(text);
    expect(await engine.getRun(runId)).toMatchObject({ status: 'failed', error: { code: 'effect.denied' } });
    expect(await engine.waiting(runId)).toEqual([]);
  }
});

test.each(['http://user@127.0.0.1/', 'http:\\\\127.0.0.1/', 'http://127.0.0.1%2eexample/', 'http://127.0.0.1:99999/'])(
  '13.6 a node still fails with the address %s',
  async (url) => {
    await open();
    const runId = await start(flowOf([call({ url })]));
    expect((await engine.getRun(runId)).status).toBe('failed');
  },
);

test.each([
  'http://localhost:9/',
  'http://127.1:9/',
  'http://0x7f000001:9/',
  'http://[::1]:9/',
  'http://[::ffff:127.0.0.1]:9/',
  'http://192.168.1.20/',
  'http://10.0.0.1:8080/a?b',
  'http://169.254.169.254/',
  'http://LOCALHOST.:9/',
])('13.6 recognizes %s as an address on this machine or a private network', async (url) => {
  await open();
  const runId = await start(flowOf([call({ url })]));
  expect(await needsOf(runId)).toMatchObject([{ kind: 'private-address' }]);
});

test('13.6 no agent or node can request a permission in the name of the program', async () => {
  await open();
  world.folder.write(
    'workspace/a.aip',
    '# Output\n```lua\nreturn aip.flow.ask({ key = "permission:1", title = "Trust?", permission = { { kind = "trust", command = "rm" } } })\n```\n',
  );
  const { runId } = (await engine.startAgent({ agent: 'a.aip', inputs: ['x'] })) as { runId: RunId };
  await engine.whenEnded(runId);
  expect(await needsOf(runId)).toBeUndefined();
});
