/**
 * Closing files without losing what was not saved.
 */
import type { CommandContext } from './command.ts';

/** Closes a tab; one with unsaved edits asks first. */
export function closeFile({ stores, dialogs }: CommandContext, path: string): void {
  const { files, close } = stores.openFiles.getState();
  if (files.get(path)?.isDirty) dialogs.getState().askClose(path);
  else close(path);
}
