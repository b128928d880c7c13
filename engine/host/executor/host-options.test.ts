import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { agentFlow, agentNode } from '../../testing/agent-node.ts';
import { testNode } from '../../testing/test-node.ts';

let workspace: string;
let engine: Engine | undefined;

beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'millrace-host-'));
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  rmSync(workspace, { recursive: true });
});

async function open(options: Partial<EngineOptions>): Promise<Engine> {
  engine = await createEngine({ workspace, homeFolder: path.join(workspace, 'home'), ...options });
  return engine;
}

async function run(host: Engine, text: string) {
  const { runId } = await host.startRun({ path: 'a.flow.yaml', text, inputs: {} });
  await host.whenEnded(runId);
  return (await host.readEvents(runId, -1, 100)).at(-1)?.event;
}

async function problemOf(attempt: () => unknown) {
  try {
    await attempt();
    return undefined;
  } catch (thrown) {
    return toErrorRecord(thrown);
  }
}

/** Returns the codes that validation reports for a text, checked against the engine's own refusal. */
async function codesOf(host: Engine, text: string): Promise<readonly string[]> {
  const problem = await problemOf(() => run(host, text));
  expect(problem?.code).toBe('flow.invalid');
  // `flow.invalid` always carries its diagnostics.
  const diagnostics = (problem?.details ?? []) as readonly { code: string }[];
  return diagnostics.map(({ code }) => code);
}

function oneNode(type: string, header = ''): string {
  return `flow: { name: One${header} }\nnodes: [{ id: a, type: ${type}, input: {} }]\nedges: []`;
}

test('FE-71 rejects a long-lived node type with a diagnostic unless the engine allows it', async () => {
  const server = { ...testNode('server', async () => ({ ended: true })), longLived: true } as const;
  const nodePacks = [{ name: 'servers', version: '1', nodeTypes: [server] }];
  const text = oneNode('server', ', nodePacks: [servers]');
  const strict = await open({ nodePacks });
  expect(await codesOf(strict, text)).toEqual(['node.long-lived']);
  expect(await strict.listRuns({ limit: 5 })).toEqual([]);
  await strict.close();
  const lenient = await open({ nodePacks, allowLongLived: ['server'] });
  expect(await run(lenient, text)).toMatchObject({ status: 'completed', output: { a: { ended: true } } });
});

test('node types of a pack are available only to flows that list the pack', async () => {
  const order = testNode('shop.order', async () => ({ order: 7 }));
  const host = await open({ nodePacks: [{ name: 'shop', version: '1.4', nodeTypes: [order] }] });
  expect(await run(host, oneNode('shop.order', ', nodePacks: [shop]'))).toMatchObject({ output: { a: { order: 7 } } });
  expect(await codesOf(host, oneNode('shop.order'))).toEqual(['node.pack-not-listed']);
  expect(await codesOf(host, oneNode('control.noop', ', nodePacks: [mail]'))).toContain('flow.pack-not-allowed');
});

test('rejects packs that define the same node type twice, before opening anything', async () => {
  const echo = testNode('echo', async () => null);
  const nodePacks = [{ name: 'mine', version: '1', nodeTypes: [echo] }];
  expect(await problemOf(() => open({ nodePacks }))).toMatchObject({ code: 'node-type.duplicate' });
});

test('delivers a message of the host to the agent with the given run ID while the agent is running', async () => {
  const listener = agentNode('listener', async ({ inbox }) => (await inbox.pop())?.content ?? 'nothing');
  const host = await open({ nodePacks: [{ name: 'agents', version: '1', nodeTypes: [listener] }] });
  const ids: RunId[] = [];
  host.subscribe((events) => {
    for (const { event } of events) {
      if (event.type !== 'agent:start') continue;
      ids.push(event.runId);
      host.sendMessage(event.runId, 'go left');
    }
  });
  const text = agentFlow('listener').replace('name: Agents', 'name: Agents, nodePacks: [agents]');
  expect(await run(host, text)).toMatchObject({ output: { after: { text: 'then go left' } } });
  const [agentRun] = ids;
  if (agentRun === undefined) throw new Error('No agent has started');
  expect(await problemOf(() => host.sendMessage(agentRun, 'too late'))).toMatchObject({ code: 'inbox.no-such-run' });
});
