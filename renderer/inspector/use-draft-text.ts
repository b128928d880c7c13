/**
 * Text that a person is typing: kept here and sent a moment later, so that nothing that comes back moves the caret.
 */
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

/** How long typing rests before it is sent, in milliseconds. */
export const typingPauseMs = 400;

/**
 * Takes typed text over. Gives whether it did; text that it refuses stays in the field.
 * @param mergeKey the same for all that was typed between entering and leaving the field
 */
export type SendText = (text: string, mergeKey: string) => Promise<boolean> | boolean;

export interface DraftText {
  readonly text: string;
  onType(text: string): void;
  /** Sends what is waiting; on leaving the field, and on Enter. */
  onLeave(): void;
  /** Goes back to what the document says, unless it was sent already. */
  onEscape(): void;
}

interface Typing {
  timer: ReturnType<typeof setTimeout> | undefined;
  waiting: string | null;
  session: number;
}

/** @param shown what the document says; shown until the person types, and again when the field was left */
export function useDraftText(shown: string, send: SendText): DraftText {
  const [draft, setDraft] = useState<string | null>(null);
  const id = useId();
  const typing = useRef<Typing>({ timer: undefined, waiting: null, session: 0 });
  const latestSend = useRef(send);
  useLayoutEffect(() => {
    latestSend.current = send;
  });

  const flush = useCallback((): Promise<boolean> | boolean => {
    const { timer, waiting, session } = typing.current;
    clearTimeout(timer);
    typing.current.waiting = null;
    return waiting === null ? true : latestSend.current(waiting, `${id} ${session}`);
  }, [id]);
  useEffect(() => () => void flush(), [flush]);

  return {
    text: draft ?? shown,
    onType(text) {
      setDraft(text);
      clearTimeout(typing.current.timer);
      typing.current.waiting = text;
      typing.current.timer = setTimeout(flush, typingPauseMs);
    },
    onLeave() {
      const left = draft;
      const isTaken = Promise.resolve(flush());
      typing.current.session++;
      void isTaken.then((isThere) => {
        // Whoever came back and typed on meanwhile keeps that.
        if (isThere) setDraft((now) => (now === left ? null : now));
      });
    },
    onEscape() {
      clearTimeout(typing.current.timer);
      typing.current.waiting = null;
      setDraft(null);
    },
  };
}
