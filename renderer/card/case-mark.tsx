/**
 * Shows how many tests cover a card's node, while a test is open.
 */
import { FlaskConical } from 'lucide-react';
import { memo } from 'react';
import { text } from './text.ts';
import './case-mark.css';

/** @param covered the number of cases */
export const CaseMark = memo(function CaseMark({ covered }: { readonly covered: number }) {
  return (
    <span className="case-mark" data-covered={covered > 0}>
      <FlaskConical aria-hidden size={11} />
      {text.cases.covered({ count: covered })}
    </span>
  );
});
