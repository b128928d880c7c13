/**
 * Measures a core tool call through the tool executor, with its checks, the gate and its events, against the same work
 * without them: reading a file. The query itself takes 1 µs, so its time is the call overhead, which must stay below 50
 * µs. All times are this process's CPU time.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openCapabilities, systemClock } from '../engine/index.ts';
import type { JsonMap } from '../engine/isomorphic.ts';
import { cpuMs, median, report } from './statistics.ts';

const callsAtOnce = 200;
const rounds = 30;
const warmUpRounds = 10;

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
await writeFile(path.join(workspace, 'a.md'), 'hello');
const { capabilities, close } = await openCapabilities({ workspace, homeFolder: path.join(workspace, 'home') });

type Scope = Parameters<typeof capabilities.tools.call>[1];
const { signal } = new AbortController();
const scope = {
  // Events are dropped. Writing them to disk is measured elsewhere.
  hub: { emit: () => undefined },
  ...{ signal, clock: systemClock, runId: 'bench', depth: 0, isDry: false },
} as unknown as Scope;

async function callTool(tool: string, params: JsonMap): Promise<void> {
  const result = await capabilities.tools.call({ tool, params }, scope);
  if (result.status !== 'success') throw new Error(result.message);
}

/** Returns the duration in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = cpuMs();
  for (let call = 0; call < callsAtOnce; call++) await work();
  return cpuMs() - startedAt;
}

const perCall = (samples: readonly number[]): number => (median(samples) / callsAtOnce) * 1000;
const value = { items: [{ name: 'a' }, { name: 'b' }] };
const samples = { query: [] as number[], read: [] as number[], readAlone: [] as number[] };
for (let round = 0; round < rounds + warmUpRounds; round++) {
  const queryMs = await timeOf(() => callTool('core.json_query', { value, path: '$.items[0].name' }));
  const readMs = await timeOf(() => callTool('core.file_read', { path: 'a.md' }));
  const readAloneMs = await timeOf(() => capabilities.files.readText('a.md', signal));
  if (round < warmUpRounds) continue;
  samples.query.push(queryMs);
  samples.read.push(readMs);
  samples.readAlone.push(readAloneMs);
}
report({
  what: 'a call of a core tool that queries JSON',
  ours: perCall(samples.query),
  yardstick: { name: 'the allowed overhead', value: 50 },
  unit: 'us',
});
report({
  what: 'a call of a core tool that reads a file',
  ours: perCall(samples.read),
  yardstick: { name: 'reading the file alone', value: perCall(samples.readAlone) },
  unit: 'us',
});
await close();
await rm(workspace, { recursive: true });
