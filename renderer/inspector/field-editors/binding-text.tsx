/**
 * Text with bindings in it: they stand out, and after two braces what they may name is offered.
 */
import { type ChangeEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ControlProps } from '../../ui/field.tsx';
import { useFormScope } from '../form-scope.tsx';
import { unfinishedPauseMs } from '../typed-text.ts';
import type { DraftText } from '../use-draft-text.ts';
import './binding-text.css';
import { bindingAt, closeBinding, isTypedOver, putBinding, textPieces } from './binding-pieces.ts';
import { ChangedElsewhere } from './changed-elsewhere.tsx';
import { listAttributes, matching, type Suggestion, SuggestionList, useSuggestions } from './suggestions.tsx';

interface BindingTextProps {
  readonly control: ControlProps;
  readonly draft: DraftText;
  readonly placeholder?: string;
  /** One line: Enter sends it. */
  readonly isLine?: boolean;
  /** Lines of an empty field. */
  readonly rows?: number;
  readonly mayBind: boolean;
  /** When it has no label of its own. */
  readonly 'aria-label'?: string;
  readonly isFocused?: boolean;
}

/** Pixels, as in the style sheet; with padding and border above and below. */
const lineHeight = 18;
const aroundLines = 10;

interface Caret {
  readonly start: number;
  readonly end: number;
}

export function BindingText(props: BindingTextProps) {
  const { control, draft, isLine = false, mayBind, rows = 1 } = props;
  const { isDisabled, candidates } = useFormScope();
  const area = useRef<HTMLTextAreaElement>(null);
  const nextCaret = useRef<number | null>(null);
  const [caret, setCaret] = useState<Caret | null>(null);
  const [isClosed, setIsClosed] = useState(false);
  const listId = useId();
  const { text } = draft;

  useLayoutEffect(() => {
    if (nextCaret.current !== null) area.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });

  const open = mayBind && !isClosed && caret !== null && caret.start === caret.end ? bindingAt(text, caret.end) : null;
  const offered = open === null ? null : matching(suggestionsOf(candidates), open.query);
  const choose = ({ text: path }: Suggestion): void => {
    if (open === null) return;
    const put = putBinding(text, open, path);
    nextCaret.current = put.caret;
    setIsClosed(true);
    setCaret({ start: put.caret, end: put.caret });
    draft.onType(put.text);
  };
  const suggestions = useSuggestions({
    items: offered,
    first: 0,
    onChoose: choose,
    onClose: () => setIsClosed(true),
  });
  const readCaret = (): void => {
    const { current } = area;
    if (current !== null) setCaret({ start: current.selectionStart, end: current.selectionEnd });
  };
  const take = ({ target, nativeEvent }: ChangeEvent<HTMLTextAreaElement>): void => {
    const { value, selectionEnd: at } = target;
    const isBrace = mayBind && nativeEvent instanceof InputEvent && nativeEvent.data === '{';
    const closed = isBrace ? closeBinding(value, at) : value;
    if (closed !== value) nextCaret.current = at;
    setIsClosed(false);
    draft.onType(closed, mayBind && bindingAt(closed, at) !== null ? unfinishedPauseMs : undefined);
    setCaret({ start: target.selectionStart, end: at });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (suggestions.onKey(event)) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (event.key === '}' && selectionStart === selectionEnd && mayBind && isTypedOver(text, selectionEnd)) {
      event.preventDefault();
      event.currentTarget.setSelectionRange(selectionEnd + 1, selectionEnd + 1);
      readCaret();
    }
    if (event.key === 'Enter' && isLine && !event.shiftKey) {
      event.preventDefault();
      draft.onLeave();
    }
  };

  return (
    <>
      <div className="binding-text">
        <textarea
          {...control}
          ref={area}
          aria-label={props['aria-label']}
          {...listAttributes(listId, suggestions)}
          className="field-input binding-area"
          // biome-ignore lint/a11y/noAutofocus: only set right after the person asked for this very field
          autoFocus={props.isFocused}
          style={{ minHeight: `${rows * lineHeight + aroundLines}px` }}
          spellCheck={false}
          placeholder={props.placeholder}
          disabled={isDisabled}
          value={text}
          onChange={take}
          onSelect={readCaret}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setCaret(null);
            draft.onLeave();
          }}
        />
        {mayBind ? <Highlights text={text} caret={caret} /> : null}
        <SuggestionList id={listId} label="Values to bind to" state={suggestions} onChoose={choose} />
      </div>
      <ChangedElsewhere draft={draft} />
    </>
  );
}

function suggestionsOf(candidates: readonly { path: string; detail: string; description: string }[]): Suggestion[] {
  return candidates.map(({ path, detail, description }) => ({ text: path, detail, description }));
}

/** The bindings over the text, but not the one that the caret is in: it would hide the caret. */
function Highlights({ text, caret }: { text: string; caret: Caret | null }) {
  const pieces = textPieces(text);
  return (
    <div className="binding-highlights" aria-hidden data-selecting={caret !== null && caret.start !== caret.end}>
      {pieces.map(({ start, text: piece, isBinding }) => {
        const isInside = caret !== null && caret.start > start && caret.start < start + piece.length;
        return isBinding && !isInside ? (
          <mark key={start} className="binding-mark">
            {piece}
          </mark>
        ) : (
          <span key={start}>{piece}</span>
        );
      })}
    </div>
  );
}
