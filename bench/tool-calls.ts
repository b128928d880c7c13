/**
 * What a call of a core tool costs by way of the executor of tools, with its checks, the gate and the facts that it tells, beyond the work
 * itself: reading the same file without it. At most 50 us are allowed for that.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openCapabilities, systemClock } from '../engine/index.ts';
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

async function timeOurs(): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < callsAtOnce; call++) {
    const result = await capabilities.tools.call({ tool: 'core.file_read', params: { path: 'a.md' } }, scope);
    if (result.status !== 'success') throw new Error(result.message);
  }
  return performance.now() - startedAt;
}

async function timeBare(): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < callsAtOnce; call++) await capabilities.files.readText('a.md', signal);
  return performance.now() - startedAt;
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
await close();
await rm(workspace, { recursive: true });

const perCall = (samples: readonly number[]): number => (median(samples) / callsAtOnce) * 1000;
report({
  what: 'a call of a core tool that reads a file',
  ours: perCall(ours),
  yardstick: { name: 'reading the file alone', value: perCall(theirs) },
  unit: 'us',
});
