/**
 * All state of a window, made once and tied together. Nothing here is global, so tests make their own.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EventEnvelope } from '../../engine/isomorphic.ts';
import type { EngineClient } from '../bridge/engine-client.ts';
import type { MainClient } from '../bridge/main-client.ts';
import { createRunFeed, type RunFeed } from '../bridge/run-feed.ts';
import { type AgentActions, createAgentActions } from './agents/agent-actions.ts';
import { followAgentChecks } from './agents/agent-checks.ts';
import { type AgentStores, createAgentStores } from './agents/agent-stores.ts';
import { createLiveRuns, type LiveRuns, mayHide } from './runs/live-runs.ts';
import { createRunActions, type RunActions } from './runs/run-actions.ts';
import { createRunFollower, type RunFollower } from './runs/run-follower.ts';
import { createRunHistory, type RunHistory } from './runs/run-history.ts';
import { createSession, type Session } from './session.ts';
import { createSideStores, type SideStores } from './side-stores.ts';
import type { FileEdits } from './text/edits.ts';
import { createFileStores } from './text/file-stores.ts';
import type { OpenFiles } from './text/files.ts';
import type { DocumentService } from './text/service.ts';
import type { TypedLines } from './text/typed-lines.ts';
import { createTreeStores, type TreeStores } from './tree-stores.ts';
import { type CanvasHandles, type CanvasViews, createCanvasHandles } from './window/canvases.ts';
import { createNotices, type Notices } from './window/notices.ts';
import { createPanes, type Panes } from './window/panes.ts';
import { createPreferences, type Preferences } from './window/preferences.ts';
import { createSelection, type Selection } from './window/selection.ts';
import { createEditorSettings, createSettings, type EditorSettings, type Settings } from './window/settings.ts';

import { createFileTree } from './workspace/file-tree.ts';
import { createPacks, type Packs } from './workspace/packs.ts';
import { createWorkspace, type Workspace } from './workspace/workspace.ts';

export interface Stores extends AgentStores, SideStores, TreeStores {
  readonly workspace: StoreApi<Workspace>;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly runHistory: StoreApi<RunHistory>;
  readonly selection: StoreApi<Selection>;
  readonly panes: StoreApi<Panes>;
  readonly canvasViews: CanvasViews;
  readonly session: Session;
  readonly notices: StoreApi<Notices>;
  readonly settings: StoreApi<Settings>;
  readonly editorSettings: StoreApi<EditorSettings>;
  readonly preferences: StoreApi<Preferences>;
  readonly packs: StoreApi<Packs>;
  readonly canvases: StoreApi<CanvasHandles>;
  readonly edits: FileEdits;
  readonly typedLines: TypedLines;
  readonly runs: RunActions;
  readonly agents: AgentActions;
  readonly engine: EngineClient;
  readonly main: MainClient;
  /** Ends every subscription. */
  dispose(): void;
}

export interface StoresOutside {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly documents: DocumentService;
  /** Calls back once before the next frame is painted; the returned function takes it back. */
  readonly nextFrame: (callback: () => void) => () => void;
}

/** A run that ended lies over a text that changes: the person sees the file alone again, and finds the run in the list. */
function hideOutdatedRuns(openFiles: StoreApi<OpenFiles>, liveRuns: StoreApi<LiveRuns>): () => void {
  return openFiles.subscribe(({ files }, former) => {
    for (const [path, flow] of files) {
      const before = former.files.get(path);
      if (before?.status !== 'ready' || before.text === flow.text) continue;
      const { shown, runs } = liveRuns.getState();
      const current = shown.get(path);
      const run = current === undefined ? undefined : runs.get(current.runId);
      if (current?.isChosen === false && run !== undefined && mayHide(run.state)) liveRuns.getState().hide(path);
    }
  });
}

/** A window begins with the first flow of its list, as soon as there is one. Returns the end of waiting for that. */
function openFirstFlow(workspace: StoreApi<Workspace>, openFiles: StoreApi<OpenFiles>): () => void {
  const end = workspace.subscribe(({ flowsStatus, flows }) => {
    if (flowsStatus !== 'ready' || flows.length === 0) return;
    end();
    const first = flows.find(({ path }) => !path.includes('/')) ?? flows[0];
    if (first !== undefined && openFiles.getState().tabs.length === 0) void openFiles.getState().open(first.path);
  });
  return end;
}

interface FollowingStores
  extends Pick<Stores, 'engine' | 'workspace' | 'openFiles' | 'typedLines' | 'runHistory' | 'fileTree' | 'git'> {
  readonly follower: RunFollower;
}

/** Reads anew what the engine says has changed, and everything when it is another engine. Returns the subscriptions' ends. */
function followEngine(stores: FollowingStores): (() => void)[] {
  const { engine, workspace, openFiles, runHistory, fileTree, git, follower } = stores;
  const refreshRuns = (): void => {
    void runHistory.getState().refresh();
    void follower.followUnfinished();
  };
  return [
    engine.onPush('flow.changed', ({ paths }) => {
      void workspace.getState().refresh();
      void openFiles.getState().reload(paths);
    }),
    engine.onPush('file.changed', ({ paths, isTree }) => {
      if (isTree || paths.some((path) => path.endsWith('.aip'))) void workspace.getState().refreshAgents();
      // Without anything named git's view has changed; a change of contents may be the first one since the last commit.
      void fileTree.getState().refresh(paths);
      void git.getState().refresh();
      void openFiles.getState().reload(paths);
    }),
    engine.onPush('history.changed', refreshRuns),
    followAgentChecks(stores),
    engine.onConnected(() => {
      void workspace.getState().refresh();
      void workspace.getState().refreshAgents();
      void fileTree.getState().refresh([]);
      void git.getState().refresh();
      void openFiles.getState().reload([...openFiles.getState().files.keys()]);
      refreshRuns();
    }),
  ];
}

const historyEvents: ReadonlySet<string> = new Set<EventEnvelope['event']['type']>([
  'run:start',
  'run:suspended',
  'run:resumed',
  'run:end',
]);

function touchesHistory(events: readonly EventEnvelope[]): boolean {
  // Runs that another one called are no entries of their own.
  return events.some(({ event, rootRunId }) => rootRunId === undefined && historyEvents.has(event.type));
}

/** Brings events into the stores, and reads anew what they say has changed. */
function createFeed(
  { engine, nextFrame }: Pick<StoresOutside, 'engine' | 'nextFrame'>,
  { liveRuns, runHistory, workspace }: Pick<Stores, 'liveRuns' | 'runHistory' | 'workspace'>,
): RunFeed {
  return createRunFeed({
    engine,
    nextFrame,
    sink: {
      lastSeq: (runId) => liveRuns.getState().runs.get(runId)?.state.seq ?? -1,
      apply(events) {
        liveRuns.getState().applyEvents(events);
        if (!touchesHistory(events)) return;
        void runHistory.getState().refresh();
        // A run may be what filled the disk.
        void workspace.getState().refreshNotices();
      },
    },
  });
}

/** Takes over what main tells of the program. Returns the end of that. */
function followMain(stores: Pick<Stores, 'main' | 'workspace' | 'settings' | 'editorSettings'>): () => void {
  const { main, workspace, settings, editorSettings } = stores;
  return main.onPush({
    'engine.state': (state) => workspace.getState().setEngine(state),
    'settings.changed': ({ theme }) => settings.getState().setTheme(theme),
    'preferences.changed': ({ preferences }) => editorSettings.getState().take(preferences),
  });
}

/** What the person looks at, which the next start brings back. */
function createViews({
  engine,
  main,
  openFiles,
}: Pick<Stores, 'engine' | 'main' | 'openFiles'>): Pick<
  Stores,
  'selection' | 'panes' | 'canvasViews' | 'fileTree' | 'session'
> {
  const fileTree = createFileTree(engine);
  const views = { selection: createSelection(), panes: createPanes(), canvasViews: new Map(), fileTree };
  return { ...views, session: createSession({ main, openFiles, ...views }) };
}

export function createStores({ engine, main, documents, nextFrame }: StoresOutside): Stores {
  const notices = createNotices();
  const workspace = createWorkspace(engine);
  const liveRuns = createLiveRuns();
  const { drafts, openFiles, typedLines, edits } = createFileStores({ engine, main, documents, notices, liveRuns });
  const runHistory = createRunHistory(engine);
  const views = createViews({ engine, main, openFiles });
  const { panes } = views;
  const settings = createSettings();
  const editorSettings = createEditorSettings(main, notices);
  const preferences = createPreferences({ engine, main });
  const packs = createPacks(engine);
  const feed = createFeed({ engine, nextFrame }, { liveRuns, runHistory, workspace });
  const follower = createRunFollower({ engine, feed, liveRuns, notices });
  const agentStores = createAgentStores({ engine, openFiles });
  const canvases = createCanvasHandles();
  const { end: endTree, ...tree } = createTreeStores({ engine, main, openFiles, liveRuns, notices, ...views });
  const parts = { engine, follower, openFiles, liveRuns, notices, panes, workspace };
  const runs = createRunActions(parts);
  const agents = createAgentActions({ ...parts, ...agentStores });
  const ends = [
    () => feed.stop(),
    drafts.end,
    endTree,
    hideOutdatedRuns(openFiles, liveRuns),
    openFirstFlow(workspace, openFiles),
    ...followEngine({ engine, workspace, openFiles, typedLines, runHistory, follower, ...tree }),
    followMain({ main, workspace, settings, editorSettings }),
  ];
  return {
    workspace,
    openFiles,
    liveRuns,
    runHistory,
    ...views,
    notices,
    settings,
    editorSettings,
    preferences,
    packs,
    ...agentStores,
    ...createSideStores({ engine, openFiles, runHistory }),
    canvases,
    ...{ edits, typedLines },
    ...tree,
    runs,
    agents,
    engine,
    main,
    dispose() {
      for (const end of ends) end();
    },
  };
}
