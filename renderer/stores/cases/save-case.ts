/**
 * The run that is about to be saved as a test, and the proposed test.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type RunId, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import type { Cases } from './cases.ts';
import { text } from './text.ts';

type CaseProposal = EngineResult<'proposeTest'>;

/** A run with its displayed number; null if it is not known. */
interface SavedRun {
  readonly runId: RunId;
  readonly number: number | null;
}

export interface SaveCase {
  /** Null while the dialog is closed. */
  readonly run: SavedRun | null;
  /** Null until it is known. */
  readonly proposal: CaseProposal | null;
  readonly name: string;
  /** Path of the test file, relative to the workspace. */
  readonly file: string;
  /** Ids of the chosen checks. */
  readonly chosen: ReadonlySet<string>;
  readonly isSaving: boolean;
  /** Why the proposal could not be read, or the test not be saved, in a sentence. */
  readonly problem: string | null;
  /** Opens the dialog for a run. */
  ask(run: SavedRun): void;
  close(): void;
  setName(name: string): void;
  setFile(file: string): void;
  toggle(id: string): void;
  /** Writes the test, closes the dialog and opens the test. */
  save(): Promise<void>;
}

interface SaveContext {
  readonly engine: EngineClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly panes: StoreApi<Panes>;
}

const closed = {
  ...{ run: null, proposal: null, name: '', file: '', chosen: new Set<string>() },
  ...{ isSaving: false, problem: null },
};

export function createSaveCase(context: SaveContext, cases: StoreApi<Cases>): StoreApi<SaveCase> {
  const { engine, notices, panes } = context;
  return createStore<SaveCase>()((set, get) => ({
    ...closed,
    async ask(run) {
      set({ ...closed, run });
      const result = await engine.call('proposeTest', run.runId).then(
        (proposal) => ({
          ...{ proposal, name: proposal.name, file: proposal.file },
          chosen: new Set(proposal.checks.flatMap(({ id, isChosen }) => (isChosen ? [id] : []))),
        }),
        (error: unknown) => ({ problem: toErrorRecord(error).message }),
      );
      if (get().run === run) set(result);
    },
    close: () => set(closed),
    setName: (name) => set({ name }),
    setFile: (file) => set({ file }),
    toggle(id) {
      const chosen = new Set(get().chosen);
      if (!chosen.delete(id)) chosen.add(id);
      set({ chosen });
    },
    async save() {
      const { run, name, file, chosen, proposal } = get();
      if (run === null || proposal === null) return;
      set({ isSaving: true, problem: null });
      try {
        const saved = await engine.call('saveTest', { runId: run.runId, name, file, checks: [...chosen] });
        set(closed);
        notices.getState().add({ tone: 'info', title: text.saved, detail: text.savedIn(saved) });
        await showCase({ panes, cases }, saved);
      } catch (error) {
        set({ isSaving: false, problem: toErrorRecord(error).message });
      }
    },
  }));
}

/** Shows a case that was just written in the list, and over its flow. */
async function showCase(
  { panes, cases }: { readonly panes: StoreApi<Panes>; readonly cases: StoreApi<Cases> },
  { file, name }: { readonly file: string; readonly name: string },
): Promise<void> {
  const { isOpen, sideView, chooseSideView } = panes.getState();
  if (!isOpen.side || sideView !== 'tests') chooseSideView('tests');
  await cases.getState().refresh();
  const listed = cases.getState().files?.find(({ path }) => path === file);
  const one = listed?.cases.find((other) => other.name === name);
  if (one !== undefined) await cases.getState().open(one);
}
