/**
 * All edits to the text of open files by the user (canvas, forms, text, undo), and saving.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EditStep } from '../../../electron/ipc/edit-log.ts';
import {
  applyEdits,
  type CatalogueChange,
  EngineError,
  type Extraction,
  editBetween,
  type FlowChange,
  type TextEdit,
} from '../../../engine/isomorphic.ts';
import type { OpenFile } from './file.ts';
import type { EditParts } from './file-log.ts';
import type { FileServices, OpenFiles } from './files.ts';
import type { EditOrigin } from './log.ts';
import { folderOf, pathIn } from './paths.ts';
import { createFileSaves, type FileSaves } from './save.ts';
import type { ChangedDocument } from './service.ts';
import { text as words } from './text.ts';

interface FlowChanges {
  /**
   * Applies a change from the canvas or a form: one after the other, as the smallest edit of the text. A rejected
   * change is shown as a notice and leaves the text unchanged. Resolves when text and graph show the change, to whether
   * they do.
   * @param mergeKey consecutive changes with the same key are merged into one undo step
   */
  change(path: string, change: FlowChange, mergeKey?: string): Promise<boolean>;
  /**
   * Applies a change to a catalog.
   * @param onRefused called with the reason of a rejection, instead of a notice
   */
  changeCatalogue(
    path: string,
    change: CatalogueChange,
    mergeKey?: string,
    onRefused?: (reason: string) => void,
  ): Promise<boolean>;
  /**
   * Returns the text after applying changes one after the other, without making them. @throws EngineError if one cannot
   * be applied
   */
  textWith(path: string, changes: readonly FlowChange[]): Promise<string>;
  /** Resolves when all changes requested so far are in the text. */
  whenChanged(path: string): Promise<void>;
}

export interface FileEdits extends FlowChanges, Extractions, FileSaves {
  /** Records text typed into the text editor, which already shows it. */
  type(path: string, edits: readonly TextEdit[], mergeKey?: string): void;
  /** Replaces the whole text, in a single undo step. */
  replace(path: string, text: string, label: string): void;
  undo(path: string): void;
  redo(path: string): void;
  /** Restores the content of the file, as an edit that can be undone. */
  revert(path: string): void;
  /**
   * Resolves a conflict: `mine` keeps the text on screen, which can then be saved; `theirs` uses the content of the
   * file.
   */
  settle(path: string, choice: 'mine' | 'theirs'): void;
  /** Subscribes to edits of a file that were not made in the text editor. Returns a function that unsubscribes. */
  onEdits(path: string, listener: (parts: EditParts, origin: EditOrigin) => void): () => void;
}

type ChangeText = (text: string) => Promise<ChangedDocument>;

interface AskedChange {
  readonly what: 'flow' | 'catalogue';
  readonly change: ChangeText;
  readonly mergeKey: string | undefined;
  readonly onRefused?: ((reason: string) => void) | undefined;
}

/** How often a change is computed again because of typing. */
const maxTries = 20;

function editStep(label: string, edits: readonly TextEdit[], mergeKey?: string): EditStep {
  const key = mergeKey === undefined ? {} : { mergeKey };
  return { do: 'edit', label, at: Date.now(), edits: [...edits], ...key };
}

function createFlowChanges(services: FileServices, mayEdit: (path: string) => boolean): FlowChanges {
  const { documents, logs, notices } = services;
  /** The last pending change of each file. */
  const queues = new Map<string, Promise<unknown>>();

  /** Computes the change for the same text that it is applied to. */
  const compute = async (path: string, change: ChangeText): Promise<ChangedDocument> => {
    for (let tries = 0; tries < maxTries; tries++) {
      const text = logs.logOf(path)?.text ?? '';
      const changed = await change(text);
      if (logs.logOf(path)?.text === text) return changed;
    }
    throw new EngineError({ code: 'edit.refused', message: words.change.tooFast });
  };

  const makeChange = async (path: string, { what, change, mergeKey, onRefused }: AskedChange): Promise<boolean> => {
    if (!mayEdit(path)) return false;
    const title = what === 'flow' ? words.change.flowFailed : words.change.catalogFailed;
    try {
      const changed = await compute(path, change);
      if (!changed.ok) {
        const { message } = changed.error;
        if (onRefused === undefined) notices.getState().add({ tone: 'error', title, detail: message });
        else onRefused(message);
        return false;
      }
      const { edits, label, check } = changed;
      if (edits.length > 0) logs.take(path, editStep(label, edits, mergeKey), 'here', check);
      return true;
    } catch (error) {
      notices.getState().addError(title, error);
      return false;
    }
  };

  const inTurn = (path: string, asked: AskedChange): Promise<boolean> => {
    const made = (queues.get(path) ?? Promise.resolve()).then(() => makeChange(path, asked));
    queues.set(path, made);
    return made;
  };

  return {
    change: (path, change, mergeKey) =>
      inTurn(path, { what: 'flow', change: (text) => documents.change(text, change), mergeKey }),
    changeCatalogue: (path, change, mergeKey, onRefused) =>
      inTurn(path, {
        what: 'catalogue',
        change: (text) => documents.changeCatalogue(text, change),
        mergeKey,
        onRefused,
      }),
    async textWith(path, wanted) {
      let text = logs.logOf(path)?.text ?? '';
      for (const change of wanted) {
        const changed = await documents.change(text, change);
        if (!changed.ok) throw new EngineError(changed.error);
        text = applyEdits(text, changed.edits);
      }
      return text;
    },
    whenChanged: async (path) => void (await queues.get(path)),
  };
}

interface Extractions {
  /** Returns the text of the new flow. @throws EngineError `edit.refused` if the nodes cannot be extracted */
  extracted(path: string, extraction: Extraction): Promise<string>;
  /**
   * Writes the new file beside the flow at `path`, which then calls it. This is one undo step that keeps the new file.
   * If the flow cannot be changed, the new file is deleted again. Returns its path, or null if the flow was not
   * changed, which a notice has reported.
   * @throws EngineError if the new file cannot be written, such as `files.exists`
   */
  extract(path: string, extraction: Extraction): Promise<string | null>;
}

interface ChangeOfFlow {
  readonly mayEdit: (path: string) => boolean;
  readonly change: (path: string, change: FlowChange) => Promise<boolean>;
  readonly whenChanged: (path: string) => Promise<void>;
}

/** Extracts nodes of an open flow into a separate flow: writes its file, then makes the open flow call it. */
function createExtractions(services: FileServices, { mayEdit, change, whenChanged }: ChangeOfFlow): Extractions {
  const { documents, engine, logs } = services;
  const extracted = async (path: string, extraction: Extraction): Promise<string> => {
    await whenChanged(path);
    const made = await documents.extract(logs.logOf(path)?.text ?? '', extraction);
    if (!made.ok) throw new EngineError(made.error);
    return made.text;
  };
  return {
    extracted,
    async extract(path, extraction) {
      if (!mayEdit(path)) return null;
      const text = await extracted(path, extraction);
      const file = pathIn(folderOf(path), extraction.file);
      await engine.call('createFile', { path: file, kind: 'file', text });
      if (await change(path, { do: 'extract', ...extraction, text })) return file;
      await engine.call('trashFile', file);
      return null;
    },
  };
}

/** @param onScreen returns the visible text of a path, which may be that of an older run */
export function createFileEdits(
  services: FileServices,
  openFiles: StoreApi<OpenFiles>,
  onScreen: (path: string) => OpenFile | undefined,
): FileEdits {
  const { logs, notices } = services;
  const fileOf = (path: string): OpenFile | undefined => openFiles.getState().files.get(path);
  const mayEdit = (path: string): boolean => {
    const file = onScreen(path);
    if (file?.status !== 'ready') return false;
    if (file.readOnlyReason === null) return true;
    notices.getState().add({ tone: 'info', title: words.change.readOnly({ path }), detail: file.readOnlyReason });
    return false;
  };
  const replace = (path: string, text: string, label: string): void => {
    const between = editBetween(logs.logOf(path)?.text ?? text, text);
    if (between !== null && mayEdit(path)) logs.take(path, editStep(label, [between]));
  };
  const changes = createFlowChanges(services, mayEdit);

  return {
    ...changes,
    ...createExtractions(services, { mayEdit, ...changes }),
    ...createFileSaves(services, openFiles, mayEdit, changes.whenChanged),
    type(path, edits, mergeKey) {
      if (edits.length > 0 && mayEdit(path)) logs.take(path, editStep(words.edits.typing, edits, mergeKey), 'typed');
    },
    replace,
    undo(path) {
      if (fileOf(path)?.undoLabel != null) logs.take(path, { do: 'undo' });
    },
    redo(path) {
      if (fileOf(path)?.redoLabel != null) logs.take(path, { do: 'redo' });
    },
    revert(path) {
      const log = logs.logOf(path);
      if (log !== undefined) replace(path, log.savedText, words.edits.discard);
      openFiles.getState().patch(path, { restoredFrom: null });
    },
    settle(path, choice) {
      const conflict = fileOf(path)?.conflict ?? null;
      if (conflict === null) return;
      const { diskText } = conflict;
      openFiles.getState().patch(path, { conflict: null, isMissing: diskText === null });
      if (diskText === null) return;
      logs.take(path, { do: 'disk', text: diskText });
      if (choice === 'theirs') replace(path, diskText, words.edits.useDisk);
    },
    onEdits: (path, listener) =>
      logs.subscribe(({ path: changed, parts, origin }) => {
        if (changed === path && origin !== 'typed' && parts.length > 0) listener(parts, origin);
      }),
  };
}
