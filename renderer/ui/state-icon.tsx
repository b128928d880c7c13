/**
 * The icon and the label of each state. The color is set by `data-state` (tokens.css) and is never the only indicator.
 */
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleX,
  Hand,
  History,
  Hourglass,
  Link2,
  type LucideIcon,
  Pause,
  PencilLine,
  Pin,
  RotateCw,
  SquareX,
  TriangleAlert,
} from 'lucide-react';
import { text } from './text.ts';
import './state-icon.css';

/** The display states of a node or a run. */
export type VisualState =
  | 'idle'
  | 'queued'
  | 'running'
  | 'retrying'
  | 'suspended'
  | 'pausing'
  | 'paused'
  | 'completed'
  | 'reused'
  | 'pinned'
  | 'changed'
  | 'failed'
  | 'tolerated'
  | 'skipped'
  | 'cancelled'
  | 'cancelling'
  | 'disabled'
  | 'invalid'
  | 'interrupted'
  | 'stale';

/** The label of each state, shown beside the icon and announced by screen readers. */
export const visualStateLabels: Readonly<Record<VisualState, string>> = text.states;

/** `ring` is rendered here because it rotates. idle has no icon. */
const stateGlyphs: Readonly<Record<VisualState, LucideIcon | 'ring' | null>> = {
  idle: null,
  queued: Hourglass,
  running: 'ring',
  retrying: RotateCw,
  suspended: Hand,
  pausing: 'ring',
  paused: Pause,
  completed: CircleCheck,
  reused: Link2,
  pinned: Pin,
  changed: PencilLine,
  failed: CircleX,
  tolerated: TriangleAlert,
  skipped: CircleDashed,
  cancelled: SquareX,
  cancelling: 'ring',
  disabled: Ban,
  invalid: CircleX,
  interrupted: CircleAlert,
  stale: History,
};

/** Pixels. The same at every icon size, so that icons have the same weight beside text. */
const strokePx = 1.3;

interface StateIconProps {
  readonly state: VisualState;
  /** Size in pixels. Defaults to 14. */
  readonly size?: number;
  /** Set if the label is shown beside the icon. Screen readers then skip the icon. */
  readonly isDecorative?: boolean;
}

/** The icon of a state. Renders nothing for `idle`. */
export function StateIcon({ state, size = 14, isDecorative = false }: StateIconProps) {
  const Glyph = stateGlyphs[state];
  if (Glyph === null) return null;
  const naming = isDecorative
    ? ({ 'aria-hidden': true } as const)
    : ({ role: 'img', 'aria-label': visualStateLabels[state] } as const);
  const shared = { ...naming, 'data-state': state, width: size, height: size };
  if (Glyph !== 'ring') {
    return <Glyph {...shared} className="state-icon" strokeWidth={strokePx} absoluteStrokeWidth size={size} />;
  }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden, like the other icons
    <svg {...shared} className="state-icon state-icon-ring" viewBox="0 0 16 16" fill="none" stroke="currentColor">
      <circle className="state-icon-track" cx="8" cy="8" r="5.75" strokeWidth="1.5" />
      <path d="M8 2.25A5.75 5.75 0 0 1 13.75 8" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}
