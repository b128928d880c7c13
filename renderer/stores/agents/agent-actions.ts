/**
 * What a person may ask for about agents, and the work they have to agree to first: a missing pack is somebody else's code.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asRunId, EngineError, type JsonValue, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import type { ActionContext } from '../runs/run-actions.ts';

export interface PendingWork {
  readonly workId: string;
  /** The pack that would be installed. */
  readonly packRef: string;
  /** The tab of the agent that waits for it. */
  readonly path: string;
  readonly status: 'asking' | 'working' | 'failed';
  /** Why it failed; empty = it did not. */
  readonly problem: string;
}

export interface AgentWork {
  /** null = nothing is asked. */
  readonly pending: PendingWork | null;
  ask(work: Pick<PendingWork, 'workId' | 'packRef' | 'path'>): void;
  /** Changes what is asked; does nothing when it is not asked any more. */
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

/** What an agent is to work on, and how. */
export interface AgentOrder {
  /** One item each; not together with `files`. */
  readonly inputs?: readonly JsonValue[];
  /** Globs; each file that matches is an item. */
  readonly files?: readonly string[];
  /** Comes before the model that the file names. */
  readonly model?: string;
  /** Renders the prompts and asks nobody. */
  readonly isPreview: boolean;
}

export interface AgentActions {
  /**
   * Opens an agent in a tab, or comes back to it.
   * @param agent a path, or a reference such as `demo@proof`
   */
  open(agent: string): Promise<void>;
  /** Runs the agent of a tab as it is on screen. A refusal is shown as a notice; a pack that is missing is asked about. */
  start(path: string, order: AgentOrder): Promise<void>;
  /** Agrees to what is asked: installs the pack, and runs the agent then. */
  confirmWork(): Promise<void>;
  cancelWork(): Promise<void>;
}

/** The path of a file as runs have it: relative to the workspace, with `/`; undefined when it lies elsewhere. */
function pathInWorkspace(file: string, folder: string | null): string | undefined {
  if (folder === null) return undefined;
  const slashed = file.replaceAll('\\', '/');
  const start = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  return slashed.startsWith(start) ? slashed.slice(start.length) : undefined;
}

function looksLikePackRef(agent: string): boolean {
  return !agent.endsWith('.aip') && /^[\w-]+@[\w-]/.test(agent);
}

/** The same wish again within this time is a second press of the same button, and no second run. */
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

  /** One agent has one tab, whatever it was called by: the name that its runs have. */
  const tabPathOf = async (agent: string): Promise<string> => {
    const read = await engine.call('readAgent', agent).catch(() => null);
    // The tab then says why.
    if (read === null) return agent;
    const inWorkspace = pathInWorkspace(read.file, workspace.getState().folder);
    return inWorkspace ?? (looksLikePackRef(agent) ? agent : read.file);
  };

  const isPressedTwice = createDoublePressGuard();
  const refused = (error: unknown): void => {
    if (EngineError.is(error) && error.code === 'agent.invalid') panes.getState().showDock('problems');
    notices.getState().addError('The run was refused', error);
  };

  const accept = (path: string, accepted: EngineResult<'startAgent'> | null): void => {
    if (accepted === null) return;
    if ('work' in accepted) {
      const { workId, data } = accepted.work;
      agentWork.getState().ask({ workId, packRef: String(data['packRef']), path });
      return;
    }
    agentWork.getState().close();
    // Nobody says when a file outside of the workspace was edited.
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
        // What is saved is read by the engine, which may know of newer text than this window.
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
        notices.getState().addError('The installation could not be called off', error);
      }
    },
  };
}
