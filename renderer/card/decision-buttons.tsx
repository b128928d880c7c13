/**
 * The buttons that accept or reject differences, or take the decision back.
 */
import { Check, Undo2, X } from 'lucide-react';
import type { ReviewVerdict } from '../stores/review/review.ts';
import { useStores } from '../stores/stores-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { text } from './text.ts';
import './decision-buttons.css';

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
  const words = text.review;
  if (verdict !== 'open')
    return (
      <span className="decision-buttons">
        <span className="decision-verdict" data-verdict={verdict}>
          {verdict === 'accepted' ? <Check aria-hidden size={12} /> : <X aria-hidden size={12} />}
          {words[verdict]}
        </span>
        <IconButton className="decision-button" label={words.reset({ subject })} onClick={() => decide('reset')}>
          <Undo2 aria-hidden size={12} />
        </IconButton>
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
