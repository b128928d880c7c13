/**
 * The git state of the whole workspace.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';

export interface GitState {
  /** Null without git or a repository, and until it is loaded. */
  readonly branch: string | null;
  /** Number of files that differ from the last commit. */
  readonly changed: number;
  /**
   * Reloads the state. Requests during a reload cause one more at the end. The state does not change if it cannot be
   * read.
   */
  refresh(): Promise<void>;
}

export function createGitState(engine: EngineClient): StoreApi<GitState> {
  let reading: Promise<void> | null = null;
  let isOutdated = false;
  return createStore<GitState>()((set) => {
    const read = async (): Promise<void> => {
      do {
        isOutdated = false;
        const git = await engine.call('readGit').catch(() => undefined);
        if (git !== undefined) set({ branch: git?.branch ?? null, changed: git?.changed ?? 0 });
      } while (isOutdated);
      reading = null;
    };
    return {
      branch: null,
      changed: 0,
      refresh() {
        isOutdated = true;
        reading ??= read();
        return reading;
      },
    };
  });
}
