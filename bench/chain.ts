/**
 * What the engine adds to a node: a chain of echo nodes with events and SQLite on, against a loop that awaits the same
 * function. Both run in this process, in turns.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import { builtinNodes } from '../engine/isomorphic.ts';
import { chainFlow } from './graphs.ts';
import { median, report } from './statistics.ts';

const nodeCount = 1_000;
const rounds = 15;
const warmUpRounds = 3;

const echo = builtinNodes.find(({ type }) => type === 'echo');
if (echo === undefined) throw new Error('No echo node type');
const runEcho = echo.run as unknown as (context: { input: { text: string } }) => Promise<{ text: string }>;

async function timeLoop(): Promise<number> {
  const startedAt = performance.now();
  let text = 'start';
  for (let i = 0; i < nodeCount; i++) ({ text } = await runEcho({ input: { text } }));
  if (text !== 'start') throw new Error('The loop lost its value');
  return performance.now() - startedAt;
}

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
const engine = await createEngine({ workspace });
const text = chainFlow(nodeCount);

let firstEventAt = 0;
let events = 0;
const unsubscribe = engine.subscribe((batch) => {
  if (firstEventAt === 0) firstEventAt = performance.now();
  events += batch.length;
});

async function timeEngine(): Promise<{ runMs: number; wholeMs: number }> {
  firstEventAt = 0;
  const startedAt = performance.now();
  const { runId } = await engine.startRun({ path: 'chain.flow.yaml', text, inputs: {} });
  const { status } = await engine.whenEnded(runId);
  const endedAt = performance.now();
  if (status !== 'completed') throw new Error(`The run ended ${status}`);
  return { runMs: endedAt - firstEventAt, wholeMs: endedAt - startedAt };
}

const loop: number[] = [];
const run: number[] = [];
const whole: number[] = [];
for (let round = 0; round < rounds + warmUpRounds; round++) {
  events = 0;
  const loopMs = await timeLoop();
  const { runMs, wholeMs } = await timeEngine();
  if (round < warmUpRounds) continue;
  loop.push(loopMs);
  run.push(runMs);
  whole.push(wholeMs);
}
unsubscribe();
await engine.close();
await rm(workspace, { recursive: true });

const perNode = (samples: readonly number[]): number => (median(samples) / nodeCount) * 1000;
const yardstick = { name: 'hand-written loop', value: perNode(loop) };
console.log(`chain of ${nodeCount} echo nodes, events and SQLite on, ${events} events a run, median of ${rounds}`);
const unit = 'µs a node';
report({ what: 'engine, first to last event', ours: perNode(run), yardstick, unit });
report({ what: 'engine with parse, checks and compile', ours: perNode(whole), yardstick, unit });
