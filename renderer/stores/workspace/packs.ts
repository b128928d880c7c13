/**
 * The available packs, and the results of operations on them in this window.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import { type MainClient, pathOfFile } from '../../bridge/main-client.ts';
import { text } from './text.ts';

export type Pack = EngineResult<'listPacks'>[number];
export type PackChange = EngineResult<'updatePacks'>[number];

/** The result to show for an operation. */
interface PackOutcome {
  readonly tone: 'info' | 'error';
  readonly lines: readonly string[];
}

export interface Packs {
  readonly list: readonly Pack[];
  readonly status: 'loading' | 'ready' | 'failed';
  /** Why the list could not be loaded. */
  readonly error: string;
  /** Folder of the pack with open details, because two packs may have the same reference. */
  readonly shown: string | null;
  /** Initial text of the installation dialog. Null while it is closed. */
  readonly asked: string | null;
  /** Description of the operation in progress, or null. */
  readonly busy: string | null;
  readonly outcome: PackOutcome | null;
  load(): Promise<void>;
  show(folder: string | null): void;
  /** Opens the installation dialog. Null closes it. */
  askInstall(uri: string | null): void;
  /** Asks whether to install a selected file. Ignores a file that is not on disk. */
  offerFile(file: File): void;
  /** Installs a pack and shows it. Resolves to the reason if this failed. */
  install(uri: string): Promise<string | null>;
  /** Updates one pack, or all. */
  update(ref?: string): Promise<void>;
  remove(ref: string): Promise<void>;
}

type PacksStateUpdate = (state: Partial<Packs>) => void;

/** Describes the change of a pack. */
function changeText({ ref, version, status, message }: PackChange): string {
  const { failed, failedWithoutReason, installed, updated, upToDate } = text.packs;
  if (status === 'failed')
    return message === undefined ? failedWithoutReason({ pack: ref }) : failed({ pack: ref, reason: message });
  const said = { installed, updated, 'up-to-date': upToDate }[status]({ pack: ref, version });
  return [said, message].filter(Boolean).join(' ');
}

/** Lists each pack that changed or failed, and counts those that did not change. */
function updateLines(changes: readonly PackChange[]): string[] {
  const [first] = changes;
  if (first === undefined) return [text.packs.none];
  if (changes.length === 1) return [changeText(first)];
  const news = changes.filter(({ status }) => status !== 'up-to-date');
  const quiet = changes.length - news.length;
  const rest = (news.length === 0 ? text.packs.allUpToDate : text.packs.othersUpToDate)({ count: quiet });
  return [...news.map(changeText), ...(quiet === 0 ? [] : [rest])];
}

export function createPacks(engine: EngineClient, main: MainClient): StoreApi<Packs> {
  return createStore<Packs>()((set, get) => ({
    list: [],
    status: 'loading',
    error: '',
    shown: null,
    asked: null,
    busy: null,
    outcome: null,
    show: (folder) => set({ shown: folder }),
    askInstall: (uri) => set({ asked: uri }),
    offerFile(file) {
      const path = pathOfFile(file);
      if (path !== '') get().askInstall(path);
    },
    ...actionsOf({ engine, main }, set, get),
  }));
}

function actionsOf(
  { engine, main }: { readonly engine: EngineClient; readonly main: MainClient },
  set: PacksStateUpdate,
  get: () => Packs,
): Pick<Packs, 'load' | 'install' | 'update' | 'remove'> {
  let latestLoad = 0;
  const load = async (): Promise<void> => {
    const thisLoad = ++latestLoad;
    try {
      const packs = await engine.call('listPacks');
      if (thisLoad === latestLoad) set({ list: packs, status: 'ready', error: '' });
    } catch (thrown) {
      if (thisLoad === latestLoad) set({ status: 'failed', error: toErrorRecord(thrown).message });
    }
  };
  /** Runs one operation at a time, and then reloads the list in any case. */
  const work = async (busy: string, act: () => Promise<PackOutcome>): Promise<PackOutcome | null> => {
    if (get().busy !== null) return null;
    set({ busy, outcome: null });
    const outcome = await act().catch(
      (thrown: unknown): PackOutcome => ({ tone: 'error', lines: [toErrorRecord(thrown).message] }),
    );
    await load();
    set({ busy: null, outcome });
    return outcome;
  };
  return {
    load,
    async install(uri) {
      const outcome = await work(text.packs.installing, async () => {
        const { change } = await main.call('packs.install', { uri });
        if (change === null) return { tone: 'error', lines: [text.packs.notInstalled] };
        return { tone: 'info', lines: [changeText(change)] };
      });
      if (outcome === null) return text.packs.busy;
      return outcome.tone === 'error' ? outcome.lines.join(' ') : null;
    },
    async update(ref) {
      await work(ref === undefined ? text.packs.checkingAll : text.packs.checking({ pack: ref }), async () => {
        const changes = await engine.call('updatePacks', ref);
        const hasFailed = changes.some(({ status }) => status === 'failed');
        return { tone: hasFailed ? 'error' : 'info', lines: updateLines(changes) };
      });
    },
    async remove(ref) {
      const outcome = await work(text.packs.removing({ pack: ref }), async () => {
        await engine.call('removePack', ref);
        return { tone: 'info', lines: [text.packs.removed({ pack: ref })] };
      });
      if (outcome?.tone === 'info') set({ shown: null });
    },
  };
}
