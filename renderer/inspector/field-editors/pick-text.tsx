/**
 * One line of text with suggestions. Any other text can be typed.
 */
import { useId, useState } from 'react';
import type { ControlProps } from '../../ui/field.tsx';
import { useFormScope } from '../fields/form-scope.tsx';
import { ChangedElsewhere, type DraftText } from '../fields/use-draft-text.tsx';

import { type FieldSuggestion, listAttributes, matching, SuggestionList, useSuggestions } from './suggestions.tsx';

interface PickTextProps {
  readonly control?: ControlProps;
  readonly draft: DraftText;
  readonly suggestions: readonly FieldSuggestion[];
  /** Label of the list for screen readers. */
  readonly listLabel: string;
  readonly 'aria-label'?: string;
  readonly placeholder?: string;
  readonly isMono?: boolean;
  /** Called when the field receives the focus, so that suggestions can be loaded. */
  readonly onEnter?: () => void;
}

export function PickText(props: PickTextProps) {
  const { control, draft, suggestions, listLabel, isMono = true, onEnter } = props;
  const { isDisabled } = useFormScope();
  const [isOpen, setIsOpen] = useState(false);
  // All suggestions are offered until something is typed.
  const [query, setQuery] = useState('');
  const listId = useId();
  const choose = ({ text }: FieldSuggestion): void => {
    draft.onType(text);
    setIsOpen(false);
    setQuery('');
  };
  const state = useSuggestions({
    items: isOpen ? matching(suggestions, query) : null,
    first: -1,
    onChoose: choose,
    onClose: () => setIsOpen(false),
  });
  return (
    <div className="pick-text">
      <input
        {...control}
        role="combobox"
        aria-label={props['aria-label']}
        aria-expanded={state.items !== null}
        {...listAttributes(listId, state)}
        className="field-input"
        data-mono={isMono}
        spellCheck={false}
        autoComplete="off"
        placeholder={props.placeholder}
        disabled={isDisabled}
        value={draft.text}
        onFocus={onEnter}
        onClick={() => setIsOpen(true)}
        onChange={(event) => {
          setIsOpen(true);
          setQuery(event.target.value);
          draft.onType(event.target.value);
        }}
        onKeyDown={(event) => {
          if (state.onKey(event)) return;
          if (event.key === 'ArrowDown') setIsOpen(true);
          if (event.key === 'Enter') draft.onLeave();
        }}
        onBlur={() => {
          setIsOpen(false);
          setQuery('');
          draft.onLeave();
        }}
      />
      <ChangedElsewhere draft={draft} />
      <SuggestionList id={listId} label={listLabel} state={state} onChoose={choose} />
    </div>
  );
}
