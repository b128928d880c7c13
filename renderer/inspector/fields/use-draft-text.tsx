/**
 * Text that is being edited. It is kept here and sent after a short pause, so that updates from the document do not
 * move the caret.
 */
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useFormScope } from './form-scope.tsx';
import { text } from './text.ts';
import { type DrawnText, type SendText, TypedText } from './typed-text.ts';
import '../use-draft-text.css';

/** Someone else changed the value while it was edited. Both values are shown, and the user chooses. */
interface DraftConflict {
  /** The current text of the document. */
  readonly theirs: string;
  keepMine(): void;
  takeTheirs(): void;
}

export interface DraftText {
  readonly text: string;
  /** Null without a conflict. */
  readonly conflict: DraftConflict | null;
  /** @param pauseMs time to wait for more text before sending; defaults to the usual pause */
  onType(text: string, pauseMs?: number): void;
  /** Sends the pending text. Called when the field loses the focus, and on Enter. */
  onLeave(): void;
}

/** @param shown text of the document; shown until the user types, and again after the field loses the focus */
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

/**
 * Shown below a field with text that was changed elsewhere while it was edited: the current text of the file, and the
 * choice.
 */
export function ChangedElsewhere({ draft: { conflict } }: { draft: DraftText }) {
  if (conflict === null) return null;
  return (
    <div className="changed-elsewhere" role="alert">
      <p>{text.conflict.changed}</p>
      <pre data-selectable>{conflict.theirs === '' ? text.conflict.empty : conflict.theirs}</pre>
      <div className="changed-elsewhere-answers">
        <Button size="small" onClick={conflict.keepMine}>
          {text.conflict.keepMine}
        </Button>
        <Button size="small" onClick={conflict.takeTheirs}>
          {text.conflict.takeTheirs}
        </Button>
      </div>
    </div>
  );
}
