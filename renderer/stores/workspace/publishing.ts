/**
 * The published flows of the workspace, the keys of their callers, and the service that answers them. Read only while a
 * view shows them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainArgs, MainClient } from '../../bridge/main-client.ts';
import type { FileEdits } from '../text/edits.ts';
import type { OpenFiles } from '../text/files.ts';
import type { WindowNotices } from '../window/notices.ts';
import { text } from './text.ts';

/** A flow that others can call. */
export type ListedAddress = EngineResult<'listPublished'>[number];
/** A key of a caller, without its text. */
export type ListedKey = EngineResult<'listApiKeys'>[number];

/** The flow to publish, and the settings to change. */
type WantedPublish = MainArgs<'publish.flow'>[0];

export interface Publishing {
  /** Null until they are read. */
  readonly flows: readonly ListedAddress[] | null;
  /** All keys of the user, the oldest first. */
  readonly keys: readonly ListedKey[];
  /** The service that answers calls now; null if none runs. */
  readonly service: EngineResult<'findService'>;
  /** Why they could not be read, in a sentence. */
  readonly problem: string | null;
  /** Keeps everything up to date until the returned function is called. */
  watch(): () => void;
  /** Asks the user in a system dialog to publish a flow, to confirm it, or to change its settings. */
  publish(request: WantedPublish): Promise<void>;
  unpublish(flow: string): Promise<void>;
  /** Asks the user in a system dialog. Returns the text of the key, which is not kept; null if none was created. */
  createKey(flow: string, name: string): Promise<string | null>;
  revokeKey(id: string): Promise<void>;
  /** Opens the form page in the browser. */
  openForm(flow: string): Promise<void>;
}

interface PublishingOutside {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly edits: Pick<FileEdits, 'save' | 'whenChanged'>;
}

export function createPublishing({ engine, main, notices, openFiles, edits }: PublishingOutside): StoreApi<Publishing> {
  return createStore<Publishing>()((set) => {
    let reads = 0;
    const refresh = async (): Promise<void> => {
      const read = ++reads;
      const lists = [engine.call('listPublished'), engine.call('listApiKeys'), engine.call('findService')] as const;
      try {
        const [flows, keys, service] = await Promise.all(lists);
        // A later read has newer answers.
        if (read === reads) set({ flows, keys, service, problem: null });
      } catch (error) {
        if (read === reads) set({ problem: toErrorRecord(error).message });
      }
    };
    const act = async <Value>(title: string, work: () => Promise<Value>): Promise<Value | null> => {
      try {
        return await work();
      } catch (error) {
        notices.getState().addError(title, error);
        return null;
      } finally {
        await refresh();
      }
    };
    return {
      flows: null,
      keys: [],
      service: null,
      problem: null,
      watch() {
        const again = (): void => void refresh();
        // Another program can change the lists, and is not watched.
        window.addEventListener('focus', again);
        const ends = [
          engine.onConnected(again),
          engine.stream('watchFlows', again),
          engine.stream('watchHistory', again),
          main.onPush({ 'background.changed': again }),
        ];
        again();
        return () => {
          window.removeEventListener('focus', again);
          for (const end of ends) end();
        };
      },
      async publish(request) {
        const { flow } = request;
        await act(text.publishing.notPublished({ path: flow }), async () => {
          // The user agrees to the file, so it has to contain what they see.
          await edits.whenChanged(flow);
          if (openFiles.getState().files.get(flow)?.isDirty === true && !(await edits.save(flow))) return;
          await main.call('publish.flow', request);
        });
      },
      unpublish: async (flow) =>
        void (await act(text.publishing.notUnpublished({ path: flow }), () => engine.call('unpublishFlow', flow))),
      createKey: async (flow, name) => {
        const made = await act(text.publishing.noKey, () => main.call('publish.createKey', { flow, name }));
        return made?.key ?? null;
      },
      revokeKey: async (id) => void (await act(text.publishing.notRevoked, () => engine.call('revokeApiKey', id))),
      openForm: async (flow) =>
        void (await act(text.publishing.notOpened, () => main.call('publish.openForm', { flow }))),
    };
  });
}
