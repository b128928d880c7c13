/** Writes a new flow file's text. Existing files are changed by `editFlow`, which preserves what people wrote. */
import { stringify } from 'yaml';
import type { FlowDoc } from './flow-doc.ts';

/** Long strings are not folded, because that would make them harder to edit. */
const style = { lineWidth: 0, aliasDuplicateObjects: false } as const;

/** Writes a document as a person would: a blank line between nodes, and one line for each edge. Keeps `x-` keys. */
export function composeFlow({ flow, nodes, edges, layout = {}, ...rest }: FlowDoc): string {
  const ofNodes = nodes.map((node) => stringify([node], style).replace(/(^|\n)(?=.)/g, '$1  '));
  const ofEdges = edges.map((edge) => `  - ${stringify(edge, { ...style, collectionStyle: 'flow' })}`);
  const extensions = Object.entries(rest).filter(([key]) => key.startsWith('x-'));
  return spaced([
    stringify({ flow }, style),
    ofNodes.length === 0 ? 'nodes: []\n' : `nodes:\n${spaced(ofNodes)}`,
    ofEdges.length === 0 ? 'edges: []\n' : `edges:\n${ofEdges.join('')}`,
    ...(Object.keys(layout).length === 0 ? [] : [stringify({ layout }, style)]),
    ...(extensions.length === 0 ? [] : [stringify(Object.fromEntries(extensions), style)]),
  ]);
}

/** Separates parts by a blank line. One that would be part of a text before it, which ends with blank lines, is left out. */
function spaced(parts: readonly string[]): string {
  return parts.reduce((text, part) => `${text}${text.endsWith('\n\n') ? '' : '\n'}${part}`);
}
