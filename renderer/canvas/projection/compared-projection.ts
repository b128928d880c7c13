/**
 * Adds the results of two compared runs to the cards of a flow.
 */
import type { ComparedNode, NodeFigures, RunDifference, RunSide } from '../../../engine/isomorphic.ts';
import type { CardContent, ComparedCard, ComparedRow } from '../../card/card-content.ts';
import { restHeight } from '../../card/card-sections.ts';
import { text } from '../../card/text.ts';
import type { ShownComparison } from '../../stores/runs/comparison.ts';
import { costText, countText, durationText } from '../../ui/quantity-text.ts';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import type { FlowProjection, ProjectedNode } from './flow-projection.ts';

/** The last result for each comparison. A canvas renders more often than it changes. */
const latest = new WeakMap<ShownComparison, { readonly of: FlowProjection; readonly made: FlowProjection }>();

/** Returns the projection with a line for each run on the cards that differ. Without a comparison, the same object. */
export function withComparison(projection: FlowProjection, comparison: ShownComparison | null): FlowProjection {
  if (comparison === null) return projection;
  const known = latest.get(comparison);
  if (known?.of === projection) return known.made;
  const nodes = projection.nodes.map((node) => comparedNode(node, comparison.nodes.get(node.id)));
  const made = { ...projection, nodes, shape: {} };
  latest.set(comparison, { of: projection, made });
  return made;
}

function comparedNode(node: ProjectedNode, facts: ComparedNode | undefined): ProjectedNode {
  if (facts === undefined) return node;
  const content: CardContent = { ...node.content, compared: comparedCard(facts) };
  const height = restHeight(content);
  return { ...node, content, height, room: Math.max(node.room, height) };
}

function comparedCard(node: ComparedNode): ComparedCard {
  const { difference, onlyIn } = node;
  const isSame = difference === 'same' && onlyIn === null;
  const rows = isSame || onlyIn !== null ? [] : [rowOf(node, 'a'), rowOf(node, 'b')];
  return { word: differenceWord(node), isSame, onlyIn, rows };
}

const differenceWords: Readonly<Record<RunDifference, string>> = {
  'only-a': text.compared.ranOnlyIn({ side: 'A' }),
  'only-b': text.compared.ranOnlyIn({ side: 'B' }),
  state: text.compared.state,
  error: text.compared.error,
  output: text.compared.output,
  items: text.compared.items,
  same: text.compared.same,
};

/** Returns text such as `output differs`, or `6 of 8 differ` for a node in a loop. */
function differenceWord({ difference, onlyIn, places, isInLoop, a, b }: ComparedNode): string {
  if (onlyIn !== null) return text.compared.onlyIn({ side: onlyIn.toUpperCase() });
  if (a === null && b === null) return text.compared.notReached;
  if (!isInLoop || difference === 'same' || a === null || b === null) return differenceWords[difference];
  const differ = places.filter((place) => place.difference !== 'same').length;
  return text.compared.itemsDiffer({ count: differ, total: places.length });
}

function rowOf(node: ComparedNode, side: RunSide): ComparedRow {
  const figures = node[side];
  if (figures === null) {
    return { side, state: 'skipped', words: text.compared.notReached, time: '–', tokens: '', cost: '' };
  }
  const { ms, promptTokens, completionTokens, costUsd } = figures;
  const tokens = promptTokens + completionTokens;
  return {
    side,
    state: figures.status,
    words: figuresWord(figures, node.isInLoop),
    time: ms === undefined ? '–' : durationText(ms),
    tokens: tokens === 0 ? '' : countText(tokens),
    cost: costUsd === undefined ? '' : costText(costUsd, 0),
  };
}

function figuresWord({ status, ran, completed }: NodeFigures, isInLoop: boolean): string {
  return isInLoop ? text.compared.completed({ count: completed, total: ran }) : visualStateLabels[status];
}
