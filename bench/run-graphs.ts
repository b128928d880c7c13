/**
 * Measures the runner in memory, with events and one subscriber, and without parsing and compiling: echo nodes in a
 * chain, a fan and a layered graph, against a loop that awaits the same function, run alternately in the same process.
 */
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
import { chainFlow, dagFlow, fanFlow } from './graphs.ts';
import { median, report } from './statistics.ts';

const registry = createNodeRegistry(builtinNodes);
const echo = registry.get('echo');
if (echo === undefined) throw new Error('No echo node type');
const runEcho = echo.run as unknown as (context: { input: { text: string } }) => Promise<{ text: string }>;

function compiled(text: string): CompiledFlow {
  const { doc } = parseFlow(text);
  if (doc === null) throw new Error('The graph cannot be parsed');
  return compileFlow(doc);
}

/** Builds a long chain without parsing text, because a file of this length exceeds the limit. */
function longChain(count: number): CompiledFlow {
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: `n${i}`,
    type: 'echo',
    input: { text: i === 0 ? 'start' : `{{n${i - 1}.text}}` },
  }));
  const edges = nodes.slice(1).map(({ id: to }, i) => ({ from: `n${i}`, to }));
  return compileFlow({ flow: { name: 'chain' }, nodes, edges });
}

/** Returns the milliseconds from a run's first event to its last. */
async function timeRun(flow: CompiledFlow): Promise<number> {
  const { hub, subscribe, close } = createHub({ runId: asRunId('r'), sessionId: asSessionId('s'), clock: systemClock });
  let events = 0;
  subscribe((group) => {
    events += group.length;
  });
  const startedAt = performance.now();
  const { status } = await runFlow({ flow, registry, inputs: {} }, createHarness(hub));
  close();
  const tookMs = performance.now() - startedAt;
  if (status !== 'completed' || events < flow.nodes.length * 3) throw new Error(`${status}, ${events} events`);
  return tookMs;
}

async function timeLoop(count: number): Promise<number> {
  const startedAt = performance.now();
  let text = 'start';
  for (let i = 0; i < count; i++) ({ text } = await runEcho({ input: { text } }));
  return performance.now() - startedAt;
}

const chain = compiled(chainFlow(1_000));
const firstRunMs = await timeRun(chain);
report({
  what: 'chain of 1,000, first run of the process',
  ours: firstRunMs,
  yardstick: { name: 'hand-written loop, warm', value: await timeLoop(1_000) },
  unit: 'ms',
});

const graphs: readonly (readonly [name: string, flow: CompiledFlow, rounds: number])[] = [
  ['chain of 1,000', chain, 60],
  ['fan of 1,000', compiled(fanFlow(1_000)), 60],
  ['layered graph of 1,000', compiled(dagFlow(1_000)), 60],
  ['chain of 20,000', longChain(20_000), 7],
  ['chain of 100,000', longChain(100_000), 3],
];

/** Each round measures every graph once, so that a slow phase of the machine affects all of them equally. */
const samples = new Map(graphs.map(([name]) => [name, { ours: [] as number[], loop: [] as number[] }]));
for (let round = 0; round < 60; round++) {
  for (const [name, flow, rounds] of graphs) {
    if (round >= rounds) continue;
    const count = flow.nodes.length;
    const taken = samples.get(name);
    taken?.ours.push(((await timeRun(flow)) / count) * 1000);
    taken?.loop.push(((await timeLoop(count)) / count) * 1000);
  }
}
for (const [name, { ours, loop }] of samples) {
  const yardstick = { name: 'hand-written loop', value: median(loop) };
  report({ what: `${name}, in memory`, ours: median(ours), yardstick, unit: 'µs per node' });
}
const perNode = (name: string): number => median(samples.get(name)?.ours ?? []);
report({
  what: 'cost per node of 20,000, compared with 1,000',
  ours: perNode('chain of 20,000'),
  yardstick: { name: 'chain of 1,000', value: perNode('chain of 1,000') },
  unit: 'µs per node',
});
console.log(`memory after all runs: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`);
