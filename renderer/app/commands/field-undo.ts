/**
 * Undo inside of fields. What is typed into a search, a name or a note that is being written is not in the file yet, so
 * the keys of undo go by the field there; fields that write into the file go by the undo of the file.
 */

/** Set on what holds fields that write into the file while they are typed into. */
const writingPlaces = '[data-undo="file"], .monaco-editor';
const typedInputs: ReadonlySet<string> = new Set(['text', 'search', 'number', 'password', 'url', 'email', 'tel']);

/** Whether the keyboard is in a field whose text is its own. */
export function isInOwnField(): boolean {
  const field = document.activeElement;
  const isField =
    field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && typedInputs.has(field.type));
  return isField && field.closest(writingPlaces) === null;
}

/** Takes back, or does again, what was typed into the field that has the keyboard. */
export function undoInField(what: 'undo' | 'redo'): void {
  // Only the browser knows the history of its fields, and has no other way to ask for it.
  document.execCommand(what);
}
