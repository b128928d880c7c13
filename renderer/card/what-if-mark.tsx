/**
 * Marks a card with what another autonomy level would have held back at its node.
 */
import { Hand, Lightbulb } from 'lucide-react';
import { memo } from 'react';
import { type HeldMark, heldActionText } from '../stores/runs/what-if.ts';
import './what-if-mark.css';

export const WhatIfMark = memo(function WhatIfMark({ mark }: { mark: HeldMark | undefined }) {
  if (mark === undefined) return null;
  const Icon = mark.kind === 'pause' ? Hand : Lightbulb;
  // Screen readers get this from the card.
  return (
    <span className="what-if-mark" data-kind={mark.kind} aria-hidden>
      <span className="what-if-words">
        <Icon size={11} />
        {heldActionText(mark)}
      </span>
    </span>
  );
});
