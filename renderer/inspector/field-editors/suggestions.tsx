/**
 * A list of suggestions below a field, selected with the arrow keys or the pointer, while the field keeps the focus.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import './suggestions.css';

export interface FieldSuggestion {
  readonly text: string;
  /** Shown in muted text on the right. */
  readonly detail?: string | undefined;
  /** A second line. */
  readonly description?: string | undefined;
}

/** Long enough for browsing. Typing narrows the list. */
const maxShown = 50;

/** Returns the suggestions that contain the query. Those that start with it come first. */
export function matching(suggestions: readonly FieldSuggestion[], query: string): readonly FieldSuggestion[] {
  const wanted = query.toLowerCase();
  const found = suggestions.filter(({ text }) => text.toLowerCase().includes(wanted));
  const begins = ({ text }: FieldSuggestion): boolean => text.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, maxShown);
}

interface SuggestionsState {
  /** Null while the list is closed. */
  readonly items: readonly FieldSuggestion[] | null;
  /** Index of the active suggestion, or -1. */
  readonly active: number;
  /** Handles the keys of the list. Returns true if the key was handled. */
  onKey(event: KeyboardEvent): boolean;
  activate(index: number): void;
}

interface SuggestionsOptions {
  /** Null or an empty list closes it. */
  readonly items: readonly FieldSuggestion[] | null;
  /**
   * Index of the suggestion that Enter accepts before an arrow key is pressed. With -1, Enter accepts the typed text.
   */
  readonly first: 0 | -1;
  readonly onChoose: (item: FieldSuggestion) => void;
  readonly onClose: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export function useSuggestions({ items, first, onChoose, onClose }: SuggestionsOptions): SuggestionsState {
  const [active, setActive] = useState<number>(first);
  const shown = items === null || items.length === 0 ? null : items;
  const count = shown?.length ?? 0;
  const index = active < count ? Math.max(active, first) : first;
  /** Returns whether the key was meant only for the list. */
  const act = (key: string, chosen: FieldSuggestion | undefined): boolean => {
    const step = steps[key];
    if (step !== undefined) setActive((Math.max(index, step > 0 ? -1 : 0) + step + count) % count);
    else if (key === 'Escape') onClose();
    else if ((key === 'Enter' || key === 'Tab') && chosen !== undefined) {
      setActive(first);
      onChoose(chosen);
      // Tab also moves to the next field.
      return key === 'Enter';
    } else return false;
    return true;
  };
  return {
    items: shown,
    active: index,
    activate: setActive,
    onKey(event) {
      if (shown === null || event.nativeEvent.isComposing || !act(event.key, shown[index])) return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

interface SuggestionListProps {
  readonly id: string;
  readonly label: string;
  readonly state: SuggestionsState;
  readonly onChoose: (item: FieldSuggestion) => void;
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** Returns the ARIA attributes of the field: whether the list is open, and which suggestion is active. */
export function listAttributes(id: string, { items, active }: SuggestionsState) {
  if (items === null) return { 'aria-autocomplete': 'list' } as const;
  return {
    'aria-autocomplete': 'list',
    'aria-controls': id,
    'aria-activedescendant': active < 0 ? undefined : optionId(id, active),
  } as const;
}

export function SuggestionList({ id, label, state, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { items, active } = state;
  const isOpen = items !== null;
  useEffect(() => {
    if (isOpen) list.current?.showPopover?.();
  }, [isOpen]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);
  if (items === null) return null;
  return (
    <div ref={list} id={id} popover="manual" className="suggestions" role="listbox" aria-label={label}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
        // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the field
        <div
          key={item.text}
          id={optionId(id, index)}
          className="suggestion"
          role="option"
          aria-selected={index === active}
          onPointerMove={() => state.activate(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
        >
          <span className="suggestion-text">{item.text}</span>
          {item.detail === undefined ? null : <span className="suggestion-detail">{item.detail}</span>}
          {item.description === undefined || item.description === '' ? null : (
            <span className="suggestion-about">{item.description}</span>
          )}
        </div>
      ))}
    </div>
  );
}
