import { Pin, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode, use } from 'react';
import { shallow } from 'zustand/shallow';
import { useShownRunPart } from '../stores/use-flow.ts';
import { NodeTile } from '../ui/node-tile.tsx';
import { durationText, waitText } from '../ui/quantity-text.ts';
import { StateIcon } from '../ui/state-icon.tsx';
import { useNow } from '../ui/use-now.ts';
import type { CardContent } from './card-content.ts';
import { FlowPath } from './card-context.ts';
import type { CardState } from './card-state.ts';
import { text } from './text.ts';

interface CardHeaderProps {
  readonly content: CardContent;
  readonly shown: CardState;
  readonly startedAt: number | undefined;
  /**
   * When the node started to wait for an answer, in epoch milliseconds. Undefined if it is not waiting or if the time
   * is not known.
   */
  readonly waitsSince: number | undefined;
}

/**
 * The icon and name, and on the right the state, or the type when nothing runs. Not rendered again for streamed text.
 */
export const CardHeader = memo(function CardHeader({ content, shown, startedAt, waitsSince }: CardHeaderProps) {
  const timed = content.bodySize === null ? timeOf(shown, startedAt, waitsSince) : null;
  return (
    <div className="node-card-header" data-type={content.restWords}>
      <NodeTile category={content.category} icon={content.icon} />
      <span className="node-card-title" title={content.title}>
        {content.title}
      </span>
      {content.warning === null ? null : (
        <span className="node-card-warning" title={content.warning.message}>
          <TriangleAlert aria-hidden size={14} strokeWidth={1.3} absoluteStrokeWidth />
        </span>
      )}
      <span className="node-card-state" title={shown.cause ?? hintOf(content)}>
        {shown.pin === '' ? null : (
          <span className="node-card-pin" title={text.state.pinHint}>
            <Pin aria-hidden size={12} strokeWidth={1.3} absoluteStrokeWidth />
            {shown.pin}
          </span>
        )}
        <span className="node-card-words">
          {shown.item === '' ? null : <span className="node-card-item">{shown.item}</span>}
          {timed ?? shown.words}
        </span>
        <StateIcon state={shown.state} isDecorative />
      </span>
    </div>
  );
}, isSameHeader);

function isSameHeader({ shown: before, ...one }: CardHeaderProps, { shown, ...other }: CardHeaderProps): boolean {
  return shallow(before, shown) && shallow(one, other);
}

/** Returns how long the node has been running or waiting. Null if the text of its state is enough. */
function timeOf({ state, item }: CardState, startedAt: number | undefined, waitsSince: number | undefined): ReactNode {
  if (startedAt !== undefined && state === 'running') return <Elapsed since={startedAt} />;
  return waitsSince === undefined || state !== 'suspended' ? null : <Waited since={waitsSince} isShort={item !== ''} />;
}

/** A loop has no room for its summary. */
function hintOf({ bodySize, sentence }: CardContent): string | undefined {
  if (bodySize === null) return undefined;
  return sentence.map((part) => (typeof part === 'string' ? part : part.chip)).join('');
}

const tickMs = 100;
const waitTickMs = 1000;

/** Time since a node made its request, including time when the program was closed. */
function Waited({ since, isShort }: { readonly since: number; readonly isShort: boolean }) {
  const time = waitText(useMoment(waitTickMs) - since);
  return <span aria-hidden>{isShort ? time : text.state.waiting({ time })}</span>;
}

interface ElapsedProps {
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Time since a node started. Updates only while it is on screen. */
function Elapsed({ since }: ElapsedProps) {
  const now = useMoment(tickMs);
  // Below a tenth of a second the text would change every few milliseconds.
  return <span aria-hidden>{durationText(Math.max(tickMs, now - since))}</span>;
}

/** Returns the moment of the run that is on screen, in epoch milliseconds: the current time, or an earlier one. */
function useMoment(everyMs: number): number {
  const then = useShownRunPart(use(FlowPath), ({ moment }) => moment?.at);
  const now = useNow(then === undefined, everyMs);
  return then ?? now;
}
