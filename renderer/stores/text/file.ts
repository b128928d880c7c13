/**
 * An open file as views know it.
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

/** The file was changed by others while it had edits that are not saved. */
export interface FileConflict {
  /** What the file holds now; null = it was deleted. */
  readonly diskText: string | null;
  /** What it held before, where both began; null = nobody knows any more. */
  readonly baseText: string | null;
}

export interface OpenFile extends CheckedText {
  readonly kind: DocumentKind;
  /** Relative to the workspace, with `/`; of an agent elsewhere its reference or its absolute path. Runs go by it, too. */
  readonly path: string;
  /** `unreadable`: there is no text to show, and `readError` says why. */
  readonly status: 'loading' | 'ready' | 'unreadable';
  readonly readError: ErrorRecord | null;
  /** What the schema files hold that a flow names, as far as it is known. */
  readonly schemas: SchemaFiles;
  /** The file was deleted while open; the text is the last one. */
  readonly isMissing: boolean;
  /** The text is the stored definition of the run that is shown, not what the file holds now. */
  readonly isOldVersion: boolean;
  /** Why the text cannot be edited; null = it can. */
  readonly readOnlyReason: string | null;
  readonly isDirty: boolean;
  /** What undo would take back, and redo do again; null = nothing. */
  readonly undoLabel: string | null;
  readonly redoLabel: string | null;
  /** When the last edit was made that is in the text, epoch milliseconds; null = none is. */
  readonly editedAt: number | null;
  readonly conflict: FileConflict | null;
  /** When the last of the edits was made that an earlier session left unsaved, epoch milliseconds; null = none were. */
  readonly restoredFrom: number | null;
}

/** A file that was asked for and not read yet. */
export function loadingFile(path: string, kind: DocumentKind): OpenFile {
  return {
    ...uncheckedText,
    kind,
    path,
    status: 'loading',
    readError: null,
    schemas: noSchemaFiles,
    isMissing: false,
    isOldVersion: false,
    readOnlyReason: null,
    isDirty: false,
    undoLabel: null,
    redoLabel: null,
    editedAt: null,
    conflict: null,
    restoredFrom: null,
  };
}

/** What the log of its edits says of a file. */
function stateOfLog({
  text,
  savedText,
  entries,
  applied,
}: EditLog): Pick<OpenFile, 'text' | 'isDirty' | 'undoLabel' | 'redoLabel' | 'editedAt'> {
  return {
    text,
    isDirty: text !== savedText,
    undoLabel: entries[applied - 1]?.label ?? null,
    redoLabel: entries[applied]?.label ?? null,
    editedAt: entries[applied - 1]?.at ?? null,
  };
}

const missingCodes: ReadonlySet<string> = new Set(['files.not-found', 'agent.not-found', 'pack.not-found']);

/** Whether an error says that there is no such file. */
export function isGone(thrown: unknown): boolean {
  return EngineError.is(thrown) && missingCodes.has(thrown.code);
}

/** Whether nothing can be shown: the file does not exist, and no unsaved text of it is kept. */
export function isUnfound({ status, readError }: OpenFile): boolean {
  return status === 'unreadable' && readError !== null && missingCodes.has(readError.code);
}

/** A file that could not be read: a text that is on screen stays there. */
export function withReadError(file: OpenFile, thrown: unknown): OpenFile {
  const readError = toErrorRecord(thrown);
  if (file.status !== 'ready') return { ...file, status: 'unreadable', readError };
  return { ...file, readError, isMissing: isGone(thrown) };
}

/** A file whose text has changed, with its check where that is known; without one the former check stays until then. */
export function withText(file: OpenFile, log: EditLog, check?: DocumentCheck): OpenFile {
  const state = stateOfLog(log);
  if (check !== undefined) return { ...file, ...withCheck(state.text, check, file), ...state };
  return { ...file, ...state, isCheckStale: file.isCheckStale || state.text !== file.text };
}
