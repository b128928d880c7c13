/** Tests the response of a node to the caller of a webhook. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HookWorld, hookFlow } from './test-hook-world.ts';

let world: HookWorld;
beforeEach(() => {
  world = new HookWorld();
});
afterEach(() => world.end());

function respondFlow(nodes: string, { policy = '', edges = '' } = {}): string {
  return hookFlow('path: a, answer: respond')
    .replace(/nodes: .*/, `nodes: [${nodes}]`)
    .replace('edges: []', `edges: [${edges}]`)
    .replace('  triggers:', `${policy}  triggers:`);
}

const created =
  '{ id: reply, type: respond, input: { status: 201, headers: { Location: /orders/7 }, body: { id: 7, text: "{{flow.input.text}}" } } }';

test('the caller gets it while the run continues', async () => {
  const wait = '{ id: wait, type: control.wait, input: { ms: 600000 } }';
  await world.begin({ 'a.flow.yaml': respondFlow(`${created}, ${wait}`, { edges: '{ from: reply, to: wait }' }) });
  const { status, headers, text } = await world.ask('/hooks/a');
  expect([status, headers['location'], JSON.parse(text)]).toEqual([201, '/orders/7', { id: 7, text: 'none' }]);
  expect((await world.engine.listRuns({ limit: 1 }))[0]?.status).toBe('running');
});

test('a repeated request gets it from the history', async () => {
  await world.begin({ 'a.flow.yaml': respondFlow(created) });
  const headers = { 'idempotency-key': '1' };
  const first = await world.ask('/hooks/a', { headers });
  const [run] = await world.engine.listRuns({ limit: 1 });
  if (run !== undefined) await world.engine.whenEnded(run.runId);
  const again = await world.ask('/hooks/a', { headers });
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(await world.engine.listRuns({ limit: 9 })).toHaveLength(1);
});

test('a second one is only recorded, with a warning', async () => {
  const second = '{ id: more, type: respond, input: { body: second } }';
  await world.begin({ 'a.flow.yaml': respondFlow(`${created}, ${second}`, { edges: '{ from: reply, to: more }' }) });
  expect((await world.ask('/hooks/a')).status).toBe(201);
  const [run] = await world.engine.listRuns({ limit: 1 });
  if (run === undefined) throw new Error('A run has started.');
  expect((await world.engine.whenEnded(run.runId)).status).toBe('completed');
  const events = (await world.engine.readEvents(run.runId, -1, 1_000)).map(({ event }) => event);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'log', level: 'warn', text: expect.stringContaining('already responded') }),
  );
});

test('a page cannot run scripts or read anything of the service', async () => {
  const page =
    '{ id: reply, type: respond, input: { headers: { content-type: text/html }, body: "<script>1</script>" } }';
  await world.begin({ 'a.flow.yaml': respondFlow(page) });
  expect((await world.ask('/hooks/a')).headers).toMatchObject({
    'content-type': 'text/html',
    'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    'x-content-type-options': 'nosniff',
  });
});

test('without one, the caller is told so', async () => {
  const failing = '{ id: fail, type: control.fail, input: { message: private } }';
  await world.begin({ 'a.flow.yaml': respondFlow(`${failing}, ${created}`, { edges: '{ from: fail, to: reply }' }) });
  const { status, text } = await world.ask('/hooks/a');
  expect([status, JSON.parse(text)]).toMatchObject([500, { error: { code: 'run.no-response' } }]);
  expect(text).not.toContain('private');
});

test('without a caller, it is only recorded', async () => {
  const text = respondFlow(created);
  await world.begin({ 'a.flow.yaml': text });
  const { runId } = await world.engine.startRun({ path: 'a.flow.yaml', text, inputs: {} });
  expect((await world.engine.whenEnded(runId)).status).toBe('completed');
});

test.each([
  ['suggest_only', 500, 'completed'],
  ['semi_auto', 202, 'suspended'],
] as const)(
  'at the autonomy level %s, the caller does not get it without approval',
  async (level, expected, status) => {
    await world.begin({ 'a.flow.yaml': respondFlow(created, { policy: `  policy: { autonomy: ${level} }\n` }) });
    const answer = await world.ask('/hooks/a');
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([expected, { status }]);
    expect(answer.headers).not.toHaveProperty('location');
  },
);

test('at the autonomy level full_auto, the caller gets it if a policy allows the level', async () => {
  const policy = join(world.folder, 'millrace.policy.yaml');
  writeFileSync(policy, 'allow_full_autonomy: true\n');
  await world.begin({ 'a.flow.yaml': respondFlow(created, { policy: '  policy: { autonomy: full_auto }\n' }) });
  const { status, headers } = await world.ask('/hooks/a');
  expect([status, headers['location']]).toEqual([201, '/orders/7']);
  rmSync(policy);
  expect((await world.ask('/hooks/a')).status).toBe(500);
});

test('after its approval, the caller gets it when it repeats the request', async () => {
  await world.begin({ 'a.flow.yaml': respondFlow(created, { policy: '  policy: { autonomy: semi_auto }\n' }) });
  const headers = { 'idempotency-key': '1' };
  const { runId } = JSON.parse((await world.ask('/hooks/a', { headers })).text);
  await world.engine.resumeRun({ runId, nodeId: 'reply', payload: { approved: true }, by: 'kim' });
  expect((await world.engine.whenEnded(runId)).status).toBe('completed');
  const again = await world.ask('/hooks/a', { headers });
  expect([again.status, again.headers['location'], JSON.parse(again.text)]).toMatchObject([
    201,
    '/orders/7',
    { id: 7 },
  ]);
  expect(await world.engine.listRuns({ limit: 9 })).toHaveLength(1);
});
