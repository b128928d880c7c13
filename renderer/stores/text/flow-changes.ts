/**
 * Changes that canvas and forms make to flows: computed beside the typing, one after the other.
 */
import type { StoreApi } from 'zustand/vanilla';
import { applyEdits, EngineError, type FlowChange, type TextEdit } from '../../../engine/isomorphic.ts';
import type { Notices } from '../window/notices.ts';
import type { OpenFlows } from './files.ts';
import type { Drafts } from './logs.ts';
import type { ChangedDocument, DocumentService } from './service.ts';

export interface FlowChanges {
  /** Makes a change; see `FileEdits.change`. */
  change(path: string, change: FlowChange, mergeKey?: string): Promise<boolean>;
  /** Resolves when the changes that were asked for until now are in the text. */
  whenChanged(path: string): Promise<void>;
}

export interface FlowChangesParts {
  readonly documents: DocumentService;
  readonly drafts: Drafts;
  readonly openFlows: StoreApi<OpenFlows>;
  readonly notices: StoreApi<Notices>;
  readonly mayEdit: (path: string) => boolean;
}

/** How often typing may overtake a change. */
const maxTries = 20;

export function createFlowChanges({ documents, drafts, openFlows, notices, mayEdit }: FlowChangesParts): FlowChanges {
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
      openFlows.getState().takeCheck(path, applyEdits(text, changed.edits), changed.check);
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
