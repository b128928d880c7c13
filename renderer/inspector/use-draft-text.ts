/**
 * Text that a person is typing: kept here and sent shortly after, so that nothing that comes back moves the caret.
 */
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import { useFormScope } from './form-scope.tsx';
import { type DrawnText, type SendText, TypedText } from './typed-text.ts';

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
