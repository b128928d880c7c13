/**
 * A list below a field to choose from by arrow keys or pointer, while the field keeps the focus.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import './suggestions.css';

export interface Suggestion {
  readonly text: string;
  /** Quietly at the right. */
  readonly detail?: string | undefined;
  /** A second line. */
  readonly description?: string | undefined;
}

/** More than anybody looks through; typing narrows them down. */
const maxShown = 50;

/** Those that hold the query, those that begin with it first. */
export function matching(suggestions: readonly Suggestion[], query: string): readonly Suggestion[] {
  const wanted = query.toLowerCase();
  const found = suggestions.filter(({ text }) => text.toLowerCase().includes(wanted));
  const begins = ({ text }: Suggestion): boolean => text.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, maxShown);
}

interface SuggestionsState {
  /** Null = closed. */
  readonly items: readonly Suggestion[] | null;
  /** -1 = none. */
  readonly active: number;
  /** Handles the keys of the list; true = the key was one. */
  onKey(event: KeyboardEvent): boolean;
  activate(index: number): void;
}

interface SuggestionsOptions {
  /** Null or none = closed. */
  readonly items: readonly Suggestion[] | null;
  /** The one that Enter takes before an arrow key was pressed; -1 = none, so that Enter takes what was typed. */
  readonly first: 0 | -1;
  readonly onChoose: (item: Suggestion) => void;
  readonly onClose: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export function useSuggestions({ items, first, onChoose, onClose }: SuggestionsOptions): SuggestionsState {
  const [active, setActive] = useState<number>(first);
  const shown = items === null || items.length === 0 ? null : items;
  const count = shown?.length ?? 0;
  const index = active < count ? Math.max(active, first) : first;
  /** Whether the key was meant for the list alone. */
  const act = (key: string, chosen: Suggestion | undefined): boolean => {
    const step = steps[key];
    if (step !== undefined) setActive((Math.max(index, step > 0 ? -1 : 0) + step + count) % count);
    else if (key === 'Escape') onClose();
    else if ((key === 'Enter' || key === 'Tab') && chosen !== undefined) {
      setActive(first);
      onChoose(chosen);
      // Tab goes on to the next field as well.
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
  readonly onChoose: (item: Suggestion) => void;
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** What the field says of its list: whether it is there, and which of it is active. */
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
