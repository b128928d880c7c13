/**
 * Measures opening a flow file: from text to a validated graph that can run, without and with the node positions that a
 * window needs. The same flow is also measured in each file style. The baseline is the YAML parser with positions, run
 * alternately in the same process.
 */
import { parseDocument } from 'yaml';
import { builtinTypes, checkFlow, createNodeRegistry } from '../engine/isomorphic.ts';
import { dagFlow, flowStyles } from './graphs.ts';
import { median, report } from './statistics.ts';

const sizes = [
  { nodeCount: 1_000, rounds: 15 },
  { nodeCount: 20_000, rounds: 3 },
];
const warmUpRounds = 3;

const registry = createNodeRegistry(builtinTypes);

function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

interface Times {
  readonly check: number;
  readonly checkWithPlaces: number;
  readonly parser: number;
}

function measure(text: string, nodeCount: number): Times {
  const check = timeOf(() => {
    const { flow } = checkFlow(text, registry);
    if (flow?.nodes.length !== nodeCount) throw new Error('The flow was not parsed completely');
  });
  const checkWithPlaces = timeOf(() => {
    const { parsed } = checkFlow(text, registry);
    for (const { id } of parsed.doc?.nodes ?? []) parsed.nodeRange(id);
  });
  return { check, checkWithPlaces, parser: timeOf(() => parseDocument(text)) };
}

function reportTimes(times: readonly Times[], note: string): void {
  const yardstick = { name: 'yaml parser alone', value: median(times.map(({ parser }) => parser)) };
  const unit = 'ms';
  report({
    what: `parse, checks and compile, ${note}`,
    ours: median(times.map(({ check }) => check)),
    yardstick,
    unit,
  });
  const ours = median(times.map(({ checkWithPlaces }) => checkWithPlaces));
  report({ what: `the same with the position of every node, ${note}`, ours, yardstick, unit });
}

for (const { nodeCount, rounds } of sizes) {
  const text = dagFlow(nodeCount);
  const times = Array.from({ length: warmUpRounds + rounds }, () => measure(text, nodeCount));
  console.log(`file of ${nodeCount} nodes and two edges per node, ${text.length} characters`);
  // Only the first size runs code that has never run before.
  if (nodeCount === sizes[0]?.nodeCount) reportTimes(times.slice(0, 1), 'first time in a process');
  reportTimes(times.slice(warmUpRounds), `median of ${rounds}`);
}

const styleCount = 1_000;
const styleRounds = 15;
const texts = Object.entries(flowStyles(dagFlow(styleCount)));
const styleTimes = new Map(texts.map(([style]): [string, Times[]] => [style, []]));
for (let round = 0; round < warmUpRounds + styleRounds; round++) {
  for (const [style, text] of texts) {
    const times = measure(text, styleCount);
    if (round >= warmUpRounds) styleTimes.get(style)?.push(times);
  }
}
console.log(`files of ${styleCount} nodes in different styles`);
for (const [style, times] of styleTimes) reportTimes(times, style);
