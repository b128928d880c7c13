/**
 * Steps through a conversation: each event as text, and the state after it.
 */
import { ChevronLeft, ChevronRight, History } from 'lucide-react';
import { Button, IconButton } from '../ui/button.tsx';
import { clockText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import type { ConversationEventLine } from './conversation-words.ts';
import { text } from './text.ts';
import './steps.css';

interface StepsProps {
  readonly steps: readonly ConversationEventLine[];
  /** Number of the event after which the state is shown. Null for the current state. */
  readonly at: number | null;
  readonly onLookAt: (seq: number | null) => void;
  /** Whether to show all steps as a list instead of the buttons that move between them. */
  readonly isList: boolean;
}

const rowHeight = 26;

export function Steps({ steps, at, onLookAt, isList }: StepsProps) {
  const index = at === null ? steps.length - 1 : steps.findLastIndex(({ seq }) => seq <= at);
  if (!isList) return <StepBar steps={steps} index={index} isNow={at === null} onLookAt={onLookAt} />;
  return (
    <div className="step-list">
      <VirtualRows
        label={text.steps.label}
        count={steps.length}
        rowHeight={rowHeight}
        followsEnd
        keyOf={(row) => String(steps[row]?.seq)}
        renderRow={(row, isTabStop) => {
          const step = steps[row];
          if (step === undefined) return null;
          return (
            <button
              type="button"
              className="step-row"
              aria-current={at !== null && row === index ? 'true' : undefined}
              title={step.text}
              onClick={() => onLookAt(step.seq)}
              {...rovingItem(at === null ? isTabStop : row === index)}
            >
              <span className="step-row-time">{clockText(step.at)}</span>
              <span className="step-row-text">{step.text}</span>
            </button>
          );
        }}
      />
    </div>
  );
}

interface StepBarProps {
  readonly steps: readonly ConversationEventLine[];
  readonly index: number;
  readonly isNow: boolean;
  readonly onLookAt: (seq: number | null) => void;
}

function StepBar({ steps, index, isNow, onLookAt }: StepBarProps) {
  const go = (to: number): void => onLookAt(to >= steps.length - 1 ? null : (steps[to]?.seq ?? null));
  return (
    <div className="step-bar" role="toolbar" aria-label={text.steps.toolbar} data-now={isNow}>
      <IconButton label={text.steps.back} disabled={index < 1} onClick={() => go(index - 1)}>
        <ChevronLeft aria-hidden size={14} />
      </IconButton>
      <IconButton label={text.steps.forward} disabled={isNow} onClick={() => go(index + 1)}>
        <ChevronRight aria-hidden size={14} />
      </IconButton>
      <span className="step-bar-text" title={steps[index]?.text} aria-live="polite">
        {isNow
          ? text.steps.now
          : text.steps.at({ number: index + 1, count: steps.length, step: steps[index]?.text ?? '' })}
      </span>
      {isNow ? null : (
        <Button size="small" onClick={() => onLookAt(null)}>
          <History aria-hidden size={12} />
          {text.steps.backToNow}
        </Button>
      )}
    </div>
  );
}
