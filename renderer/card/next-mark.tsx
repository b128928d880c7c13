/**
 * Marks the card of the node that a paused run starts next.
 */
import { Pause } from 'lucide-react';
import { itemText } from '../stores/flow/node-places.ts';
import { nextPlaceAt } from '../stores/runs/shown-run.ts';
import { useNodePart } from '../stores/use-flow.ts';
import { text } from './text.ts';
import './next-mark.css';

export function NextMark({ path, nodeId }: { readonly path: string; readonly nodeId: string }) {
  const item = useNodePart(path, nodeId, (run) => {
    const next = nextPlaceAt(run, nodeId);
    return next && itemText(next, run.state.tallies.loops);
  });
  if (item === undefined) return null;
  // Screen readers get the state from the card.
  return (
    <span className="next-mark" aria-hidden>
      <Pause size={11} fill="currentColor" />
      {item === '' ? text.state.next : text.state.nextItem({ item })}
    </span>
  );
}
