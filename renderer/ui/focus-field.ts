/**
 * Moves the focus between the main part (canvas, outline) and the form beside it.
 */
import type { KeyboardEvent } from 'react';

const fields = ':is(input,textarea,[contenteditable="true"],[role="combobox"]):not(:disabled)';

/** The part that had the focus before the form. */
let origin: Element | null = null;

/** Focuses the first field of the part's form, or else its first button. Does nothing if the part is not rendered. */
export function focusFirstField(part: string): void {
  const field = document.querySelector<HTMLElement>([part, '.inspector-body', fields].join(' '));
  const target = field ?? document.querySelector<HTMLElement>(`${part} :is(button, [tabindex="0"])`);
  if (target === null) return;
  const { activeElement } = document;
  if (activeElement?.closest(part) === null) origin = activeElement.closest('[data-keys]');
  target.focus();
}

/**
 * Key handler for a form beside the main part: an Escape that no field has handled returns the focus to the previous
 * part.
 */
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
