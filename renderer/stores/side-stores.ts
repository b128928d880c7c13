/**
 * What the side panel shows besides files, runs and packs.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../bridge/engine-client.ts';
import type { RunHistory } from './runs/run-history.ts';
import { createWaitingList, type WaitingList } from './runs/waiting-list.ts';
import type { OpenFlows } from './text/files.ts';
import { createTextSearch, type TextSearch } from './workspace/text-search.ts';

export interface SideStores {
  readonly textSearch: StoreApi<TextSearch>;
  readonly waitingList: StoreApi<WaitingList>;
}

export interface SideStoresParts {
  readonly engine: EngineClient;
  readonly openFlows: StoreApi<OpenFlows>;
  readonly runHistory: StoreApi<RunHistory>;
}

export function createSideStores({ engine, openFlows, runHistory }: SideStoresParts): SideStores {
  return {
    textSearch: createTextSearch({ engine, openFlows }),
    waitingList: createWaitingList(engine, runHistory),
  };
}
