/**
 * A single tab stop for a list: arrow keys, Home and End move between its items.
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

/** Key handler of the list's element. Its items have `data-roving`. */
export function moveRovingFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-roving]')];
  const index = event.target instanceof HTMLElement ? items.indexOf(event.target) : -1;
  const target = index < 0 ? undefined : targetIndex(event.key, index, items.length);
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}

/** Returns the number of items in the first row of a grid. */
function columnCount(items: readonly HTMLElement[]): number {
  const [first] = items;
  const columns = items.findIndex(({ offsetTop }) => offsetTop > (first?.offsetTop ?? 0));
  return columns < 0 ? items.length : columns;
}

function gridStep(key: string, columns: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return 1;
    case 'ArrowLeft':
      return -1;
    case 'ArrowDown':
      return columns;
    case 'ArrowUp':
      return -columns;
    default:
      return undefined;
  }
}

/** Key handler like `moveRovingFocus`, for items in rows: up and down arrows move between the rows. */
export function moveGridFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-roving]')];
  const index = event.target instanceof HTMLElement ? items.indexOf(event.target) : -1;
  const step = gridStep(event.key, columnCount(items));
  if (index < 0 || step === undefined) {
    moveRovingFocus(event);
    return;
  }
  event.preventDefault();
  items[index + step]?.focus();
}

/** Returns the props of a list item. Only the current item, or else the first, can be reached with Tab. */
export function rovingItem(isTabStop: boolean): { 'data-roving': true; tabIndex: number } {
  return { 'data-roving': true, tabIndex: isTabStop ? 0 : -1 };
}

/**
 * Focus handler for a row of a Radix component that receives the focus by Tab for its items. After a click on an item
 * the row itself would keep the focus without a visible indicator, so it is passed on to the selected item.
 */
export function passFocusOn({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (target !== currentTarget) return;
  currentTarget.querySelector<HTMLElement>(':is([data-state="active"], [data-state="on"])')?.focus();
}
