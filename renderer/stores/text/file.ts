/**
 * The state of an open file for views.
 */

import type { EditLog } from '../../../electron/ipc/edit-log.ts';
import {
  EngineError,
  type ErrorRecord,
  noSchemaFiles,
  type SchemaFiles,
  toErrorRecord,
} from '../../../engine/isomorphic.ts';
import { type CheckedText, type DocumentCheck, type DocumentKind, uncheckedText, withCheck } from './check.ts';

/** The file was changed by others while it had unsaved edits. */
export interface FileConflict {
  /** The current content of the file. Null if it was deleted. */
  readonly diskText: string | null;
  /** The previous content, which both sides are based on. Null if it is no longer known. */
  readonly baseText: string | null;
}

/** What another program changed in a file without unsaved edits, since the user last looked at such changes. */
interface OutsideChange {
  readonly before: string;
  readonly after: string;
}

export interface OpenFile extends CheckedText {
  readonly kind: DocumentKind;
  /**
   * Path relative to the workspace, with `/`. For an agent outside it, its reference or its absolute path. Also
   * identifies its runs.
   */
  readonly path: string;
  /** `unreadable` means that nothing can be shown, and `readError` contains the reason. */
  readonly status: 'loading' | 'ready' | 'unreadable';
  readonly readError: ErrorRecord | null;
  /** The contents of the schema files used by a flow, as far as they are known. */
  readonly schemas: SchemaFiles;
  /** Whether the file was deleted while open, or is new. The text is the last one. */
  readonly isMissing: boolean;
  /** Whether the file contained text when it was last read or saved. */
  readonly wasSaved: boolean;
  /** Whether the text is the stored definition of the shown run instead of the current content of the file. */
  readonly isOldVersion: boolean;
  /** Why the text is read-only, or null if it is not. */
  readonly readOnlyReason: string | null;
  readonly isDirty: boolean;
  /** Label of the step that undo or redo would apply, or null. */
  readonly undoLabel: string | null;
  readonly redoLabel: string | null;
  /** Time of the last edit in the text, in epoch milliseconds. Null if there is none. */
  readonly editedAt: number | null;
  readonly conflict: FileConflict | null;
  readonly outside: OutsideChange | null;
  /** Number of conflicts of a merge that are not decided yet. The file is not saved before they are. */
  readonly openConflicts: number;
  /** Time of the last unsaved edit from an earlier session, in epoch milliseconds. Null if there were none. */
  readonly restoredFrom: number | null;
}

/** Returns a file that was requested and not loaded yet. */
export function loadingFile(path: string, kind: DocumentKind): OpenFile {
  return {
    ...uncheckedText,
    kind,
    path,
    status: 'loading',
    readError: null,
    schemas: noSchemaFiles,
    isMissing: false,
    wasSaved: false,
    isOldVersion: false,
    readOnlyReason: null,
    isDirty: false,
    undoLabel: null,
    redoLabel: null,
    editedAt: null,
    conflict: null,
    outside: null,
    openConflicts: 0,
    restoredFrom: null,
  };
}

/** Returns the properties of a file that depend on its edit log. */
function stateOfLog({
  text,
  savedText,
  entries,
  applied,
}: EditLog): Pick<OpenFile, 'text' | 'isDirty' | 'wasSaved' | 'undoLabel' | 'redoLabel' | 'editedAt'> {
  return {
    text,
    isDirty: text !== savedText,
    wasSaved: savedText !== '',
    undoLabel: entries[applied - 1]?.label ?? null,
    redoLabel: entries[applied]?.label ?? null,
    editedAt: entries[applied - 1]?.at ?? null,
  };
}

/** Returns whether a file is new: it was never saved. */
export function isNew({ isMissing, wasSaved }: Pick<OpenFile, 'isMissing' | 'wasSaved'>): boolean {
  return isMissing && !wasSaved;
}

const missingCodes: ReadonlySet<string> = new Set(['files.not-found', 'agent.not-found', 'pack.not-found']);

/** Returns whether an error means that the file does not exist. */
export function isGone(thrown: unknown): boolean {
  return EngineError.is(thrown) && missingCodes.has(thrown.code);
}

/** Returns whether there is nothing to show: the file does not exist, and no unsaved text is stored. */
export function isUnfound({ status, readError }: OpenFile): boolean {
  return status === 'unreadable' && readError !== null && missingCodes.has(readError.code);
}

/** Returns a file that could not be read. Text that is already on screen stays there. */
export function withReadError(file: OpenFile, thrown: unknown): OpenFile {
  const readError = toErrorRecord(thrown);
  if (file.status !== 'ready') return { ...file, status: 'unreadable', readError };
  return { ...file, readError, isMissing: isGone(thrown) };
}

/**
 * Returns a file with a changed text and its check. Without a check, the previous one is kept until a new one is
 * available.
 */
export function withText(file: OpenFile, log: EditLog, check?: DocumentCheck): OpenFile {
  const state = stateOfLog(log);
  if (check !== undefined) return { ...file, ...withCheck(state.text, check, file), ...state };
  return { ...file, ...state, isCheckStale: file.isCheckStale || state.text !== file.text };
}
