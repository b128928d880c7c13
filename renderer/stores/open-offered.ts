/**
 * Opens what the system or a link asked the program for: files that were double-clicked, packs.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { MainClient } from '../bridge/main-client.ts';
import type { OpenFiles } from './text/files.ts';
import { kindOfPath } from './text/paths.ts';
import type { Packs } from './workspace/packs.ts';

interface OfferStores {
  readonly openFiles: StoreApi<OpenFiles>;
  readonly packs: StoreApi<Packs>;
}

/** Opens what there is already, and from now on what comes. Resolves when the former has been taken. */
export async function openOffered(main: MainClient, { openFiles, packs }: OfferStores): Promise<void> {
  const take = async (): Promise<void> => {
    const { things } = await main.call('open.take');
    for (const thing of things) {
      if (thing.kind === 'file') void openFiles.getState().open(thing.path, kindOfPath(thing.path));
      else packs.getState().askInstall(thing.uri);
    }
  };
  main.onPush({ 'open.offered': () => void take() });
  await take();
}
