/**
 * What the side panel shows besides files, runs and packs.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../bridge/engine-client.ts';
import type { RunHistory } from './runs/run-history.ts';
import { createWaitingList, type WaitingList } from './runs/waiting-list.ts';
import type { OpenFiles } from './text/files.ts';
import { createTextSearch, type TextSearch } from './workspace/text-search.ts';

export interface SideStores {
  readonly textSearch: StoreApi<TextSearch>;
  readonly waitingList: StoreApi<WaitingList>;
}

export interface SideStoresParts {
  readonly engine: EngineClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly runHistory: StoreApi<RunHistory>;
}

export function createSideStores({ engine, openFiles, runHistory }: SideStoresParts): SideStores {
  return {
    textSearch: createTextSearch({ engine, openFiles }),
    waitingList: createWaitingList(engine, runHistory),
  };
}
