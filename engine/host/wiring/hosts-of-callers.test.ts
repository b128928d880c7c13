/**
 * 13.2: for every client of a web server, a policy that blocks a host applies to every spelling of it.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { misleadingSpellings, plainSpellings } from '../../testing/host-spellings.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
  world.folder.write('workspace/millrace.policy.yaml', 'blocked_hosts: ["127.1", LOCALHOST.]\n');
  world.folder.write('workspace/tools/ask.tool.yaml', tool);
});
afterEach(() => world.close());

const tool = `tool_id: ask
description: Asks an address.
input_schema: { type: object, properties: { url: { type: string } } }
run: { http: { url: "{{params.url}}" } }
`;

const port = () => Number(new URL(world.base).port);
const spellings = () => [...plainSpellings(port()), ...misleadingSpellings(port())];

interface Node {
  readonly type: string;
  readonly input: object;
  readonly config?: object;
}

/** Runs a flow with a node for each spelling; each may fail. */
async function run(nodeFor: (url: string, index: number) => Node): Promise<readonly EventEnvelope[]> {
  const nodes = spellings().map((url, index) => ({ id: `n${index}`, ...nodeFor(url, index) }));
  const flow = { flow: { name: 'F', policy: { failFast: false } }, nodes, edges: [] };
  return await runFlow(await world.engine(), JSON.stringify(flow));
}

const ofType = <Type extends RunEvent['type']>(events: readonly EventEnvelope[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));

describe('13.2 a blocked host cannot be reached in any of 66 spellings', () => {
  test.each<[string, (url: string, index: number) => Node]>([
    ['http.request', (url) => ({ type: 'http.request', input: { url } })],
    ['a download', (url, index) => ({ type: 'http.request', input: { url, saveTo: `${index}.txt` } })],
    ['core.http_get', (url) => ({ type: 'tool', input: { url }, config: { tool: 'core.http_get' } })],
    ['a manifest', (url) => ({ type: 'tool', input: { url }, config: { tool: 'ask' } })],
  ])('by %s', async (_name, nodeFor) => {
    const events = await run(nodeFor);
    expect(world.heard).toEqual([]);
    const codes = ofType(events, 'task:failed').map(({ error }) => error.code);
    expect(codes).toHaveLength(spellings().length);
    expect(new Set(codes)).not.toContain('internal');
    const denied = ofType(events, 'governance:decision');
    expect(denied).toHaveLength(plainSpellings(port()).length);
    // The verdict shows what would have been connected to.
    for (const { target } of denied)
      expect(target).toMatch(/^http:\/\/(?:127\.0\.0\.1|localhost\.?|\[::ffff:7f00:1\]):\d+\//);
  });

  test('with aip.web', async () => {
    const code = `local refused = 0
for _, url in ipairs(input.urls) do
  local ok = pcall(function() return aip.web.get(url) end)
  if not ok then refused = refused + 1 end
end
return { refused = refused }`;
    const nodes = [{ id: 'a', type: 'script.lua', input: { urls: spellings() }, config: { code } }];
    const events = await runFlow(await world.engine(), JSON.stringify({ flow: { name: 'F' }, nodes, edges: [] }));
    expect(world.heard).toEqual([]);
    expect(ofType(events, 'run:end')).toMatchObject([{ output: { a: { refused: spellings().length } } }]);
  });

  test('through a redirect', async () => {
    const targets = spellings().filter((text) => !/[^\t -~]/.test(text));
    const { base } = world;
    world.folder.write('workspace/millrace.policy.yaml', 'blocked_hosts: [localhost]\n');
    world.answer = ({ url }) =>
      url.startsWith('/from')
        ? {
            status: 302,
            headers: { location: (targets[Number(url.slice(5))] ?? '').replace('127.0.0.1', 'localhost') },
            body: '',
          }
        : { body: '{}' };
    const nodes = targets.map((_, index) => ({
      id: `n${index}`,
      type: 'http.request',
      input: { url: `${base}/from${index}` },
    }));
    await runFlow(
      await world.engine(),
      JSON.stringify({ flow: { name: 'F', policy: { failFast: false } }, nodes, edges: [] }),
    );
    expect(
      world.heard.filter(({ url, headers }) => !url.startsWith('/from') && headers.host?.startsWith('localhost')),
    ).toEqual([]);
  });

  test('with MCP servers', async () => {
    const servers = Object.fromEntries(spellings().map((url, index) => [`s${index}`, { url }]));
    world.folder.write('workspace/.mcp.json', JSON.stringify({ mcpServers: servers }));
    const engine = await world.engine();
    const nodes = plainSpellings(port()).map((_, index) => ({
      ...{ id: `s${index}`, type: 'tool' },
      ...{ input: {}, config: { tool: `s${index}.echo` } },
    }));
    await runFlow(engine, JSON.stringify({ flow: { name: 'F', policy: { failFast: false } }, nodes, edges: [] }));
    expect(world.heard).toEqual([]);
  });
});

test('13.2 a secret is sent to every plain spelling of an allowed host, and to no misleading one', async () => {
  world.folder.write('workspace/millrace.policy.yaml', '');
  const engine = await world.engine({ MILLRACE_SECRET_API_TOKEN: 'a-token-9876' });
  await engine.allowSecretHost({ name: 'API_TOKEN', host: `0x7f.1:${port()}` });
  await engine.allowSecretHost({ name: 'API_TOKEN', host: `LocalHost.:${port()}` });
  const nodes = spellings().map((url, index) => ({
    ...{ id: `n${index}`, type: 'http.request' },
    input: { url, headers: { authorization: '{{secret.API_TOKEN}}' } },
  }));
  const flow = { flow: { name: 'F', policy: { failFast: false } }, nodes, edges: [] };
  const events = await runFlow(engine, JSON.stringify(flow));
  const codes = new Set(ofType(events, 'task:failed').map(({ error }) => error.code));
  // Not every system resolves `localhost.`.
  codes.delete('web.unreachable');
  expect([...codes]).toEqual(['web.bad-address']);
  expect(world.heard.length).toBeGreaterThan(20);
});
