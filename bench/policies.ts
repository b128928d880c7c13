/**
 * Measures the cost of policies: the same chain of 1,000 nodes with limits and name lists, and without any policy,
 * alternately. Nodes without effects show the cost of counting. Nodes that read a file show the cost of the check
 * before each effect.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import { median, report } from './statistics.ts';

const nodeCount = 1000;
const rounds = 21;
const warmUpRounds = 5;

const policy = `max_steps: 5000
max_tokens_per_run: 100000
max_cost_usd_per_run: 5
max_tool_calls: 5000
blocked_models: ["*::expensive"]
allowed_tools: ["core.*"]
blocked_hosts: ["*.internal"]
effects: { command: deny }
`;

interface Chain {
  readonly what: string;
  readonly node: object;
}

const chains: readonly Chain[] = [
  { what: 'nodes without effects', node: { type: 'echo', input: { text: 'x' } } },
  { what: 'nodes that read a file', node: { type: 'file.read', input: { path: 'a.md' } } },
  {
    what: 'nodes that call a tool',
    node: { type: 'tool', input: { value: { a: 1 }, path: '$.a' }, config: { tool: 'core.json_query' } },
  },
];

function chainOf({ node }: Chain): string {
  const nodes = Array.from({ length: nodeCount }, (_, index) => ({ id: `n${index}`, ...node }));
  const edges = nodes.slice(1).map((_, index) => ({ from: `n${index}`, to: `n${index + 1}` }));
  return JSON.stringify({ flow: { name: 'chain' }, nodes, edges });
}

async function benchPolicies(chain: Chain): Promise<void> {
  const text = chainOf(chain);
  const open = async (withPolicy: boolean) => {
    const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
    await writeFile(path.join(workspace, 'a.md'), 'hello');
    if (withPolicy) await writeFile(path.join(workspace, 'millrace.policy.yaml'), policy);
    return { workspace, engine: await createEngine({ workspace }) };
  };
  const opened = { without: await open(false), with: await open(true) };
  const samples = { without: [] as number[], with: [] as number[] };
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    // Alternates which of the two runs first.
    const order = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
    for (const which of order) {
      const { engine } = opened[which];
      const startedAt = process.cpuUsage();
      const { runId } = await engine.startRun({ path: 'chain.flow.yaml', text, inputs: {} });
      const { status } = await engine.whenEnded(runId);
      if (status !== 'completed') throw new Error(`The run ended ${status}`);
      const { user, system } = process.cpuUsage(startedAt);
      if (round >= warmUpRounds) samples[which].push((user + system) / 1000);
    }
  }
  for (const { workspace, engine } of Object.values(opened)) {
    await engine.close();
    await rm(workspace, { recursive: true });
  }
  report({
    what: `A chain of ${nodeCount} ${chain.what}, with policies`,
    ours: median(samples.with),
    yardstick: { name: 'without policies', value: median(samples.without) },
    unit: 'ms',
  });
}

for (const chain of chains) await benchPolicies(chain);
