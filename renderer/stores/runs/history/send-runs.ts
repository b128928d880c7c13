/**
 * The run that is about to be sent to other people, the private values in it, and the replay of a run that was received.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asRunId, toErrorRecord } from '../../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../../bridge/engine-client.ts';
import type { MainClient } from '../../../bridge/main-client.ts';
import type { WindowNotices } from '../../window/notices.ts';
import type { WindowRunActions } from '../run-actions.ts';
import { text } from '../text.ts';
import type { NumberedRun } from './history-actions.ts';

/** A private value of the run, without the value. */
export type PrivateEntry = EngineResult<'listPrivateValues'>['values'][number];

export interface SendRuns {
  /** The run to send. Null while the dialog is closed. */
  readonly run: NumberedRun | null;
  /** Its private values, and the size of the file in bytes. Null until they are read. */
  readonly found: EngineResult<'listPrivateValues'> | null;
  /** Whether the list is read again, for other words. */
  readonly isReading: boolean;
  /** Texts that the person wants to replace, too. */
  readonly words: readonly string[];
  /** Ids of the values that stay. */
  readonly kept: ReadonlySet<string>;
  /** Whether a page for browsers is written instead of a file for Millrace. */
  readonly isPage: boolean;
  readonly isSaving: boolean;
  /** Why the list could not be read or the file not be written, in a sentence. */
  readonly problem: string | null;
  /** Opens the dialog for a run. */
  ask(run: NumberedRun): void;
  close(): void;
  setPage(isPage: boolean): void;
  setWords(words: readonly string[]): void;
  /** Switches whether a value stays. */
  toggle(id: string): void;
  /** Writes the file that the person chooses in a system dialog, and closes the dialog. */
  save(): Promise<void>;
  /** Replays the sent run that this window shows. */
  replay(): Promise<void>;
}

interface SendContext {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly runs: Pick<WindowRunActions, 'openRun'>;
}

const closed = {
  ...{ run: null, found: null, isReading: false, words: [], kept: new Set<string>() },
  ...{ isPage: false, isSaving: false, problem: null },
};

export function createSendRuns({ engine, main, notices, runs }: SendContext): StoreApi<SendRuns> {
  return createStore<SendRuns>()((set, get) => {
    let reads = 0;
    const read = async (): Promise<void> => {
      const { run, words } = get();
      if (run === null) return;
      const thisRead = ++reads;
      set({ isReading: true });
      const result = await engine.call('listPrivateValues', run.runId, [...words]).then(
        (found) => ({ found, problem: null }),
        (error: unknown) => ({ problem: toErrorRecord(error).message }),
      );
      if (thisRead === reads) set({ ...result, isReading: false });
    };
    return {
      ...closed,
      ask(run) {
        set({ ...closed, run });
        void read();
      },
      close() {
        reads += 1;
        set(closed);
      },
      setPage: (isPage) => set({ isPage }),
      setWords(words) {
        if (words.join('\n') === get().words.join('\n')) return;
        set({ words });
        void read();
      },
      toggle(id) {
        const kept = new Set(get().kept);
        if (!kept.delete(id)) kept.add(id);
        set({ kept });
      },
      async save() {
        const { run, words, kept, found, isPage } = get();
        if (run === null || found === null) return;
        set({ isSaving: true, problem: null });
        try {
          const keep = found.values.flatMap(({ id }) => (kept.has(id) ? [id] : []));
          const { path } = await main.call('runs.send', { runId: run.runId, words: [...words], keep, isPage });
          set({ isSaving: false });
          if (path === null) return;
          get().close();
          notices.getState().add({ tone: 'info', title: text.send.saved, detail: path });
        } catch (error) {
          set({ isSaving: false, problem: toErrorRecord(error).message });
        }
      },
      async replay() {
        try {
          const { runId } = await engine.call('replayRun');
          const { sourcePath } = await engine.call('getRun', asRunId(runId));
          await runs.openRun(sourcePath, asRunId(runId));
        } catch (error) {
          notices.getState().addError(text.send.replayFailed, error);
        }
      },
    };
  });
}
