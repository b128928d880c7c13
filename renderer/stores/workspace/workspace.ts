/**
 * The open workspace: its folder, its flow files, and the state of its engine.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ErrorRecord, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { AppInfo, EngineState } from '../../bridge/main-client.ts';
import { setOfferedAgents } from '../flow/node-types.ts';

type FlowFile = EngineResult<'listFlows'>[number];

type AgentFile = EngineResult<'listAgents'>[number];

interface WorkspaceNotice {
  readonly code: string;
  readonly message: string;
}

export interface Workspace {
  /** Absolute path of the open folder, or null. */
  readonly folder: string | null;
  /** The remote history or the sent run that the window shows. Null for a folder of this computer. */
  readonly remote: NonNullable<AppInfo['remote']> | { readonly sentRun: string } | null;
  /** Why the requested folder is not open, or null. */
  readonly folderProblem: string | null;
  readonly version: string;
  readonly recentFolders: readonly string[];
  readonly engine: EngineState;
  readonly notices: readonly WorkspaceNotice[];
  readonly flows: readonly FlowFile[];
  readonly flowsStatus: 'loading' | 'ready' | 'failed';
  readonly flowsError: ErrorRecord | null;
  /** Agent files in the workspace, excluding those of packs. */
  readonly agents: readonly AgentFile[];
  /** Paths of all files in the workspace. Null until they are loaded. */
  readonly files: readonly string[] | null;
  /** Why the last load failed, or null. */
  readonly filesError: ErrorRecord | null;
  setInfo(info: AppInfo): void;
  setEngine(engine: EngineState): void;
  /** Reloads the engine's notices and the list of flow files. */
  refresh(): Promise<void>;
  /** Reloads the list of agent files. Keeps the previous one if this fails. */
  refreshAgents(): Promise<void>;
  /** Reloads the list of all files. Keeps the previous one if this fails. */
  refreshFiles(): Promise<void>;
  /** Reloads only the notices. Keeps the previous ones if this fails. */
  refreshNotices(): Promise<void>;
}

/** Returns the last component of a path, with either kind of slash. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** Returns the path of the file of the sent run that the window shows. Null if it shows none. */
export function sentRunOf({ remote }: Pick<Workspace, 'remote'>): string | null {
  return remote !== null && 'sentRun' in remote ? remote.sentRun : null;
}

export function createWorkspace(engine: EngineClient): StoreApi<Workspace> {
  return createStore<Workspace>()((set, get) => {
    let latestRefresh = 0;
    let latestFiles = 0;
    return {
      folder: null,
      remote: null,
      folderProblem: null,
      version: '',
      recentFolders: [],
      engine: { state: 'starting', message: '' },
      notices: [],
      flows: [],
      flowsStatus: 'loading',
      flowsError: null,
      agents: [],
      files: null,
      filesError: null,
      setInfo({ workspace, remote, sentRun, workspaceProblem, version, recentWorkspaces }) {
        const folderProblem = workspaceProblem ?? null;
        const shown = remote ?? (sentRun === undefined ? null : { sentRun });
        set({ folder: workspace, remote: shown, folderProblem, version, recentFolders: recentWorkspaces });
      },
      setEngine: (state) => set({ engine: state }),
      async refreshAgents() {
        const [agents, ofSteps] = await Promise.all([
          engine.call('listAgents').catch(() => null),
          engine.call('listStepAgents').catch(() => null),
        ]);
        if (agents !== null) set({ agents });
        if (ofSteps !== null) setOfferedAgents(ofSteps);
      },
      async refreshFiles() {
        const thisRead = ++latestFiles;
        const found = await engine.call('findFiles').then(
          ({ paths }) => ({ files: paths, filesError: null }),
          (error: unknown) => ({ filesError: toErrorRecord(error) }),
        );
        if (thisRead === latestFiles) set(found);
      },
      async refreshNotices() {
        const notices = await engine.call('readNotices').catch(() => null);
        if (notices !== null) set({ notices });
      },
      async refresh() {
        const thisRefresh = ++latestRefresh;
        const notices = get().refreshNotices();
        try {
          const flows = await engine.call('listFlows');
          if (thisRefresh === latestRefresh) set({ flows, flowsStatus: 'ready', flowsError: null });
        } catch (error) {
          if (thisRefresh === latestRefresh) set({ flowsStatus: 'failed', flowsError: toErrorRecord(error) });
        }
        await notices;
      },
    };
  });
}
