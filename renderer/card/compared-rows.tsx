/**
 * The letters of two compared runs, and a line of a card for each of them.
 */
import type { RunSide } from '../../engine/isomorphic.ts';
import { StateIcon } from '../ui/state-icon.tsx';
import type { ComparedRow } from './card-content.ts';
import { text } from './text.ts';
import './compared-rows.css';

interface SideBadgeProps {
  readonly side: RunSide;
  /** Whether the letter is said elsewhere. */
  readonly isDecorative?: boolean;
}

/** An outline for A, and filled for B. */
export function SideBadge({ side, isDecorative = false }: SideBadgeProps) {
  const letter = side.toUpperCase();
  const spoken = isDecorative
    ? { 'aria-hidden': true }
    : { role: 'img', 'aria-label': text.compared.run({ side: letter }) };
  return (
    <span className="side-badge" data-side={side} {...spoken}>
      {letter}
    </span>
  );
}

/** The lines of both runs. */
export function ComparedRows({ rows, height }: { readonly rows: readonly ComparedRow[]; readonly height: number }) {
  return (
    <div className="compared-rows" style={{ height }}>
      {rows.map(({ side, state, words, time, tokens, cost }) => (
        <div key={side} data-side={side}>
          <SideBadge side={side} isDecorative />
          <span className="compared-state" data-state={state} title={words}>
            <StateIcon state={state} size={11} isDecorative />
            <span>{words}</span>
          </span>
          <span>{time}</span>
          <span>{tokens}</span>
          <span>{cost}</span>
        </div>
      ))}
    </div>
  );
}
