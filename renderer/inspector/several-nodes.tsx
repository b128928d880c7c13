import { BoxSelect } from 'lucide-react';
import type { Chosen } from '../stores/window/selection.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { pluralText } from '../ui/quantity-text.ts';

/** What is selected when it is more than one thing, and what can be done with all of it. */
export function SeveralChosen({ chosen: { nodes, edges, notes, groups } }: { chosen: Chosen }) {
  const parts = [
    ...(nodes.size === 0 ? [] : [pluralText(nodes.size, 'node')]),
    ...(edges.size === 0 ? [] : [pluralText(edges.size, 'edge')]),
    ...(notes.size === 0 ? [] : [pluralText(notes.size, 'note')]),
    ...(groups.size === 0 ? [] : [pluralText(groups.size, 'group')]),
  ];
  return (
    <EmptyState icon={<BoxSelect aria-hidden size={20} />} title={`${parts.join(', ')} selected`}>
      Move, copy, align, group, disable or delete them together; the context menu of the canvas names all of it. Select
      one to edit its values.
    </EmptyState>
  );
}
