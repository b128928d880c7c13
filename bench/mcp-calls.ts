/**
 * Measures an MCP tool call through the tool executor, with its checks, the gate and its events, against the SDK's
 * client alone. Each side has its own server process, connected over stdio, and the two alternate. All times are this
 * process's CPU time, which excludes the servers and other programs.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openCapabilities, systemClock } from '../engine/index.ts';
import { cpuMs, median, report } from './statistics.ts';

const callsAtOnce = 100;
const rounds = 30;
const warmUpRounds = 10;

const { resolve } = createRequire(path.resolve('package.json'));
const packageFile = resolve('@modelcontextprotocol/server-everything/package.json');
const command = process.execPath;
const args = [path.join(path.dirname(packageFile), 'dist/index.js'), 'stdio'];

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
await writeFile(path.join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: { all: { command, args } } }));
const { capabilities, close } = await openCapabilities({
  workspace,
  homeFolder: path.join(workspace, 'home'),
  isTrusted: true,
});
const bare = new Client({ name: 'bench', version: '1' });
await bare.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));

let events = 0;
type Scope = Parameters<typeof capabilities.tools.call>[1];
// Events are dropped. Writing them to disk is measured elsewhere.
const hub = { emit: () => void events++, with: () => hub };
const scope = {
  hub,
  signal: new AbortController().signal,
  clock: systemClock,
  runId: 'bench',
  depth: 0,
  isDry: false,
  // Approves the first call.
  ask: async () => ({ payload: { approved: true } }),
} as unknown as Scope;

async function timeOurs(): Promise<number> {
  const startedAt = cpuMs();
  for (let call = 0; call < callsAtOnce; call++) {
    const result = await capabilities.tools.call(
      { tool: 'all.echo', params: { message: `hello ${call}` }, callKey: `tool:${call}` },
      scope,
    );
    if (result.status !== 'success') throw new Error(result.message);
  }
  return cpuMs() - startedAt;
}

async function timeBare(): Promise<number> {
  const startedAt = cpuMs();
  for (let call = 0; call < callsAtOnce; call++) {
    await bare.callTool({ name: 'echo', arguments: { message: `hello ${call}` } });
  }
  return cpuMs() - startedAt;
}

const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round < rounds + warmUpRounds; round++) {
  const bareMs = await timeBare();
  const ourMs = await timeOurs();
  if (round < warmUpRounds) continue;
  ours.push(ourMs);
  theirs.push(bareMs);
}
await bare.close();
await close();
await rm(workspace, { recursive: true });

const perCall = (samples: readonly number[]): number => (median(samples) / callsAtOnce) * 1000;
report({
  what: `a call of an MCP tool over stdio (${events / (rounds + warmUpRounds) / callsAtOnce} events)`,
  ours: perCall(ours),
  yardstick: { name: 'with the bare client of the SDK', value: perCall(theirs) },
  unit: 'us',
});
