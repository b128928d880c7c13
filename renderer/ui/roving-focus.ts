/**
 * One tab stop for a list: arrow keys, Home and End move between its items.
 */
import type { FocusEvent, KeyboardEvent } from 'react';

function targetIndex(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, count - 1);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Key handler of the list's element; its items carry `data-roving`. */
export function moveRovingFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-roving]')];
  const index = event.target instanceof HTMLElement ? items.indexOf(event.target) : -1;
  const target = index < 0 ? undefined : targetIndex(event.key, index, items.length);
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}

/** What an item of such a list needs: only the current one, else the first, can be reached with Tab. */
export function rovingItem(isTabStop: boolean): { 'data-roving': true; tabIndex: number } {
  return { 'data-roving': true, tabIndex: isTabStop ? 0 : -1 };
}

/**
 * Focus handler for a row of Radix's that takes the focus by Tab for its items. Where a mouse was last on them the row
 * keeps it, and nothing would show where one is: it goes on to the chosen item.
 */
export function passFocusOn({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (target !== currentTarget) return;
  currentTarget.querySelector<HTMLElement>(':is([data-state="active"], [data-state="on"])')?.focus();
}
