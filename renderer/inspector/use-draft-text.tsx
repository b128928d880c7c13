/**
 * Text that a person is typing: kept here and sent shortly after, so that nothing that comes back moves the caret.
 */
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useFormScope } from './form-scope.tsx';
import { type DrawnText, type SendText, TypedText } from './typed-text.ts';
import './use-draft-text.css';

/** Somebody else changed the value while it was typed over: both are shown, and the person chooses. */
interface DraftConflict {
  /** What the document says now. */
  readonly theirs: string;
  keepMine(): void;
  takeTheirs(): void;
}

export interface DraftText {
  readonly text: string;
  /** Null = there is nothing to decide. */
  readonly conflict: DraftConflict | null;
  /** @param pauseMs how long it waits for more before it is sent; as usual when absent */
  onType(text: string, pauseMs?: number): void;
  /** Sends what is waiting; on leaving the field, and on Enter. */
  onLeave(): void;
}

/** @param shown what the document says; shown until the person types, and again when the field was left */
export function useDraftText(shown: string, send: SendText): DraftText {
  const { onLost } = useFormScope();
  const [{ draft, isHeld }, draw] = useState<DrawnText>({ draft: null, isHeld: false });
  const id = useId();
  const [typed] = useState(() => new TypedText({ id, shown, send, draw, onLost }));
  useLayoutEffect(() => typed.update(shown, send));
  useEffect(() => () => typed.end(), [typed]);
  return {
    text: draft ?? shown,
    conflict: isHeld ? { theirs: shown, keepMine: () => typed.keepMine(), takeTheirs: () => typed.forget() } : null,
    onType: (text, pauseMs) => typed.type(text, pauseMs),
    onLeave: () => void typed.leave(),
  };
}

/** Below a field whose text was changed elsewhere while it was typed over: what stands in the file now, and the choice. */
export function ChangedElsewhere({ draft: { conflict } }: { draft: DraftText }) {
  if (conflict === null) return null;
  return (
    <div className="changed-elsewhere" role="alert">
      <p>Changed elsewhere while you typed. In the file now:</p>
      <pre data-selectable>{conflict.theirs === '' ? '(nothing)' : conflict.theirs}</pre>
      <div className="changed-elsewhere-answers">
        <Button size="small" onClick={conflict.keepMine}>
          Keep mine
        </Button>
        <Button size="small" onClick={conflict.takeTheirs}>
          Take theirs
        </Button>
      </div>
    </div>
  );
}
