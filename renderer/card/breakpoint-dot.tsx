/**
 * The dot of a breakpoint, on cards and in lists: with a bar for a condition, hollow if it is off.
 */
import type { Breakpoint } from '../../engine/isomorphic.ts';
import { useBreakpoint } from '../stores/use-flow.ts';
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

/** The dot of a node. Renders nothing without a breakpoint. */
function NodeBreakpoint({ path, nodeId }: { readonly path: string; readonly nodeId: string }) {
  const breakpoint = useBreakpoint(path, nodeId);
  return breakpoint === undefined ? null : <BreakpointDot breakpoint={breakpoint} />;
}
