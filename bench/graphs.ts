/**
 * Benchmark graphs as FlowSpec text, so that every benchmark starts with a file that a user could open.
 */
import { parse, stringify } from 'yaml';

/** Returns a chain of `count` echo nodes, each bound to the previous one. */
export function chainFlow(count: number): string {
  const lines = ['flow: { name: chain }', 'nodes:'];
  for (let i = 0; i < count; i++) {
    const text = i === 0 ? 'start' : `{{n${i - 1}.text}}`;
    lines.push(`  - { id: n${i}, type: echo, input: { text: "${text}" } }`);
  }
  lines.push('edges:');
  for (let i = 1; i < count; i++) lines.push(`  - { from: n${i - 1}, to: n${i} }`);
  return `${lines.join('\n')}\n`;
}

/** Returns a flow with one node, `width` nodes that each bind to it, and one final node after them. */
export function fanFlow(width: number): string {
  const middle = Array.from({ length: width }, (_, i) => `m${i}`);
  return [
    'flow: { name: fan }',
    'nodes:',
    '  - { id: first, type: echo, input: { text: start } }',
    ...middle.map((id) => `  - { id: ${id}, type: echo, input: { text: "{{first.text}}" } }`),
    '  - { id: last, type: echo, input: { text: end } }',
    'edges:',
    ...middle.map((id) => `  - { from: first, to: ${id} }`),
    ...middle.map((id) => `  - { from: ${id}, to: last }`),
    '',
  ].join('\n');
}

/**
 * Returns `count` nodes in layers with about two edges per node. Each node binds to one earlier node. The graph is the
 * same every time.
 */
export function dagFlow(count: number): string {
  const width = Math.round(Math.sqrt(1.5 * count));
  const chance = createChance(42);
  const edges: [number, number][] = [];
  for (let to = 1; to < count; to++) {
    const reach = Math.min(to, 2 * width);
    const first = to - 1 - Math.floor(chance() * reach);
    const second = to - 1 - Math.floor(chance() * reach);
    edges.push([first, to]);
    if (second !== first) edges.push([second, to]);
  }
  const parent = new Map(edges.map(([from, to]) => [to, from]));
  return [
    'flow: { name: dag }',
    'nodes:',
    ...Array.from({ length: count }, (_, i) => {
      const text = parent.has(i) ? `{{n${parent.get(i)}.text}}` : 'start';
      return `  - { id: n${i}, type: echo, input: { text: "${text}" } }`;
    }),
    'edges:',
    ...edges.map(([from, to]) => `  - { from: n${from}, to: n${to} }`),
    '',
  ].join('\n');
}

interface FlowParts {
  readonly flow: unknown;
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
}

/** Returns a flow's text rewritten in several file styles, keyed by style name. */
export function flowStyles(text: string): Readonly<Record<string, string>> {
  const doc = parse(text) as FlowParts;
  const { nodes, edges } = doc;
  const header = `flow: ${JSON.stringify(doc.flow)}\n`;
  const linesOf = (style: (item: unknown) => string): string =>
    [header, 'nodes:\n', ...nodes.map(style), 'edges:\n', ...edges.map(style)].join('');
  const json = (item: unknown): string => `  - ${JSON.stringify(item)}\n`;
  const flow = (item: unknown): string => `  - ${JSON.stringify(item).replace(/"(\w+)":/g, '$1: ')}\n`;
  const block = (item: unknown): string => `  - ${stringify(item).trimEnd().replaceAll('\n', '\n    ')}\n`;
  const lists = [nodes, edges].map(
    (list) => `[\n${list.map((item) => `    ${JSON.stringify(item)},`).join('\n')}\n  ]`,
  );
  return {
    'block style': linesOf(block),
    'flow style': linesOf(flow),
    'JSON in lines': linesOf(json),
    'JSON lists': `${header}nodes:\n  ${lists[0]}\nedges:\n  ${lists[1]}\n`,
    'JSON file': JSON.stringify(doc),
    'JSON file, indented': JSON.stringify(doc, null, 2),
    mixed: `# all styles\n---\n${header}nodes:\n${nodes.map((node, at) => [block, flow, json][at % 3]?.(node)).join('')}edges: ${lists[1]}\n`,
  };
}

/** Returns a seeded random number generator for the range 0 to 1 (a linear congruential generator). */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Number of columns in the grid graph, which also determines the positions of its cards. */
const gridColumns = 40;

export interface GridNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/** Returns the cards of a grid, each connected to its right neighbor. */
export function gridNodes(count: number): readonly GridNode[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `n${i}`,
    x: (i % gridColumns) * 304,
    y: Math.floor(i / gridColumns) * 112,
  }));
}

/** Returns the endpoints of the grid graph's edges. */
export function gridEdges(count: number): readonly { from: string; to: string }[] {
  return Array.from({ length: count }, (_, i) => i)
    .filter((i) => i % gridColumns !== 0)
    .map((i) => ({ from: `n${i - 1}`, to: `n${i}` }));
}

/** Returns the ten by five cards in the middle of a grid that has at least five rows. */
export function middleOfGrid(count: number): {
  readonly from: GridNode;
  readonly to: GridNode;
  readonly ids: ReadonlySet<string>;
} {
  const row = Math.floor(Math.ceil(count / gridColumns) / 2) - 2;
  const column = gridColumns / 2 - 5;
  const nodes = gridNodes(count);
  const nodeAt = (x: number, y: number): GridNode => {
    const node = nodes[(row + y) * gridColumns + column + x];
    if (node === undefined) throw new Error(`A grid of ${count} has no such middle`);
    return node;
  };
  const some = Array.from({ length: 50 }, (_, i) => nodeAt(i % 10, Math.floor(i / 10)));
  return { from: nodeAt(0, 0), to: nodeAt(9, 4), ids: new Set(some.map(({ id }) => id)) };
}

/** Returns the grid graph as a flow file with positions. */
export function gridFlow(count: number): string {
  const nodes = gridNodes(count);
  return [
    'flow: { name: grid }',
    'nodes:',
    ...nodes.map(({ id }) => `  - { id: ${id}, type: echo, input: { text: "card ${id}" } }`),
    'edges:',
    ...gridEdges(count).map(({ from, to }) => `  - { from: ${from}, to: ${to} }`),
    'layout:',
    '  nodes:',
    ...nodes.map(({ id, x, y }) => `    ${id}: { x: ${x}, y: ${y} }`),
    '',
  ].join('\n');
}
