/**
 * The gallery of examples that come with the program: whether it is open, and its list.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';

type GalleryList = EngineResult<'listGallery'>;
export type GalleryExample = GalleryList['examples'][number];

export interface Gallery {
  readonly isOpen: boolean;
  /** Null while it is loading. */
  readonly list: GalleryList | null;
  /** Why the list could not be loaded, or null. */
  readonly error: string | null;
  /** Opens the gallery and reads its list again, because the workspace may have other copies. */
  open(): void;
  close(): void;
}

export function createGallery(engine: EngineClient): StoreApi<Gallery> {
  return createStore<Gallery>()((set) => ({
    isOpen: false,
    list: null,
    error: null,
    open() {
      set({ isOpen: true, list: null, error: null });
      engine.call('listGallery').then(
        (list) => set({ list }),
        (thrown: unknown) => set({ error: toErrorRecord(thrown).message }),
      );
    },
    close: () => set({ isOpen: false }),
  }));
}
