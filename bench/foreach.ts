/**
 * Measures the cost per item of `control.foreach`: 1,000 items with a body of one echo node, in memory and with the
 * history in SQLite, and the same number of calls of a flow with one echo node. The baseline is a chain of 1,000 echo
 * nodes, run alternately in the same process, because each item runs one node. All times are this process's CPU time.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import {
  asRunId,
  asSessionId,
  builtinNodes,
  type CompiledFlow,
  compileFlow,
  createHarness,
  createHub,
  createNodeRegistry,
  parseFlow,
  runFlow,
  systemClock,
} from '../engine/library.ts';
import { chainFlow } from './graphs.ts';
import { cpuMs, median, report } from './statistics.ts';

const count = 1_000;
const rounds = 25;
const warmUpRounds = 10;

const items = JSON.stringify(Array.from({ length: count }, (_, index) => `item ${index}`));

function loopOver(body: string): string {
  return `flow: { name: loop }
nodes:
  - { id: each, type: control.foreach, input: { items: ${items}, as: item, body: [one] } }
  - ${body}
edges: []
`;
}

const loop = loopOver('{ id: one, type: echo, input: { text: "{{item}}" } }');
const calling = loopOver('{ id: one, type: flow, input: { flow: one.flow.yaml } }');
const chain = chainFlow(count);

const registry = createNodeRegistry(builtinNodes);

function compiled(text: string): CompiledFlow {
  const { doc } = parseFlow(text);
  if (doc === null) throw new Error('The graph cannot be parsed');
  return compileFlow(doc);
}

async function timeInMemory(flow: CompiledFlow): Promise<number> {
  const { hub, subscribe, close } = createHub({ runId: asRunId('r'), sessionId: asSessionId('s'), clock: systemClock });
  let events = 0;
  subscribe((group) => {
    events += group.length;
  });
  const startedAt = cpuMs();
  const { status } = await runFlow({ flow, registry, inputs: {} }, createHarness(hub));
  close();
  const tookMs = cpuMs() - startedAt;
  if (status !== 'completed' || events < count * 3) throw new Error(`${status}, ${events} events`);
  return tookMs;
}

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
const engine = await createEngine({ workspace });
await writeFile(
  path.join(workspace, 'one.flow.yaml'),
  'flow: { name: one }\nnodes:\n  - { id: one, type: echo, input: { text: start } }\nedges: []\n',
);

async function timeRecorded(text: string): Promise<number> {
  const startedAt = cpuMs();
  const { runId } = await engine.startRun({ path: 'bench.flow.yaml', text, inputs: {} });
  const { status } = await engine.whenEnded(runId);
  if (status !== 'completed') throw new Error(`The run ended ${status}`);
  return cpuMs() - startedAt;
}

const [compiledLoop, compiledChain] = [compiled(loop), compiled(chain)];
const works = {
  loop: () => timeInMemory(compiledLoop),
  chain: () => timeInMemory(compiledChain),
  recordedLoop: () => timeRecorded(loop),
  recordedChain: () => timeRecorded(chain),
  calling: () => timeRecorded(calling),
};
const names = Object.keys(works) as (keyof typeof works)[];
const samples = new Map(names.map((name): [string, number[]] => [name, []]));
for (let round = 0; round < rounds + warmUpRounds; round++) {
  for (const name of names) {
    const ms = await works[name]();
    if (round >= warmUpRounds) samples.get(name)?.push(ms);
  }
}
await engine.close();
await rm(workspace, { recursive: true });

const perItem = (name: keyof typeof works): number => (median(samples.get(name) ?? []) / count) * 1000;
const inMemory = { name: 'a node of a chain', value: perItem('chain') };
const recorded = { name: 'a node of a chain', value: perItem('recordedChain') };
const unit = 'us';
report({ what: 'an item of one node, in memory', ours: perItem('loop'), yardstick: inMemory, unit });
report({ what: 'an item of one node, recorded in SQLite', ours: perItem('recordedLoop'), yardstick: recorded, unit });
report({ what: 'an item that calls a flow, recorded in SQLite', ours: perItem('calling'), yardstick: recorded, unit });
