/**
 * Measures 200 agents used as node types: the time that the engine takes to list them, for the first time and again,
 * against reading the same files; and the time that a window takes to load the list and rank it for a palette, against
 * the built-in types alone.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import { builtinTypes, describedType, type NodeTypeData, type NodeTypeSpec, nodeFit } from '../engine/isomorphic.ts';
import { median, report } from './statistics.ts';

const typeCount = 200;
const rounds = 21;

const agentOf = (index: number): string => `# Options

\`\`\`toml
[node]
title = "Tool ${index}"
description = "Does what tool ${index} does."
[node.input]
required = ["text"]
properties.text = { type = "string", description = "The text" }
properties.limit = { type = "integer", minimum = 1, default = 20, description = "Maximum number of results" }
properties.mode = { enum = ["fast", "good"], default = "fast" }
[node.output]
type = "object"
required = ["items"]
properties.items = { type = "array", items = { type = "string" } }
\`\`\`

# Output

\`\`\`lua
return { items = { input.text } }
\`\`\`
`;

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function listing(): Promise<readonly NodeTypeData[]> {
  const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  await mkdir(path.join(workspace, 'agents'));
  const files = Array.from({ length: typeCount }, (_, index) => path.join(workspace, 'agents', `tool-${index}.aip`));
  for (const [index, file] of files.entries()) await writeFile(file, agentOf(index));
  const engine = await createEngine({ workspace, homeFolder: path.join(workspace, 'home'), env: {} });
  const read = { name: 'reading the same files', value: 0 };
  const first = await timed(() => engine.listNodeTypes({ named: [] }));
  const again: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await timed(() => Promise.all(files.map((file) => readFile(file, 'utf8')))));
    again.push(await timed(() => engine.listNodeTypes({ named: [] })));
  }
  read.value = median(floor);
  report({ what: `Listing ${typeCount} agents, the first time`, ours: first, yardstick: read, unit: 'ms' });
  report({ what: `Listing ${typeCount} agents again`, ours: median(again), yardstick: read, unit: 'ms' });
  const listed = await engine.listNodeTypes({ named: [] });
  await engine.close();
  await rm(workspace, { recursive: true });
  return listed.flatMap((type) => ('problem' in type ? [] : [type]));
}

/** Rates how well each type fits the output of a node, which is the first sort key of the palette. */
function order(types: readonly NodeTypeSpec[]): number {
  const [before] = builtinTypes;
  return types.reduce((sum, spec) => sum + nodeFit(spec, { spec: before, input: {} }), 0);
}

const listed = await listing();
const text = JSON.stringify(listed);
const taken: number[] = [];
const known: number[] = [];
const ordered: number[] = [];
const builtin: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const types: NodeTypeSpec[] = [];
  taken.push(await timed(() => types.push(...(JSON.parse(text) as NodeTypeData[]).map(describedType))));
  ordered.push(await timed(() => order([...builtinTypes, ...types])));
  known.push(await timed(() => JSON.parse(text)));
  builtin.push(await timed(() => order(builtinTypes)));
}
const parsing = { name: 'parsing the text of the list', value: median(known) };
const builtinOnly = { name: `the ${builtinTypes.length} built-in types alone`, value: median(builtin) };
report({ what: `Loading ${listed.length} types from data`, ours: median(taken), yardstick: parsing, unit: 'ms' });
report({ what: 'Ranking them for a palette', ours: median(ordered), yardstick: builtinOnly, unit: 'ms' });
