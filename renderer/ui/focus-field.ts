/**
 * Puts the keyboard where somebody goes on: into the first field of a part of the page.
 */

const fields = ':is(input, textarea, [contenteditable="true"], [role="combobox"]):not(:disabled)';

/** Into the first field of its form, else onto its first button. Nothing when the part is not on the page. */
export function focusFirstField(part: string): void {
  const field = document.querySelector<HTMLElement>(`${part} .inspector-body ${fields}`);
  const target = field ?? document.querySelector<HTMLElement>(`${part} :is(button, [tabindex="0"])`);
  target?.focus();
}
