/**
 * Pasted commands that are about to become nodes: at once, or after the user has decided about the secrets in them. The
 * values of secrets are only in memory, until main has them or the question is closed.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type CurlRequest, type FlowDoc, type JsonMap, knownPathsOf, readCurl } from '../../../engine/isomorphic.ts';
import type { WindowNotices } from '../window/notices.ts';
import { text as words } from './text.ts';

/** Adds the input of an `http.request` to the file. Resolves to whether it was added. */
export type AddRequest = (input: JsonMap) => Promise<boolean>;

interface PendingRequest extends CurlRequest {
  readonly add: AddRequest;
}

export interface PastedRequests {
  /** The request that needs the user's decision, or null. */
  readonly pending: PendingRequest | null;
  /** Handles pasted text if it is a curl command. Returns false for any other text, which is ignored. */
  take(text: string, doc: FlowDoc | null, add: AddRequest): boolean;
  /** Discards the pending request and all its values. */
  close(): void;
}

/** @param notices receives the parts that were ignored, if the user need not be asked */
export function createPastedRequests(notices: StoreApi<WindowNotices>): StoreApi<PastedRequests> {
  return createStore<PastedRequests>()((set) => ({
    pending: null,
    take(text, doc, add) {
      const request = readCurl(text, doc === null ? undefined : knownPathsOf(doc), words.messages);
      if (request === null) return false;
      if (request.secrets.length > 0) set({ pending: { ...request, add } });
      else {
        void add(request.input).then((isThere) => {
          if (!isThere || request.notes.length === 0) return;
          notices.getState().add({ tone: 'info', title: words.addedWithNotes, detail: request.notes.join(' ') });
        });
      }
      return true;
    },
    close: () => set({ pending: null }),
  }));
}
