/**
 * Measures the engine when every node's result is committed before the next node starts: a chain of echo nodes with its
 * history in SQLite, against a loop that commits one row per node through the same SQLite driver. Both run alternately
 * in this process and are measured in CPU time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import { chainFlow } from './graphs.ts';
import { openFloor } from './sqlite-floor.ts';
import { cpuMs, median, report } from './statistics.ts';

const nodeCount = 1_000;
const rounds = 25;
const warmUpRounds = 25;

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
const engine = await createEngine({ workspace });
const floor = await openFloor(workspace);
const text = chainFlow(nodeCount);
let textsRead = 0;

let firstEventAt = 0;
let events = 0;
const unsubscribe = engine.subscribe((batch) => {
  if (firstEventAt === 0) firstEventAt = cpuMs();
  events += batch.length;
});

async function timeEngine(flowText: string): Promise<{ runMs: number; wholeMs: number }> {
  firstEventAt = 0;
  const startedAt = cpuMs();
  const { runId } = await engine.startRun({ path: 'chain.flow.yaml', text: flowText, inputs: {} });
  const { status } = await engine.whenEnded(runId);
  const endedAt = cpuMs();
  if (status !== 'completed') throw new Error(`The run ended ${status}`);
  return { runMs: endedAt - firstEventAt, wholeMs: endedAt - startedAt };
}

const rows: number[] = [];
const run: number[] = [];
const whole: number[] = [];
const fresh: number[] = [];
for (let round = 0; round < rounds + warmUpRounds; round++) {
  events = 0;
  const floorMs = await floor.time(nodeCount);
  const { runMs, wholeMs } = await timeEngine(text);
  const { wholeMs: freshMs } = await timeEngine(`${text}# ${textsRead++}\n`);
  if (round < warmUpRounds) continue;
  rows.push(floorMs);
  run.push(runMs);
  whole.push(wholeMs);
  fresh.push(freshMs);
}
unsubscribe();
await engine.close();
floor.close();
await rm(workspace, { recursive: true });

const perNode = (samples: readonly number[]): number => (median(samples) / nodeCount) * 1000;
const yardstick = { name: 'loop with one committed row per node', value: perNode(rows) };
console.log(
  `chain of ${nodeCount} echo nodes, history in SQLite, ${events} events per round of two runs, median of ${rounds}`,
);
const unit = 'µs per node';
report({ what: 'engine, first to last event', ours: perNode(run), yardstick, unit });
report({ what: 'engine, from a known text to the result', ours: perNode(whole), yardstick, unit });
report({ what: 'engine, from a new text: parsed, validated and compiled', ours: perNode(fresh), yardstick, unit });
