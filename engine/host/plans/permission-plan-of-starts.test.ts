/** Tests which permissions are missing for each way of starting a run. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needText } from '../../base/consent.ts';
import type { RunId } from '../../base/ids.ts';
import type { Engine, EngineOptions } from '../../index.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { SecretWorld } from '../../testing/secret-world.ts';
import type { PlannedStart } from './permission-plan.ts';

let world: SecretWorld;
let engine: Engine;
const path = 'call.flow.yaml';

beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

const open = async (more: Partial<EngineOptions> = {}): Promise<void> => {
  engine = await world.untrusted(process.env, { asksPermission: true, ...more });
};

const call = (id: string, url: string): JsonMap => ({ id, type: 'http.request', input: { url } });
const echo = (id: string, text: JsonValue): JsonMap => ({ id, type: 'echo', input: { text } });
const flowOf = (nodes: readonly JsonMap[], edges: readonly JsonMap[] = []): string =>
  JSON.stringify({ flow: { name: 'F' }, nodes, edges } as JsonValue);

/** Returns the IDs of nodes with missing permissions, and these permissions. */
async function missing(start: PlannedStart): Promise<Record<string, readonly string[]>> {
  const { missing: found } = await engine.findPermissions(start);
  return Object.fromEntries(found.map(({ need, nodes }) => [needText(need), nodes]));
}

const toHost = (host: string): string => `send requests to ${host}, an address on this machine or your network`;

async function run(text: string): Promise<RunId> {
  const { runId } = await engine.startRun({ path, text, inputs: {} });
  await engine.whenEnded(runId);
  return runId;
}

const twoHosts = flowOf([call('a', 'http://10.0.0.1/'), call('b', 'http://10.0.0.2/')]);

test.each<[string, JsonMap, readonly string[]]>([
  ['the whole flow', {}, ['10.0.0.1', '10.0.0.2']],
  ['one node', { part: { only: 'b' } }, ['10.0.0.2']],
  ['the flow up to a node', { part: { to: 'a' } }, ['10.0.0.1']],
  ['the flow with a pinned output', { pins: { a: { status: 200 } } }, ['10.0.0.2']],
])('13.6 a start of %s asks only for what its nodes need', async (_, part, hosts) => {
  await open();
  const request = { path, text: twoHosts, inputs: {}, ...part };
  expect(Object.keys(await missing({ by: 'startRun', request }))).toEqual(hosts.map(toHost));
});

test('13.6 a node that runs alone requests the host that a given output names', async () => {
  await open();
  const text = flowOf(
    [echo('a', 'x'), { id: 'b', type: 'http.request', input: { url: 'http://{{a.text}}/' } }],
    [{ from: 'a', to: 'b' }],
  );
  const request = { path, text, inputs: {}, part: { only: 'b' }, pins: { a: { text: '10.0.0.9' } } } as const;
  expect(await missing({ by: 'startRun', request })).toEqual({ [toHost('10.0.0.9')]: ['b'] });
});

test('13.6 running again requests what the text in the editor needs', async () => {
  await open();
  const runId = await run(flowOf([echo('a', 'x')]));
  const again = { runId, text: flowOf([echo('a', 'x'), call('b', 'http://10.0.0.2/')]) };
  expect(await missing({ by: 'redo', request: again })).toEqual({ [toHost('10.0.0.2')]: ['b'] });
  const kept = { runId, text: flowOf([echo('a', 'x')]) };
  expect(await missing({ by: 'redo', request: kept })).toEqual({});
});

test('13.6 a rerun requests permissions for the nodes that run, not for those with reused outputs', async () => {
  await open();
  const { host } = new URL(world.base);
  await engine.grantPermissions([{ kind: 'private-address', host }]);
  const nodes = [call('a', world.base), echo('b', 'x'), call('c', 'http://10.0.0.3/')];
  const text = (last: string): string =>
    flowOf(
      [...nodes.slice(0, 2), call('c', last)],
      [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    );
  const runId = await run(text(world.base));
  await engine.forgetPrivateHost(host);
  const changed = { runId, text: text('http://10.0.0.3/') };
  expect(await missing({ by: 'rerunFrom', request: changed })).toEqual({ [toHost('10.0.0.3')]: ['c'] });
  expect(await missing({ by: 'rerunFrom', request: { ...changed, part: { to: 'b' } } })).toEqual({});
  expect(await missing({ by: 'rerunFrom', request: { ...changed, nodeId: 'a' } })).toEqual({
    [toHost(host)]: ['a'],
    [toHost('10.0.0.3')]: ['c'],
  });
});

test('13.6 rerunning one item requests what its body needs, but not what comes after the loop', async () => {
  await open();
  const { host } = new URL(world.base);
  await engine.grantPermissions([{ kind: 'private-address', host }]);
  const each = { id: 'each', type: 'control.foreach', input: { items: [1, 2], body: ['get'] } };
  const text = flowOf([call('a', world.base), each, call('get', `${world.base}/{{item}}`)]);
  const runId = await run(text);
  await engine.forgetPrivateHost(host);
  const request = { runId, text, nodeId: 'each[1].get' };
  expect(await missing({ by: 'rerunFrom', request })).toEqual({ [toHost(host)]: ['get'] });
});

test('13.6 a part of a flow requests permissions of a called flow only if it calls that flow', async () => {
  await open();
  world.folder.write('workspace/inner.flow.yaml', flowOf([call('deep', 'http://10.0.0.7/')]));
  const text = flowOf([echo('a', 'x'), { id: 'inner', type: 'flow', input: { flow: 'inner.flow.yaml' } }]);
  const request = { path, text, inputs: {} };
  expect(await missing({ by: 'startRun', request })).toEqual({ [toHost('10.0.0.7')]: ['inner.flow.yaml: deep'] });
  expect(await missing({ by: 'startRun', request: { ...request, part: { to: 'a' } } })).toEqual({});
});

const agents: [string, string, readonly string[]][] = [
  ['a command', 'return aip.cmd.exec("git", { "status" })', ['aip.cmd']],
  ['the web', 'return aip.web.get("https://shop.example/")', ['aip.web']],
  ['a secret and the web', 'aip.secret("API_TOKEN") aip.web.get("x")', ['aip.web, aip.secret']],
  ['git', 'aip.git.restore("a.txt")', ['aip.git.restore']],
  ['files only', 'return aip.file.load("a.txt")', []],
  ['a command in a comment', '-- aip.cmd.exec("x")\n--[[ aip.web.get("y") ]]\nreturn 1', []],
  ['functions with other names', 'return my_aip.cmd, aip.cmdline', []],
];
test.each(agents)('13.6 an agent with scripts that call %s requests trust before it starts', async (_, lua, named) => {
  await open();
  const text = `# Output\n\n\`\`\`lua\n${lua}\n\`\`\`\n`;
  world.folder.write('workspace/report.aip', text);
  const asked = named.map((names) => [
    `trust this workspace to run scripts of report.aip that call ${names}`,
    ['report.aip'],
  ]);
  const start = { by: 'startAgent', request: { agent: 'report.aip' } } as const;
  expect(await missing(start)).toEqual(Object.fromEntries(asked));
  expect(await missing({ ...start, request: { agent: 'report.aip', text: '# Output\n' } })).toEqual({});
  await engine.setTrust(true);
  expect(await missing(start)).toEqual({});
});

test('13.6 rerunning an agent requests trust, except where a policy denies the calls', async () => {
  const text = '# Output\n\n```lua\nreturn aip.cmd.exec("git")\n```\n';
  world.folder.write('workspace/report.aip', '# Output\n\n```lua\nreturn 1\n```\n');
  await open();
  const { runId } = (await engine.startAgent({ agent: 'report.aip', inputs: ['x'] })) as { runId: RunId };
  await engine.whenEnded(runId);
  for (const start of [
    { by: 'redo', request: { runId, text } },
    { by: 'rerunFrom', request: { runId, text, nodeId: 'input:0' } },
  ] as const)
    expect(Object.values(await missing(start))).toEqual([['report.aip']]);
  await engine.close();
  world.folder.write('workspace/millrace.policy.yaml', 'effects: { command: deny }\n');
  await open();
  expect(await missing({ by: 'startAgent', request: { agent: 'report.aip', text } })).toEqual({});
});
