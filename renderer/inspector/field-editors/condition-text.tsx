/**
 * A condition written as one line, with completions for the path at the caret.
 */
import { type ChangeEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ControlProps } from '../../ui/field.tsx';
import { useFormScope } from '../fields/form-scope.tsx';
import { type FieldSuggestion, listAttributes, matching, SuggestionList, useSuggestions } from './suggestions.tsx';
import { text as texts } from './text.ts';

interface ConditionTextProps {
  readonly control: ControlProps;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly placeholder: string;
  /** Offered in addition to the names that bindings can refer to. */
  readonly names: readonly string[];
}

interface OpenPath {
  readonly start: number;
  readonly end: number;
  /** The path up to the caret. */
  readonly begun: string;
}

/** Returns the path around the caret. Undefined where a comparison or a value is expected. */
function pathAt(text: string, caret: number): OpenPath | undefined {
  const begun = /[\w.[\]"-]*$/.exec(text.slice(0, caret))?.[0] ?? '';
  const start = caret - begun.length;
  if (!/(?:^|\(|\b(?:and|or|not))\s*$/.test(text.slice(0, start))) return undefined;
  const rest = /^[\w.[\]"-]*/.exec(text.slice(caret))?.[0] ?? '';
  return { start, end: caret + rest.length, begun };
}

export function ConditionText({ control, value, onType, placeholder, names }: ConditionTextProps) {
  const { candidates, sees } = useFormScope();
  const input = useRef<HTMLInputElement>(null);
  const nextCaret = useRef<number | null>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const listId = useId();

  useLayoutEffect(() => {
    if (nextCaret.current !== null) input.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });

  const open = caret === null ? undefined : pathAt(value, caret);
  const offered = (): readonly FieldSuggestion[] | null => {
    if (open === undefined) return null;
    const { begun, start } = open;
    const found = candidates({ sees, begun, before: value.slice(0, start) });
    const own = found.map(({ path, detail, description }) => ({ text: path, detail, description }));
    const shown = matching([...names.map((name) => ({ text: name })), ...own], begun);
    return shown.length === 1 && shown[0]?.text === begun ? null : shown;
  };
  const choose = ({ text: path }: FieldSuggestion): void => {
    if (open === undefined) return;
    nextCaret.current = open.start + path.length;
    setCaret(null);
    onType(value.slice(0, open.start) + path + value.slice(open.end));
  };
  // Enter in an empty field applies it.
  const first = value === '' ? -1 : 0;
  const suggestions = useSuggestions({ items: offered(), first, onChoose: choose, onClose: () => setCaret(null) });
  const take = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onType(target.value);
    setCaret(target.selectionStart);
  };
  return (
    <div className="pick-text">
      <input
        {...control}
        ref={input}
        role="combobox"
        aria-expanded={suggestions.items !== null}
        {...listAttributes(listId, suggestions)}
        className="field-input"
        data-mono
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        value={value}
        onClick={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onChange={take}
        onKeyDown={(event) => void suggestions.onKey(event)}
        onBlur={() => setCaret(null)}
      />
      <SuggestionList id={listId} label={texts.condition.paths} state={suggestions} onChoose={choose} />
    </div>
  );
}
