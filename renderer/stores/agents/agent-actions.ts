/**
 * Actions on agents, including those that need consent: a missing pack contains third-party code.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asRunId, EngineError, type JsonValue, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import type { ActionContext } from '../runs/action-context.ts';
import { text } from './text.ts';

export interface PendingWork {
  readonly workId: string;
  /** The pack to install. */
  readonly packRef: string;
  /** The tab of the agent that waits for it. */
  readonly path: string;
  readonly status: 'asking' | 'working' | 'failed';
  /** Why the installation failed. Empty if it did not. */
  readonly problem: string;
}

export interface AgentWork {
  /** The open question, or null. */
  readonly pending: PendingWork | null;
  ask(work: Pick<PendingWork, 'workId' | 'packRef' | 'path'>): void;
  /** Updates the question. Does nothing if it is no longer open. */
  update(workId: string, change: Partial<Pick<PendingWork, 'status' | 'problem'>>): void;
  close(): void;
}

export function createAgentWork(): StoreApi<AgentWork> {
  return createStore<AgentWork>()((set, get) => ({
    pending: null,
    ask: (work) => set({ pending: { ...work, status: 'asking', problem: '' } }),
    update(workId, change) {
      const { pending } = get();
      if (pending?.workId === workId) set({ pending: { ...pending, ...change } });
    },
    close: () => set({ pending: null }),
  }));
}

/** The inputs and options for running an agent. */
export interface AgentOrder {
  /** One item each. Cannot be combined with `files`. */
  readonly inputs?: readonly JsonValue[];
  /** Globs. Each matching file is an item. */
  readonly files?: readonly string[];
  /** Overrides the model in the file. */
  readonly model?: string;
  /** Whether to render the prompts without sending them to a model. */
  readonly isPreview: boolean;
}

export interface AgentActions {
  /**
   * Opens an agent in a tab, or switches to its tab.
   * @param agent a path, or a reference such as `demo@proof`
   */
  open(agent: string): Promise<void>;
  /**
   * Runs the agent of a tab with the text on screen. An error is shown as a notice. If a pack is missing, asks whether
   * to install it.
   */
  start(path: string, order: AgentOrder): Promise<void>;
  /** Confirms the open question: installs the pack, and then runs the agent. */
  confirmWork(): Promise<void>;
  cancelWork(): Promise<void>;
}

/**
 * Returns a file's path as used in runs: relative to the workspace, with `/`. Undefined if the file is outside it.
 */
function pathInWorkspace(file: string, folder: string | null): string | undefined {
  if (folder === null) return undefined;
  const slashed = file.replaceAll('\\', '/');
  const start = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  return slashed.startsWith(start) ? slashed.slice(start.length) : undefined;
}

function looksLikePackRef(agent: string): boolean {
  return !agent.endsWith('.aip') && /^[\w-]+@[\w-]/.test(agent);
}

/** The same request within this time is treated as a double press and starts no second run. */
const doublePressMs = 500;

function createDoublePressGuard(): (request: string) => boolean {
  let last = { request: '', at: Number.NEGATIVE_INFINITY };
  return (request) => {
    const at = performance.now();
    const isTwice = request === last.request && at - last.at < doublePressMs;
    last = { request, at };
    return isTwice;
  };
}

export function createAgentActions(context: ActionContext, agentWork: StoreApi<AgentWork>): AgentActions {
  const { engine, openFiles, liveRuns, notices, panes, workspace, begin } = context;

  /** Returns the path by which runs identify the agent, so that it has a single tab whichever name it was opened by. */
  const tabPathOf = async (agent: string): Promise<string> => {
    const read = await engine.call('readAgent', agent).catch(() => null);
    // The tab shows the reason.
    if (read === null) return agent;
    const inWorkspace = pathInWorkspace(read.file, workspace.getState().folder);
    return inWorkspace ?? (looksLikePackRef(agent) ? agent : read.file);
  };

  const isPressedTwice = createDoublePressGuard();
  const refused = (error: unknown): void => {
    if (EngineError.is(error) && error.code === 'agent.invalid') panes.getState().showDock('problems');
    notices.getState().addError(text.runs.startFailed, error);
  };

  const accept = (path: string, accepted: EngineResult<'startAgent'> | null): void => {
    if (accepted === null) return;
    if ('work' in accepted) {
      const { workId, data } = accepted.work;
      agentWork.getState().ask({ workId, packRef: String(data['packRef']), path });
      return;
    }
    agentWork.getState().close();
    // Edits of files outside the workspace are not watched.
    void openFiles.getState().reload([path]);
    liveRuns.getState().announce({ runId: asRunId(accepted.runId), path, definition: null });
  };

  return {
    async open(agent) {
      await openFiles.getState().open(await tabPathOf(agent), 'agent');
    },
    async start(path, { inputs, files, model, isPreview }) {
      const file = openFiles.getState().files.get(path);
      const request = {
        agent: path,
        // The engine reads saved text itself, and may have a newer version than this window.
        ...(file?.isDirty === true ? { text: file.text } : {}),
        ...(inputs === undefined ? {} : { inputs: [...inputs] }),
        ...(files === undefined ? {} : { files: [...files] }),
        ...(model === undefined ? {} : { options: { model } }),
        ...(isPreview ? { dry: 'req' as const } : {}),
      };
      if (isPressedTwice(JSON.stringify(request))) return;
      try {
        accept(path, await begin('startAgent', request));
      } catch (error) {
        refused(error);
      }
    },
    async confirmWork() {
      const { pending, update } = agentWork.getState();
      if (pending?.status !== 'asking') return;
      const { workId, path } = pending;
      update(workId, { status: 'working' });
      try {
        accept(path, await engine.call('confirmWork', workId));
      } catch (error) {
        update(workId, { status: 'failed', problem: toErrorRecord(error).message });
      }
    },
    async cancelWork() {
      const { pending, close } = agentWork.getState();
      close();
      if (pending?.status !== 'asking') return;
      try {
        await engine.call('cancelWork', pending.workId);
      } catch (error) {
        notices.getState().addError(text.runs.cancelInstallFailed, error);
      }
    },
  };
}
