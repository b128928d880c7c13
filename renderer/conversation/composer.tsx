import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { IconButton } from '../ui/button.tsx';
import { text as words } from './text.ts';
import './composer.css';

interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  /** Shortcut shown on the send button. */
  readonly hint?: string | undefined;
  /** Why sending is not possible, or null if it is. */
  readonly lockedReason: string | null;
  readonly onText: (text: string) => void;
  readonly onSay: () => void;
  /** Cancels the current turn. Null if there is none. */
  readonly onCancel: (() => void) | null;
}

/** The message field. Enter sends, Shift+Enter starts a new line. */
export function Composer({ field, text, hint = 'Enter', lockedReason, onText, onSay, onCancel }: ComposerProps) {
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = '';
    element.style.height = `${element.scrollHeight + (text === '' ? 0 : 2)}px`;
  }, [field, text]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSay();
  };
  return (
    <div className="composer">
      <textarea
        ref={field}
        className="field-input composer-field"
        aria-label={words.chat.message}
        placeholder={lockedReason ?? words.chat.placeholder}
        rows={1}
        disabled={lockedReason !== null}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {onCancel === null ? null : (
        <IconButton label={words.chat.cancelTurn} className="composer-button" onClick={onCancel}>
          <Square aria-hidden size={12} />
        </IconButton>
      )}
      <IconButton
        label={words.chat.send}
        hint={hint}
        className="composer-button composer-say"
        disabled={lockedReason !== null || text.trim() === ''}
        onClick={onSay}
      >
        <ArrowUp aria-hidden size={16} />
      </IconButton>
    </div>
  );
}
