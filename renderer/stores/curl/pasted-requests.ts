/**
 * Commands that were pasted, on their way to become nodes: at once, or when the person has said what to do with the secrets in them.
 * The values of those are in memory only, until main has them or the question is closed.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FlowDoc, JsonMap } from '../../../engine/isomorphic.ts';
import type { Notices } from '../window/notices.ts';
import { knownPathsOf } from './curl-bindings.ts';
import { type CurlRequest, readCurl } from './read-curl.ts';

/** Puts the input of an `http.request` into the file. Resolves with whether it is there. */
export type AddRequest = (input: JsonMap) => Promise<boolean>;

interface PendingRequest extends CurlRequest {
  readonly add: AddRequest;
}

export interface PastedRequests {
  /** What the person is asked about; null = nothing. */
  readonly pending: PendingRequest | null;
  /** Takes a text that is a curl command for the flow. False for any other text, with which nothing is done. */
  take(text: string, doc: FlowDoc | null, add: AddRequest): boolean;
  /** Forgets what is pending, and with it all values. */
  close(): void;
}

/** @param notices gets what was not taken over, where nothing is asked */
export function createPastedRequests(notices: StoreApi<Notices>): StoreApi<PastedRequests> {
  return createStore<PastedRequests>()((set) => ({
    pending: null,
    take(text, doc, add) {
      const request = readCurl(text, doc === null ? undefined : knownPathsOf(doc));
      if (request === null) return false;
      if (request.secrets.length > 0) set({ pending: { ...request, add } });
      else {
        void add(request.input).then((isThere) => {
          if (!isThere || request.notes.length === 0) return;
          const title = 'The request was added, but for this';
          notices.getState().add({ tone: 'info', title, detail: request.notes.join(' ') });
        });
      }
      return true;
    },
    close: () => set({ pending: null }),
  }));
}
