/**
 * The badge of something that a review marks: its shape tells the kind as well as its color.
 */
import { Minus, Pencil, Plus, Shapes } from 'lucide-react';
import type { MarkKind } from '../stores/review/review-marks.ts';
import { text } from './text.ts';
import './change-mark.css';

const icons = { added: Plus, removed: Minus, changed: Pencil, layout: Shapes } as const;

interface ChangeMarkProps {
  readonly kind: MarkKind;
  /** Whether the kind is said elsewhere. */
  readonly isDecorative?: boolean;
}

export function ChangeMark({ kind, isDecorative = false }: ChangeMarkProps) {
  const Icon = icons[kind];
  const spoken = isDecorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': text.review[kind] };
  return (
    <span className="change-mark" data-mark={kind} {...spoken}>
      <Icon aria-hidden size={10} strokeWidth={2.5} />
    </span>
  );
}
