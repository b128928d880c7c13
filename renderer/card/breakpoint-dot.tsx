/**
 * The dot of a breakpoint, on cards and in lists: with a bar for a condition, hollow if it is off.
 */
import type { Breakpoint } from '../../engine/isomorphic.ts';
import './breakpoint-dot.css';

/** Screen readers get it from what it marks. */
export function BreakpointDot({ breakpoint: { when, item, isOff } }: { readonly breakpoint: Breakpoint }) {
  return (
    <span
      aria-hidden
      className="breakpoint-dot"
      data-off={isOff === true}
      data-condition={when !== undefined || item !== undefined}
    />
  );
}
