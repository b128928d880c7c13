/**
 * Types into a control of the page. Call it in `act`.
 */

/**
 * Sets a value and reports it to React, which ignores a value that is set without the native setter.
 * @throws Error if the control does not exist
 */
export function typeInto(control: HTMLInputElement | HTMLTextAreaElement | null | undefined, value: string): void {
  if (control === null || control === undefined) throw new Error('The control does not exist.');
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
  control.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
