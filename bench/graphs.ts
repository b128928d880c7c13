/**
 * Graphs to measure with, as FlowSpec text, so that every bench starts from what a user would open.
 */

/** A chain of `count` echo nodes, each binding to the one before. */
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

/** Columns of the grid graph; also the distance its cards are placed by. */
const gridColumns = 40;

export interface GridNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/** Cards on a grid, each wired to its right neighbour. */
export function gridNodes(count: number): readonly GridNode[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `n${i}`,
    x: (i % gridColumns) * 304,
    y: Math.floor(i / gridColumns) * 112,
  }));
}

/** Ends of the grid graph's wires. */
export function gridEdges(count: number): readonly { from: string; to: string }[] {
  return Array.from({ length: count }, (_, i) => i)
    .filter((i) => i % gridColumns !== 0)
    .map((i) => ({ from: `n${i - 1}`, to: `n${i}` }));
}

/** The grid graph as a flow file with positions. */
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
