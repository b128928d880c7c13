/**
 * What git says of the workspace as a whole.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';

export interface GitState {
  /** Null without git or a repository, and until it was read. */
  readonly branch: string | null;
  /** Files that differ from the last commit. */
  readonly changed: number;
  /** Reads it anew; what is asked for meanwhile is read once more at the end. What cannot be read stays as it was. */
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
