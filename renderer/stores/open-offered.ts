/**
 * Opens items requested by the system or a link: files that were double-clicked, packs, and open requests.
 */
import type { StoreApi } from 'zustand/vanilla';
import { asRunId } from '../../engine/isomorphic.ts';
import type { EngineClient } from '../bridge/engine-client.ts';
import type { MainClient, MainResult } from '../bridge/main-client.ts';
import { showRun, showWaitingPlace, type WaitingViews } from './show-waiting.ts';
import type { OpenFiles } from './text/files.ts';
import { kindOfPath } from './text/paths.ts';
import { text } from './text.ts';
import type { WindowNotices } from './window/notices.ts';
import type { Panes } from './window/panes.ts';
import type { Gallery } from './workspace/gallery.ts';
import type { Packs } from './workspace/packs.ts';

interface OfferStores extends WaitingViews {
  readonly engine: EngineClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly packs: StoreApi<Packs>;
  readonly gallery: StoreApi<Gallery>;
  readonly panes: StoreApi<Panes>;
}

/** Opens the items that are already pending, and those that arrive later. Resolves when the former are opened. */
export async function openOffered(main: MainClient, stores: OfferStores): Promise<void> {
  const take = async (): Promise<void> => {
    const { things } = await main.call('open.take');
    for (const thing of things) openThing(stores, thing);
  };
  main.onPush({ 'open.offered': () => void take() });
  await take();
}

/** Shows the only run of a window that was opened for a sent run. */
export async function openSentRun(stores: OfferStores): Promise<void> {
  try {
    const [run] = await stores.engine.call('listRuns', { limit: 1 });
    if (run !== undefined) await showRun(stores, { runId: asRunId(run.runId), nodeId: null });
  } catch (error) {
    stores.notices.getState().addError(text.openSentFailed, error);
  }
}

type Thing = MainResult<'open.take'>['things'][number];

function openThing(stores: OfferStores, thing: Thing): void {
  const { openFiles, packs, gallery, panes, notices } = stores;
  switch (thing.kind) {
    case 'file':
      void openFiles.getState().open(thing.path, kindOfPath(thing.path));
      break;
    case 'pack':
      packs.getState().askInstall(thing.uri);
      break;
    case 'gallery':
      gallery.getState().open();
      break;
    case 'run':
      showRun(stores, thing).catch((error: unknown) => notices.getState().addError(text.openLinkFailed, error));
      break;
    case 'waiting':
      if (thing.place !== null) void showWaitingPlace(stores, thing.place);
      else panes.setState(({ isOpen }) => ({ sideView: 'waiting', isOpen: { ...isOpen, side: true } }));
      break;
  }
}
