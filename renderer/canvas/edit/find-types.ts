/**
 * Node types by words.
 */
import type { NodeTypeSpec } from '../../../engine/isomorphic.ts';
import { nodeTypes } from '../../stores/node-types.ts';

/** Types whose words hold all of the query, those used last first. */
export function findTypes(query: string, recent: readonly string[]): readonly NodeTypeSpec[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const rank = (type: string): number => {
    const index = recent.indexOf(type);
    return index === -1 ? recent.length : index;
  };
  return nodeTypes
    .list()
    .filter(({ type, title, description, category }) => {
      const text = `${title} ${type} ${description} ${category}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => rank(a.type) - rank(b.type) || titleRank(a, words) - titleRank(b, words));
}

/** Those whose title or type begins with what was typed come first. */
function titleRank({ title, type }: NodeTypeSpec, words: readonly string[]): number {
  const [first] = words;
  if (first === undefined) return 0;
  return title.toLowerCase().startsWith(first) || type.startsWith(first) ? 0 : 1;
}
