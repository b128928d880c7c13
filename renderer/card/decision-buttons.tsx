/**
 * The buttons that accept or reject differences, or take the decision back. In a merge, they choose a side.
 */
import { Check, Undo2, X } from 'lucide-react';
import type { ReviewVerdict } from '../stores/review/review.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useIsMerge } from '../stores/use-review.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { text } from './text.ts';
import './decision-buttons.css';

/** Returns the name of a verdict. In a merge, it names the chosen side. */
export function verdictText(verdict: ReviewVerdict, isMerge: boolean): string {
  const { yours, theirs } = text.review;
  if (!isMerge || verdict === 'open') return text.review[verdict];
  return verdict === 'accepted' ? theirs : yours;
}

interface CardDecisionProps {
  readonly path: string;
  /** Keys of differences. */
  readonly keys: readonly string[];
  readonly verdict: ReviewVerdict;
  /** Says what is decided, for screen readers. */
  readonly subject: string;
}

export function DecisionButtons({ path, keys, verdict, subject }: CardDecisionProps) {
  const { reviews } = useStores();
  const decide = (decision: 'accept' | 'reject' | 'reset'): void => void reviews.getState()[decision](path, keys);
  const isMerge = useIsMerge(path);
  const words = text.review;
  if (verdict !== 'open')
    return (
      <span className="decision-buttons">
        <span className="decision-verdict" data-verdict={verdict}>
          {verdict === 'accepted' || isMerge ? <Check aria-hidden size={12} /> : <X aria-hidden size={12} />}
          {verdictText(verdict, isMerge)}
        </span>
        <IconButton className="decision-button" label={words.reset({ subject })} onClick={() => decide('reset')}>
          <Undo2 aria-hidden size={12} />
        </IconButton>
      </span>
    );
  if (isMerge)
    return (
      <span className="decision-buttons">
        <Button className="decision-side" aria-label={words.takeYours({ subject })} onClick={() => decide('reject')}>
          {words.yours}
        </Button>
        <Button className="decision-side" aria-label={words.takeTheirs({ subject })} onClick={() => decide('accept')}>
          {words.theirs}
        </Button>
      </span>
    );
  return (
    <span className="decision-buttons">
      <IconButton className="decision-button" label={words.reject({ subject })} onClick={() => decide('reject')}>
        <X aria-hidden size={12} />
      </IconButton>
      <IconButton className="decision-button" label={words.accept({ subject })} onClick={() => decide('accept')}>
        <Check aria-hidden size={12} />
      </IconButton>
    </span>
  );
}
