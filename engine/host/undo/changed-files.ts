/**
 * What runs have changed in the workspace, as hosts read it, and what the records need.
 */
import type { Clock } from '../../base/clock.ts';
import type { IdSource, RunId } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { FileChange } from '../../world/files/undo/change-recorder.ts';
import type { FileToPutBack, PutBackFile } from '../../world/files/undo/put-back.ts';
import type { EngineNotice } from '../executor/notices.ts';
import type { RunHistoryReader } from '../reads/history.ts';

/** Runs `work`, which makes the change, and records it. */
export type RecordChange = <T>(change: FileChange, work: () => Promise<T>) => Promise<T>;

/** Something in the workspace that a run has changed. */
export interface ChangedFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** For a created file with the content of a deleted one: the path of the latter. */
  readonly movedFrom?: string;
  /** Sizes in bytes before the run and after it; absent if there was no file. */
  readonly bytesBefore?: number;
  readonly bytesAfter?: number;
  /** `as-left`: as the run has left it; `changed-since`: changed after that; `put-back`: as before the run. */
  readonly state: 'as-left' | 'changed-since' | 'put-back';
  /** Why it cannot be put back: its copy is missing or was never made, or it is not a file. */
  readonly isLost?: true;
  /** Identifies the current content, for `FileToPutBack.over`. */
  readonly now: string;
}

/** What a run has done that is not listed as a change of a file. */
export interface UnlistedEffect {
  readonly kind: 'command' | 'web' | 'tool';
  /** The command, address or tool. */
  readonly target: string;
  readonly count: number;
}

/** What a run and its child runs have changed. */
export interface ChangedFiles {
  /** In the order of the first changes. */
  readonly files: readonly ChangedFile[];
  /** Absolute paths of changed files outside the workspace, which have no copies. */
  readonly outside: readonly string[];
  /** The ids under which files were put back, and when (epoch milliseconds), oldest first. */
  readonly undos: readonly { readonly id: RunId; readonly at: number }[];
  /** For the ID of an undo: the run that had changed the files. */
  readonly undoOf?: RunId;
  /** The list was deleted, because the run is older than lists are kept. */
  readonly isExpired: boolean;
}

/** The two sides of a comparison. */
export interface ChangedTexts {
  /** Before the run; null if there was no file or its content is not text, is too large or has no copy. */
  readonly before: string | null;
  /** Now; null for a missing or large file, and for one that is not text. */
  readonly now: string | null;
  /** Whether both are texts, or missing files. */
  readonly isText: boolean;
}

/** Limits of the copies in a workspace. */
export interface UndoLimitSettings {
  /** Total size of copies, in MiB. */
  readonly megabytes: number;
  readonly days: number;
}

/** The limits, and how much of them is used. */
export interface UndoLimitState extends UndoLimitSettings {
  /** Total size of the copies in bytes. Copies that another process has just made may be missing. */
  readonly bytes: number;
}

/** Only for a person: nothing else may put files back. */
export interface UndoEngine {
  /**
   * Returns what a run has changed in the workspace, compared with the present.
   * @param runId a top-level run, or the id of an undo
   * @throws EngineError `run.not-found` | `files.*`
   */
  changedFiles(runId: RunId): Promise<ChangedFiles>;
  /**
   * Returns what a run has done that may have changed something else: commands, requests and tools. Reads all events.
   * @throws EngineError `run.not-found`
   */
  unlistedEffects(runId: RunId): Promise<readonly UnlistedEffect[]>;
  /** Returns a file before the run and now. @throws EngineError `run.not-found` | `files.not-found` | `files.*` */
  readChangedFile(request: { readonly runId: RunId; readonly path: string }): Promise<ChangedTexts>;
  /**
   * Puts files back as they were before the run. A file that has changed since is left as it is, unless `over`
   * identifies its current content. The undo is recorded under `undoId`, and can be undone.
   * @throws EngineError `run.not-found` | `run.invalid-state` for a run in progress | `files.*`
   */
  undoFiles(request: { readonly runId: RunId; readonly files: readonly FileToPutBack[] }): Promise<UndoneFiles>;
  /** @throws EngineError `http.bad-list` if the list of limits is damaged */
  readUndoLimits(): Promise<UndoLimitState>;
  /**
   * Sets the limits of the workspace and applies them. If they are lower, this deletes copies, so a person must have
   * decided it in a system dialog or a terminal.
   * @throws EngineError `retention.list-inside` | `http.bad-list`
   */
  setUndoLimits(limits: UndoLimitSettings): Promise<void>;
}

/** The result of an undo. */
export interface UndoneFiles {
  /** Absent if nothing has changed. */
  readonly undoId?: RunId;
  readonly files: readonly PutBackFile[];
}

/** Dependencies of the records. */
export interface UndoWorld {
  /** Absolute path. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Records changes of files, also for the person who reviews them; see `WrittenByRuns.changing`. */
  readonly changing: RecordChange;
}

/** What an engine adds, which world without a history does not have. */
export interface UndoHistory {
  readonly store: RunStore;
  readonly history: RunHistoryReader;
  readonly note: (notice: EngineNotice) => void;
  /** Reports a change of the history. */
  readonly tell: () => void;
}
