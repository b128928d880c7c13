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
  const words = useNodePart(path, nodeId, (run) => {
    const { pause, tallies } = run.state;
    const next = nextPlaceAt(run, nodeId);
    const item = next && itemText(next, tallies.loops);
    if (item === undefined) return undefined;
    const { stopped, stoppedItem, next: plain, nextItem } = text.state;
    if (pause?.reason === 'breakpoint') return item === '' ? stopped : stoppedItem({ item });
    return item === '' ? plain : nextItem({ item });
  });
  if (words === undefined) return null;
  // Screen readers get the state from the card.
  return (
    <span className="next-mark" aria-hidden>
      <Pause size={11} fill="currentColor" />
      {words}
    </span>
  );
}
