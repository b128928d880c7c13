/**
 * The flows and agents that are open: their text as it is on screen, what it means, and what is wrong with it.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { EngineError, type ErrorRecord, type RunKind, toErrorRecord } from '../../engine/isomorphic.ts';
import type { EngineClient } from '../bridge/engine-client.ts';
import { type CheckedText, checkAgentText, checkText } from './checked-text.ts';

export interface OpenFlow extends CheckedText {
  readonly kind: RunKind;
  /** Relative to the workspace, with `/`; of an agent elsewhere its reference or its absolute path. Runs go by it, too. */
  readonly path: string;
  /** `unreadable`: there is no text to show, and `readError` says why. */
  readonly status: 'loading' | 'ready' | 'unreadable';
  readonly readError: ErrorRecord | null;
  /** The file was deleted while open; the text is the last one read. */
  readonly isMissing: boolean;
  /** The text is the stored definition of the run that is shown, not what the file holds now. */
  readonly isOldVersion: boolean;
}

export interface OpenFlows {
  readonly flows: ReadonlyMap<string, OpenFlow>;
  /** Paths in the order of their tabs. */
  readonly tabs: readonly string[];
  readonly activePath: string | null;
  /**
   * Opens a tab, or comes back to it; of a flow unless said otherwise. Resolves when the text was read or refused. For an
   * agent that is known by its name only there is `AgentActions.open`.
   */
  open(path: string, kind?: RunKind): Promise<void>;
  /** Closes a tab; the one to its right, else to its left, becomes active. */
  close(path: string): void;
  activate(path: string): void;
  /** Reads open files again, of those named. */
  reload(paths: readonly string[]): Promise<void>;
}

function loadingFlow(path: string, kind: RunKind): OpenFlow {
  return {
    ...checkAgentText(''),
    kind,
    path,
    diagnostics: [],
    status: 'loading',
    readError: null,
    isMissing: false,
    isOldVersion: false,
  };
}

/** A flow after its file was read: unchanged text keeps the former object, so nothing is drawn again. */
function withText(flow: OpenFlow, text: string): OpenFlow {
  if (flow.status === 'ready' && flow.text === text) {
    return flow.readError === null ? flow : { ...flow, readError: null, isMissing: false };
  }
  const checked = flow.kind === 'agent' ? checkAgentText(text) : checkText(text, flow);
  return { ...flow, ...checked, status: 'ready', readError: null, isMissing: false };
}

const missingCodes: ReadonlySet<string> = new Set(['files.not-found', 'agent.not-found', 'pack.not-found']);

/** A flow whose file could not be read: a text that is on screen stays there. */
function withReadError(flow: OpenFlow, thrown: unknown): OpenFlow {
  const readError = toErrorRecord(thrown);
  if (flow.status !== 'ready') return { ...flow, status: 'unreadable', readError };
  const isMissing = EngineError.is(thrown) && missingCodes.has(thrown.code);
  return { ...flow, readError, isMissing };
}

function neighbourOf(tabs: readonly string[], path: string): string | null {
  const index = tabs.indexOf(path);
  return tabs[index + 1] ?? tabs[index - 1] ?? null;
}

export function createOpenFlows(engine: EngineClient): StoreApi<OpenFlows> {
  return createStore<OpenFlows>()((set, get) => {
    /** The newest read of each path; an older answer that comes later is dropped. */
    const latestRead = new Map<string, symbol>();

    const update = (path: string, change: (flow: OpenFlow) => OpenFlow): void => {
      const flow = get().flows.get(path);
      if (flow !== undefined) set({ flows: new Map(get().flows).set(path, change(flow)) });
    };

    const read = async (path: string): Promise<void> => {
      const thisRead = Symbol(path);
      latestRead.set(path, thisRead);
      let change: (flow: OpenFlow) => OpenFlow;
      try {
        const isAgent = get().flows.get(path)?.kind === 'agent';
        const { text } = await (isAgent
          ? engine.call('agent.read', { agent: path })
          : engine.call('flow.read', { path }));
        change = (flow) => withText(flow, text);
      } catch (error) {
        change = (flow) => withReadError(flow, error);
      }
      if (latestRead.get(path) === thisRead) update(path, change);
    };

    return {
      flows: new Map(),
      tabs: [],
      activePath: null,
      async open(path, kind = 'flow') {
        set({ activePath: path });
        if (get().flows.has(path)) return;
        set({ tabs: [...get().tabs, path], flows: new Map(get().flows).set(path, loadingFlow(path, kind)) });
        await read(path);
      },
      close(path) {
        const { tabs, activePath } = get();
        const flows = new Map(get().flows);
        flows.delete(path);
        latestRead.delete(path);
        set({
          flows,
          tabs: tabs.filter((tab) => tab !== path),
          activePath: activePath === path ? neighbourOf(tabs, path) : activePath,
        });
      },
      activate(path) {
        if (get().flows.has(path)) set({ activePath: path });
      },
      async reload(paths) {
        await Promise.all(paths.filter((path) => get().flows.has(path)).map(read));
      },
    };
  });
}
