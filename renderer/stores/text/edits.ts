/**
 * What a person does to the text of open files, by whichever means: canvas, form, text, undo; and saving.
 */
import type { StoreApi } from 'zustand/vanilla';
import { applyEdits, EngineError, editBetween, type FlowChange, type TextEdit } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { Notices } from '../window/notices.ts';
import type { OpenFile, OpenFiles } from './files.ts';
import type { DraftChange, Drafts, EditOrigin } from './logs.ts';
import { createFileSaves, type FileSaves } from './save.ts';
import type { ChangedDocument, DocumentService } from './service.ts';

interface FlowChanges {
  /** Makes a change; see `FileEdits.change`. */
  change(path: string, change: FlowChange, mergeKey?: string): Promise<boolean>;
  /** Resolves when the changes that were asked for until now are in the text. */
  whenChanged(path: string): Promise<void>;
}

interface FlowChangesParts {
  readonly documents: DocumentService;
  readonly drafts: Drafts;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly notices: StoreApi<Notices>;
  readonly mayEdit: (path: string) => boolean;
}

/** How often typing may overtake a change. */
const maxTries = 20;

function createFlowChanges({ documents, drafts, openFiles, notices, mayEdit }: FlowChangesParts): FlowChanges {
  /** The last change of each file that is under way. */
  const queues = new Map<string, Promise<unknown>>();

  const edit = (
    path: string,
    edits: readonly TextEdit[],
    entry: { label: string; mergeKey?: string | undefined },
  ): void => {
    const { label, mergeKey } = entry;
    const key = mergeKey === undefined ? {} : { mergeKey };
    drafts.take(path, { do: 'edit', label, at: Date.now(), edits: [...edits], ...key });
  };

  /** Computed for the very text that it is applied to. */
  const compute = async (path: string, change: FlowChange): Promise<{ text: string; changed: ChangedDocument }> => {
    for (let tries = 0; tries < maxTries; tries++) {
      const text = drafts.logOf(path)?.text ?? '';
      const changed = await documents.change(text, change);
      if (drafts.logOf(path)?.text === text) return { text, changed };
    }
    throw new EngineError({ code: 'edit.refused', message: 'The text changes too fast. Stop typing, and try again.' });
  };

  const makeChange = async (path: string, change: FlowChange, mergeKey: string | undefined): Promise<boolean> => {
    if (!mayEdit(path)) return false;
    try {
      const { text, changed } = await compute(path, change);
      if (!changed.ok) {
        notices.getState().add({ tone: 'error', title: 'The flow was not changed', detail: changed.error.message });
        return false;
      }
      if (changed.edits.length === 0) return true;
      edit(path, changed.edits, { label: changed.label, mergeKey });
      openFiles.getState().takeCheck(path, applyEdits(text, changed.edits), changed.check);
      return true;
    } catch (error) {
      notices.getState().addError('The flow was not changed', error);
      return false;
    }
  };

  return {
    change(path, change, mergeKey) {
      const made = (queues.get(path) ?? Promise.resolve()).then(() => makeChange(path, change, mergeKey));
      queues.set(path, made);
      return made;
    },
    whenChanged: async (path) => void (await queues.get(path)),
  };
}

export interface FileEdits extends FileSaves {
  /**
   * Changes a flow as canvas and forms do: one after the other, as the smallest edit of the text. A refusal is told as a
   * notice and leaves the text as it was. Resolves when text and graph show it, with whether they do.
   * @param mergeKey changes right after each other with the same key are one entry of undo
   */
  change(path: string, change: FlowChange, mergeKey?: string): Promise<boolean>;
  /** Resolves when the changes that were asked for until now are in the text. */
  whenChanged(path: string): Promise<void>;
  /** Letters that the person typed into the text editor, which shows them already. */
  type(path: string, edits: readonly TextEdit[], mergeKey?: string): void;
  /** Sets the whole text, as one entry of undo. */
  replace(path: string, text: string, label: string): void;
  undo(path: string): void;
  redo(path: string): void;
  /** Goes back to what the file holds, as an edit that can be undone. */
  revert(path: string): void;
  /** Settles a conflict: `mine` keeps the text on screen, to be saved; `theirs` takes what the file holds. */
  settle(path: string, choice: 'mine' | 'theirs'): void;
  /** Tells edits of a file that the text editor has not made itself. Returns the subscription's end. */
  onEdits(path: string, listener: (parts: DraftChange['parts'], origin: EditOrigin) => void): () => void;
}

export interface FileEditsParts {
  readonly engine: EngineClient;
  readonly documents: DocumentService;
  readonly drafts: Drafts;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly notices: StoreApi<Notices>;
  /** What a person sees for a path, which may be the text of an older run. */
  readonly onScreen: (path: string) => OpenFile | undefined;
}

export function createFileEdits(parts: FileEditsParts): FileEdits {
  const { drafts, openFiles, notices } = parts;
  const fileOf = (path: string): OpenFile | undefined => openFiles.getState().files.get(path);
  const mayEdit = (path: string): boolean => {
    const file = parts.onScreen(path);
    if (file?.status !== 'ready') return false;
    if (file.readOnlyReason === null) return true;
    notices.getState().add({ tone: 'info', title: `${path} cannot be changed`, detail: file.readOnlyReason });
    return false;
  };

  const changes = createFlowChanges({ ...parts, mayEdit });
  const replace = (path: string, text: string, label: string): void => {
    const between = editBetween(drafts.logOf(path)?.text ?? text, text);
    if (between !== null && mayEdit(path)) {
      drafts.take(path, { do: 'edit', label, at: Date.now(), edits: [between] });
    }
  };

  return {
    ...changes,
    type(path, edits, mergeKey) {
      if (!mayEdit(path) || edits.length === 0) return;
      const step = { do: 'edit', label: 'Typing', at: Date.now(), edits: [...edits] } as const;
      drafts.take(path, mergeKey === undefined ? step : { ...step, mergeKey }, 'typed');
    },
    replace,
    undo(path) {
      if (fileOf(path)?.undoLabel != null) drafts.take(path, { do: 'undo' });
    },
    redo(path) {
      if (fileOf(path)?.redoLabel != null) drafts.take(path, { do: 'redo' });
    },
    ...createFileSaves({ ...parts, mayEdit, whenChanged: changes.whenChanged }),
    revert(path) {
      const log = drafts.logOf(path);
      if (log !== undefined) replace(path, log.savedText, 'Back to the saved text');
      openFiles.getState().patch(path, { restoredFrom: null });
    },
    settle(path, choice) {
      const conflict = fileOf(path)?.conflict ?? null;
      if (conflict === null) return;
      const { diskText } = conflict;
      openFiles.getState().patch(path, { conflict: null, isMissing: diskText === null });
      if (diskText === null) return;
      drafts.take(path, { do: 'disk', text: diskText });
      if (choice === 'theirs') replace(path, diskText, 'Take over the file');
    },
    onEdits: (path, listener) =>
      drafts.subscribe(({ path: changed, parts, origin }) => {
        if (changed === path && origin !== 'typed' && parts.length > 0) listener(parts, origin);
      }),
  };
}
