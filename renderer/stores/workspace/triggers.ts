/**
 * The triggers of the workspace, whether they are on, and their latest firings. Triggers without a switch (in unsaved
 * text) are not listed here: the document on screen has them.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { FileEdits } from '../text/edits.ts';
import type { OpenFiles } from '../text/files.ts';
import type { WindowNotices } from '../window/notices.ts';
import { text } from './text.ts';

/** A trigger in a saved file. */
export type ListedTrigger = EngineResult<'listTriggers'>[number];
export type ListedFiring = EngineResult<'listFirings'>[number];

export interface Triggers {
  /** Those of all flows. Empty until they are loaded. */
  readonly entries: readonly ListedTrigger[];
  /** By path of the flow, for flows that are watched: their latest firings, newest first. */
  readonly firings: ReadonlyMap<string, readonly ListedFiring[]>;
  /** Reads what has changed. Several calls during a read cause one more read. */
  refresh(): void;
  /** Keeps the firings of a flow up to date until the returned function is called. */
  watch(flow: string): () => void;
  refreshFirings(): void;
  /** Switches a trigger off, or asks the user in a system dialog to switch it on or to confirm it. */
  switchTrigger(flow: string, trigger: string, isOn: boolean): Promise<void>;
  /** Starts the run of a firing again. */
  fireAgain(firing: number): Promise<void>;
}

/** Returns a flow with its triggers in `triggers.yaml` after its own ones. The same document if there are none. */
export function withListedTriggers(doc: FlowDoc, path: string, entries: readonly ListedTrigger[]): FlowDoc {
  const own = doc.flow.triggers ?? [];
  const others = entries.filter(
    ({ flow, file, trigger }) => flow === path && file !== undefined && own.every(({ id }) => id !== trigger),
  );
  if (others.length === 0) return doc;
  return { ...doc, flow: { ...doc.flow, triggers: [...own, ...others.map((entry) => entry.doc)] } };
}

interface TriggersOutside {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly edits: Pick<FileEdits, 'save' | 'whenChanged'>;
}

/** Maximum number of firings of a flow that are read. */
export const mostFirings = 200;

export function createTriggers({ engine, main, notices, openFiles, edits }: TriggersOutside): StoreApi<Triggers> {
  return createStore<Triggers>()((set, get) => {
    /** By flow: number of views that watch it. */
    const watchers = new Map<string, number>();
    const readEntries = repeatedRead(async () => {
      const entries = await engine.call('listTriggers').catch(() => undefined);
      if (entries !== undefined && entries.length + get().entries.length > 0) set({ entries });
    });
    /** A trigger that was just saved is not known to need trust. Its card then shows it, so that no notice is needed. */
    const needsTrust = async (wanted: Pick<ListedTrigger, 'flow' | 'trigger'>): Promise<boolean> => {
      const entries = await engine.call('listTriggers');
      const entry = entries.find(({ flow, trigger }) => flow === wanted.flow && trigger === wanted.trigger);
      return entry?.needsTrust === true;
    };
    const readFirings = repeatedRead(async () => {
      const flows = [...watchers.keys()];
      const read = flows.map(async (flow) => {
        const list = await engine.call('listFirings', { flow, limit: mostFirings }).catch(() => undefined);
        return [flow, list ?? get().firings.get(flow) ?? []] as const;
      });
      if (flows.length > 0) set({ firings: new Map(await Promise.all(read)) });
    });
    return {
      entries: [],
      firings: new Map(),
      refresh: readEntries,
      refreshFirings: readFirings,
      watch(flow) {
        watchers.set(flow, (watchers.get(flow) ?? 0) + 1);
        readFirings();
        return () => {
          const left = (watchers.get(flow) ?? 1) - 1;
          if (left === 0) watchers.delete(flow);
          else watchers.set(flow, left);
        };
      },
      async switchTrigger(flow, trigger, isOn) {
        try {
          // What the user agrees to is the file, so the file has to contain what they see.
          await edits.whenChanged(flow);
          if (isOn && openFiles.getState().files.get(flow)?.isDirty === true && !(await edits.save(flow))) return;
          if (!isOn) await engine.call('switchTriggers', { flow, trigger, isOn });
          else if (!(await needsTrust({ flow, trigger }))) await main.call('triggers.switchOn', { flow, trigger });
        } catch (error) {
          notices.getState().addError(text.triggers.notSwitched({ name: trigger }), error);
        }
        readEntries();
      },
      async fireAgain(firing) {
        try {
          await engine.call('fireAgain', firing);
        } catch (error) {
          notices.getState().addError(text.triggers.notStarted, error);
        }
        readFirings();
      },
    };
  });
}

/** Returns a function that reads; calls during a read cause one more. */
function repeatedRead(read: () => Promise<void>): () => void {
  let isReading = false;
  let isStale = false;
  const run = async (): Promise<void> => {
    do {
      isStale = false;
      await read();
    } while (isStale);
    isReading = false;
  };
  return () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    void run();
  };
}

/** Reads triggers and firings again when they may have changed. Returns functions that unsubscribe. */
export function followTriggers(engine: EngineClient, triggers: StoreApi<Triggers>): (() => void)[] {
  const { refresh, refreshFirings } = triggers.getState();
  return [
    engine.onConnected(refresh),
    engine.stream('watchFlows', refresh),
    engine.stream('watchTriggers', refresh),
    engine.stream('watchFiles', ({ paths }) => {
      // An agent or a schema that a flow uses.
      const isConcerned = paths.length === 0 || paths.some((path) => /\.(?:ya?ml|json|aip|mjs)$/.test(path));
      if (isConcerned && triggers.getState().entries.length > 0) refresh();
      else if (paths.some((path) => /(?:^|\/)triggers\.yaml$/.test(path))) refresh();
    }),
    engine.stream('watchHistory', refreshFirings),
  ];
}
