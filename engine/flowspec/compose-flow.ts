/**
 * The text of a flow file that is written for the first time. Files that are there are changed by `editFlow`, which keeps
 * what a person wrote.
 */
import { stringify } from 'yaml';
import type { FlowDoc } from './flow-doc.ts';

/** Long texts stay in one line: a folded one would be harder to edit. */
const style = { lineWidth: 0, aliasDuplicateObjects: false } as const;

/** A document as a person would write it: a blank line between nodes, edges in a line each. */
export function composeFlow({ flow, nodes, edges }: FlowDoc): string {
  const ofNodes = nodes.map((node) => stringify([node], style).replace(/^(?=.)/gm, '  '));
  const ofEdges = edges.map((edge) => `  - ${stringify(edge, { ...style, collectionStyle: 'flow' })}`);
  return [
    stringify({ flow }, style),
    ofNodes.length === 0 ? 'nodes: []\n' : `nodes:\n${ofNodes.join('\n')}`,
    ofEdges.length === 0 ? 'edges: []\n' : `edges:\n${ofEdges.join('')}`,
  ].join('\n');
}
