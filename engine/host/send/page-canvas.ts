/**
 * Draws a flow and the states of a run's nodes as SVG, at the positions in the file or, without them, in columns.
 */
import type { FlowDoc, NodeDoc } from '../../language/flow/flow-doc.ts';
import type { RunState } from '../../runtime/kernel/events/run-state.ts';
import { durationOf, escapeHtml, shortened, stateOf } from './page-text.ts';

const card = { width: 208, height: 60 } as const;
const gap = { x: 72, y: 28 } as const;
const margin = 24;
/** A larger flow would be a larger drawing than browsers show well. */
const mostCards = 2_000;

interface DrawnNode {
  readonly node: NodeDoc;
  readonly x: number;
  readonly y: number;
}

/** Returns the drawing as SVG markup; empty for a flow without nodes. */
export function canvasOf({ nodes, edges = [], layout }: FlowDoc, run: RunState): string {
  if (nodes.length === 0 || nodes.length > mostCards) return '';
  const placed = placesOf(nodes, edges, layout?.nodes ?? {});
  const at = new Map(placed.map((one) => [one.node.id, one]));
  const [left, top] = [Math.min(...placed.map(({ x }) => x)) - margin, Math.min(...placed.map(({ y }) => y)) - margin];
  const width = Math.max(...placed.map(({ x }) => x)) + card.width + margin - left;
  const height = Math.max(...placed.map(({ y }) => y)) + card.height + margin - top;
  const lines = edges.flatMap(({ from, to, id }) => {
    const [a, b] = [at.get(from), at.get(to)];
    if (a === undefined || b === undefined) return [];
    const isTaken = run.firedEdges.has(id ?? `${from}->${to}`);
    return [`<path class="edge${isTaken ? ' taken' : ''}" d="${curve(a, b)}"/>`];
  });
  const cards = placed.map((one) => cardOf(one, run));
  const box = `${left} ${top} ${width} ${height}`;
  return `<svg role="img" aria-label="Canvas" viewBox="${box}" width="${width}" height="${height}">${lines.join('')}${cards.join('')}</svg>`;
}

function curve(a: DrawnNode, b: DrawnNode): string {
  const [x, y] = [a.x + card.width, a.y + card.height / 2];
  const [toX, toY] = [b.x, b.y + card.height / 2];
  const bend = Math.max(24, Math.abs(toX - x) / 2);
  return `M${x} ${y}C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`;
}

function cardOf({ node, x, y }: DrawnNode, run: RunState): string {
  const state = run.nodes.get(node.id);
  const details = [stateOf(state?.status), durationOf(state?.durationMs)].filter((part) => part !== '').join(' · ');
  const name = node.name ?? node.id;
  return (
    `<g class="card ${state?.status ?? 'idle'}"><title>${escapeHtml(`${name} (${node.type})`)}</title>` +
    `<rect x="${x}" y="${y}" width="${card.width}" height="${card.height}" rx="10"/>` +
    `<text class="name" x="${x + 14}" y="${y + 25}">${escapeHtml(shortened(name, 26))}</text>` +
    `<text class="detail" x="${x + 14}" y="${y + 45}">${escapeHtml(shortened(details === '' ? node.type : details, 32))}</text></g>`
  );
}

/** A file has either positions of all cards, or those of the ones that a person has moved. */
function placesOf(
  nodes: FlowDoc['nodes'],
  edges: NonNullable<FlowDoc['edges']>,
  positions: NonNullable<NonNullable<FlowDoc['layout']>['nodes']>,
): readonly DrawnNode[] {
  const known = nodes.map((node) => {
    const place = Object.hasOwn(positions, node.id) ? positions[node.id] : undefined;
    return place !== undefined && [place.x, place.y].every((one) => Math.abs(one) < 100_000) ? place : undefined;
  });
  if (known.every((place) => place !== undefined))
    return nodes.map((node, index) => ({ node, x: 0, y: 0, ...known[index] }));
  const columns = columnsOf(nodes, edges);
  const used = new Map<number, number>();
  return nodes.map((node) => {
    const column = columns.get(node.id) ?? 0;
    const row = used.get(column) ?? 0;
    used.set(column, row + 1);
    return { node, x: column * (card.width + gap.x), y: row * (card.height + gap.y) };
  });
}

/** Places each node to the right of those before it. Edges back, which a loop has, end the search. */
function columnsOf(nodes: FlowDoc['nodes'], edges: NonNullable<FlowDoc['edges']>): ReadonlyMap<string, number> {
  const columns = new Map(nodes.map(({ id }) => [id, 0]));
  for (let pass = 0; pass < Math.min(nodes.length, 200); pass += 1) {
    let isChanged = false;
    for (const { from, to } of edges) {
      const next = (columns.get(from) ?? 0) + 1;
      if (next <= (columns.get(to) ?? next) || next >= nodes.length) continue;
      columns.set(to, next);
      isChanged = true;
    }
    if (!isChanged) break;
  }
  return columns;
}
