/**
 * Says which runs of the list are chosen for a comparison, and how to choose more.
 */
import { useStore } from 'zustand';
import type { RunPicks } from '../stores/runs/run-picks.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { text } from './text.ts';
import './pick-bar.css';

function pickedText({ picked, isPicking }: Pick<RunPicks, 'picked' | 'isPicking'>): string | null {
  const [first] = picked;
  if (first === undefined) return null;
  if (picked.length > 1) return picked.length > 2 ? text.picks.more({ count: picked.length }) : text.picks.two;
  return isPicking ? text.picks.choose(first) : text.picks.one(first);
}

export function PickBar() {
  const { runPicks } = useStores();
  const words = useStore(runPicks, pickedText);
  const isPicking = useStore(runPicks, (picks) => picks.isPicking);
  if (words === null) return null;
  return (
    <section className="pick-bar" aria-label={text.picks.label}>
      <span role="status">{words}</span>
      <Button size="small" variant="ghost" onClick={() => runPicks.getState().clear()}>
        {isPicking ? text.picks.cancel : text.picks.end}
      </Button>
    </section>
  );
}
