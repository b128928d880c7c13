/**
 * Moves the keyboard between the work (canvas, outline) and the form beside it.
 */
import type { KeyboardEvent } from 'react';

const fields = ':is(input, textarea, [contenteditable="true"], [role="combobox"]):not(:disabled)';

/** The part that had the keyboard before a form got it. */
let origin: Element | null = null;

/** Into the first field of its form, else onto its first button. Nothing when the part is not on the page. */
export function focusFirstField(part: string): void {
  const field = document.querySelector<HTMLElement>(`${part} .inspector-body ${fields}`);
  const target = field ?? document.querySelector<HTMLElement>(`${part} :is(button, [tabindex="0"])`);
  if (target === null) return;
  const { activeElement } = document;
  if (activeElement?.closest(part) === null) origin = activeElement.closest('[data-keys]');
  target.focus();
}

/** For a form beside the work: an Escape that no field has used leads back to where the person came from. */
export function leaveByEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
  const back = origin?.isConnected === true ? origin : document.querySelector('.stage [data-keys]');
  origin = null;
  if (!(back instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  const target = back.matches('[tabindex]') ? back : back.querySelector<HTMLElement>('[role="application"]');
  target?.focus({ preventScroll: true });
}
