/**
 * What a call of a core tool costs by way of the executor of tools, with its checks, the gate and the facts that it tells, beyond the work
 * itself: the same query, and reading the same file, without it. At most 50 us are allowed for that. Reading shows what callers see, but
 * waits for the threads of the system, which takes longer the longer they have had nothing to do: the query shows what is ours.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { queryInTurns } from '../engine/flowspec/json-path/query-in-turns.ts';
import { openCapabilities, systemClock } from '../engine/index.ts';
import type { JsonMap } from '../engine/isomorphic.ts';
import { median, report } from './statistics.ts';

const callsAtOnce = 200;
const rounds = 30;
const warmUpRounds = 10;

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
await writeFile(path.join(workspace, 'a.md'), 'hello');
const { capabilities, close } = await openCapabilities({ workspace, homeFolder: path.join(workspace, 'home') });

type Scope = Parameters<typeof capabilities.tools.call>[1];
const { signal } = new AbortController();
const scope = {
  // What is told goes nowhere: its way to the disk is measured elsewhere.
  hub: { emit: () => undefined },
  ...{ signal, clock: systemClock, runId: 'bench', depth: 0, isDry: false },
} as unknown as Scope;

async function callTool(tool: string, params: JsonMap): Promise<void> {
  const result = await capabilities.tools.call({ tool, params }, scope);
  if (result.status !== 'success') throw new Error(result.message);
}

/** Milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < callsAtOnce; call++) await work();
  return performance.now() - startedAt;
}

interface Comparison {
  readonly what: string;
  readonly alone: string;
  readonly byTool: () => Promise<unknown>;
  readonly work: () => Promise<unknown>;
}

async function compare({ what, alone, byTool, work }: Comparison): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    const bareMs = await timeOf(work);
    const ourMs = await timeOf(byTool);
    if (round < warmUpRounds) continue;
    ours.push(ourMs);
    theirs.push(bareMs);
  }
  const perCall = (samples: readonly number[]): number => (median(samples) / callsAtOnce) * 1000;
  report({ what, ours: perCall(ours), yardstick: { name: alone, value: perCall(theirs) }, unit: 'us' });
}

const value = { items: [{ name: 'a' }, { name: 'b' }] };
await compare({
  what: 'a call of a core tool that queries JSON',
  alone: 'the query alone',
  byTool: () => callTool('core.json_query', { value, path: '$.items[*].name' }),
  work: () => queryInTurns('$.items[*].name', value, { clock: systemClock, signal }),
});
await compare({
  what: 'a call of a core tool that reads a file',
  alone: 'reading the file alone',
  byTool: () => callTool('core.file_read', { path: 'a.md' }),
  work: () => capabilities.files.readText('a.md', signal),
});
await close();
await rm(workspace, { recursive: true });
