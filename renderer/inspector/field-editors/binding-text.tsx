/**
 * A text field with bindings: they are highlighted, and completions are offered after two braces.
 */
import { type ChangeEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ControlProps } from '../../ui/field.tsx';
import { useFormScope } from '../fields/form-scope.tsx';
import { unfinishedPauseMs } from '../fields/typed-text.ts';
import { ChangedElsewhere, type DraftText } from '../fields/use-draft-text.tsx';
import { type FieldSuggestion, listAttributes, matching, SuggestionList, useSuggestions } from './suggestions.tsx';
import { text as texts } from './text.ts';
import './binding-text.css';

interface TextPiece {
  readonly start: number;
  readonly text: string;
  readonly isBinding: boolean;
}

const tokenPattern = /(\\?\{\{(?:[^{}"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*\}\})/;

/** Returns plain text and bindings in order. Braces after a backslash are plain. */
function textPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = 0;
  for (const piece of text.split(tokenPattern)) {
    if (piece !== '') pieces.push({ start, text: piece, isBinding: piece.startsWith('{{') });
    start += piece.length;
  }
  return pieces;
}

/** A binding that is being typed. */
interface OpenBinding {
  /** Start of its path. The path may extend beyond the caret. */
  readonly start: number;
  readonly end: number;
  /** The path up to the caret. */
  readonly query: string;
}

/** Returns the binding around the caret, or null. */
function bindingAt(text: string, caret: number): OpenBinding | null {
  const before =
    /(?<!\\)\{\{\s*\??\s*((?:[^\s|{}[\]"']|\[(?:\d+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\])*(?:\[(?:\d*|"[^"]*|'[^']*))?)$/.exec(
      text.slice(0, caret),
    );
  if (before === null) return null;
  const query = before[1] ?? '';
  const rest =
    (query.includes('[') && !query.endsWith(']') ? /^[^\n|{}]*?(?=\s*(?:\||\}))/ : /^[^\s|{}]*/).exec(
      text.slice(caret),
    )?.[0] ?? '';
  return { start: caret - query.length, end: caret + rest.length, query };
}

/** Returns the Handlebars tag around the caret, or null. */
function tagAt(text: string, caret: number): OpenBinding | null {
  const inside = /(?<!\\)\{\{\{?~?\s*([^{}]*)$/.exec(text.slice(0, caret))?.[1];
  if (inside === undefined || inside.startsWith('!')) return null;
  const query = /[^\s(=]*$/.exec(inside)?.[0] ?? '';
  const rest = /^[^\s~{}()]*/.exec(text.slice(caret))?.[0] ?? '';
  return { start: caret - query.length, end: caret + rest.length, query };
}

/**
 * Returns the closing braces for a binding that was just started: its second brace was just typed and no closing braces
 * follow.
 */
export function closeBinding(text: string, caret: number): string {
  const isBegun = /(?<!\\)(?<!\{)\{\{$/.test(text.slice(0, caret));
  return isBegun && !/^[^{]*\}\}/.test(text.slice(caret)) ? `${text.slice(0, caret)}}}${text.slice(caret)}` : text;
}

/** Returns whether a typed brace replaces the existing closing brace of the binding around the caret. */
export function isTypedOver(text: string, caret: number): boolean {
  return text[caret] === '}' && /(?<!\\)\{\{[^{}]*\}?$/.test(text.slice(0, caret));
}

/**
 * Returns the text with the typed part of a path replaced by the full path, the binding closed, and the caret after it.
 */
function putBinding(text: string, { start, end }: OpenBinding, path: string): { text: string; caret: number } {
  const rest = text.slice(end);
  const closing = /^\s*(?:\|[^{}]*)?\}\}/.exec(rest)?.[0];
  const put = `${text.slice(0, start)}${path}${closing === undefined ? '}}' : ''}`;
  return { text: put + rest, caret: put.length + (closing?.length ?? 0) };
}

interface BindingTextProps {
  readonly control: ControlProps;
  readonly draft: DraftText;
  readonly placeholder?: string;
  /** Whether it is a single line that Enter submits. */
  readonly isLine?: boolean;
  /** Number of rows of an empty field. */
  readonly rows?: number;
  readonly mayBind: boolean;
  /** Used if the field has no visible label. */
  readonly 'aria-label'?: string;
  readonly isFocused?: boolean;
  /** Whether bindings are suggested while the field is empty, before anything is typed. */
  readonly offersAtOnce?: boolean;
}

/** Pixels, as in the style sheet. Padding and border are added above and below. */
const lineHeight = 18;
const aroundLines = 10;

interface Caret {
  readonly start: number;
  readonly end: number;
}

export function BindingText(props: BindingTextProps) {
  const { control, draft, isLine = false, mayBind, rows = 1, offersAtOnce = false } = props;
  const { isDisabled, candidates, sees } = useFormScope();
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

  const findOpen = sees === 'input' ? tagAt : bindingAt;
  const isUntouched = offersAtOnce && text === '';
  // Treats the empty field as if the braces had been typed.
  const begun = isUntouched ? '{{' : text;
  const at = isUntouched ? begun.length : caret?.end;
  const isAtCaret = caret !== null && caret.start === caret.end;
  const open = mayBind && !isClosed && isAtCaret && at !== undefined ? findOpen(begun, at) : null;
  const offered =
    open === null
      ? null
      : matching(
          suggestionsOf(candidates({ sees, begun: open.query, before: begun.slice(0, open.start) })),
          open.query,
        );
  const choose = ({ text: path }: FieldSuggestion): void => {
    if (open === null) return;
    const put = putBinding(begun, open, path);
    nextCaret.current = put.caret;
    setIsClosed(true);
    setCaret({ start: put.caret, end: put.caret });
    draft.onType(put.text);
  };
  const suggestions = useSuggestions({
    items: offered,
    // Enter and Tab leave an empty field empty.
    first: isUntouched ? -1 : 0,
    onChoose: choose,
    onClose: () => setIsClosed(true),
  });
  const readCaret = (current = area.current): void => {
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
          // biome-ignore lint/a11y/noAutofocus: only set right after the user requested this field
          autoFocus={props.isFocused}
          style={{ minHeight: `${rows * lineHeight + aroundLines}px` }}
          spellCheck={false}
          placeholder={props.placeholder}
          disabled={isDisabled}
          value={text}
          onChange={take}
          // The focus event can occur before the ref is set.
          onFocus={offersAtOnce ? ({ currentTarget }) => readCaret(currentTarget) : undefined}
          onSelect={() => readCaret()}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setCaret(null);
            draft.onLeave();
          }}
        />
        {mayBind ? <Highlights text={text} caret={caret} /> : null}
        <SuggestionList id={listId} label={texts.value.bindings} state={suggestions} onChoose={choose} />
      </div>
      <ChangedElsewhere draft={draft} />
    </>
  );
}

function suggestionsOf(
  candidates: readonly { path: string; detail: string; description: string }[],
): FieldSuggestion[] {
  return candidates.map(({ path, detail, description }) => ({ text: path, detail, description }));
}

/** Highlights the bindings in the text, except the one with the caret, because it would hide the caret. */
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
