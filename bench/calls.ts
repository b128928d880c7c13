/**
 * Measures child flows: 100 calls of flows with 10 nodes, one after the other, against the same 1,000 nodes in one
 * flow. Both store their history in SQLite and run alternately in this process. All times are this process's CPU time.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import { chainFlow } from './graphs.ts';
import { cpuMs, median } from './statistics.ts';

const callCount = 100;
const nodesEach = 10;
const rounds = 25;
const warmUpRounds = 15;

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
const engine = await createEngine({ workspace });
await writeFile(path.join(workspace, 'ten.flow.yaml'), chainFlow(nodesEach));

const calls = Array.from(
  { length: callCount },
  (_, index) => `  - { id: c${index}, type: flow, input: { flow: ten.flow.yaml } }`,
);
const edges = calls.slice(1).map((_, index) => `{ from: c${index}, to: c${index + 1} }`);
const calling = `flow: { name: Calls }\nnodes:\n${calls.join('\n')}\nedges: [${edges.join(', ')}]\n`;
const inline = chainFlow(callCount * nodesEach);

async function time(text: string): Promise<number> {
  const startedAt = cpuMs();
  const { runId } = await engine.startRun({ path: 'bench.flow.yaml', text, inputs: {} });
  const { status } = await engine.whenEnded(runId);
  if (status !== 'completed') throw new Error(`The run ended ${status}`);
  return cpuMs() - startedAt;
}

const inlineMs: number[] = [];
const callingMs: number[] = [];
for (let round = 0; round < rounds + warmUpRounds; round++) {
  const one = await time(inline);
  const other = await time(calling);
  if (round < warmUpRounds) continue;
  inlineMs.push(one);
  callingMs.push(other);
}
await engine.close();
await rm(workspace, { recursive: true });

const [one, other] = [median(inlineMs), median(callingMs)];
console.log(`${callCount} calls of flows with ${nodesEach} nodes, recorded in SQLite, median of ${rounds}`);
console.log(`  in one flow  ${one.toFixed(1)} ms`);
console.log(`  called       ${other.toFixed(1)} ms, ${(other / one).toFixed(2)} times`);
