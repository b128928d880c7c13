/**
 * Creates and connects all state of a window. Nothing here is global, so each test creates its own.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../bridge/engine-client.ts';
import type { MainClient } from '../bridge/main-client.ts';
import { createRunFeed } from '../bridge/run-feed.ts';
import { type AgentActions, type AgentWork, createAgentActions, createAgentWork } from './agents/agent-actions.ts';
import { followAgentChecks } from './agents/agent-checks.ts';
import { type AgentPreviewStore, createAgentPreviews } from './agents/agent-previews.ts';
import { type AgentViews, createAgentViews } from './agents/agent-runs.ts';
import { type Assistant, createAssistant } from './assistant/assistant.ts';
import { type CaseWork, createCaseWork } from './cases/case-work.ts';
import { type Conversations, createConversations } from './conversations/conversations.ts';
import { createPastedRequests, type PastedRequests } from './curl/pasted-requests.ts';
import { createFileStores } from './file-stores.ts';
import { openFirstFlow } from './first-look.ts';
import { followTexts } from './follow-texts.ts';
import type { Reviews } from './review/reviews.ts';
import { type Breakpoints, createBreakpoints } from './runs/breakpoints.ts';
import { type CopyLimits, createDeletionStores, type OldRuns } from './runs/history/old-runs.ts';
import { createRunHistory, type RunHistory } from './runs/history/run-history.ts';
import { createRunTable, type RunTable } from './runs/history/run-table.ts';
import { createLiveRuns, type LiveRuns } from './runs/live/live-runs.ts';
import { createRunFollower, type RunFollower } from './runs/live/run-follower.ts';
import { createPins, type PinStore } from './runs/pins.ts';
import { createRecentSwitches, type RecentSwitches } from './runs/recent-switches.ts';
import { createRunWork, type RunWork } from './runs/requests/run-work.ts';
import { createRunPicks, type RunPicks } from './runs/run-picks.ts';
import { createSession, type WindowSession } from './session.ts';
import type { FileEdits } from './text/edits.ts';
import type { OpenFiles } from './text/files.ts';
import { followFlowChecks } from './text/flow-checks.ts';
import { movedKeys } from './text/paths.ts';
import type { DocumentService } from './text/service.ts';
import type { TypedLines } from './text/typed-lines.ts';
import { type BackgroundStore, createBackground } from './window/background.ts';
import { type CanvasHandles, type CanvasViews, createCanvasHandles } from './window/canvases.ts';
import { type Cursors, createCursors } from './window/cursors.ts';
import { createNotices, type WindowNotices } from './window/notices.ts';
import { createPanes, type Panes } from './window/panes.ts';
import { createPreferences, type PreferencesState } from './window/preferences.ts';
import { createSecrets, type Secrets } from './window/secrets.ts';
import { createSelection, type Selection } from './window/selection.ts';
import { createEditorSettings, createSettings, type EditorSettings, type ThemeSettings } from './window/settings.ts';
import { createUpdateStore, type UpdateStore } from './window/updates.ts';
import { followAgentTypes } from './workspace/agent-types.ts';
import { createFileActions, type FileActions } from './workspace/file-actions.ts';
import { createFileTree, type FileTree } from './workspace/file-tree.ts';
import { createGallery, type Gallery } from './workspace/gallery.ts';
import { createGitState, type GitState } from './workspace/git-state.ts';
import { createImports, type Imports } from './workspace/imports.ts';
import { followModels } from './workspace/model-checks.ts';
import { createModels, type Models } from './workspace/models.ts';
import { createPacks, type Packs } from './workspace/packs.ts';
import { createPendingProposals, type PendingProposals } from './workspace/pending-proposals.ts';
import { createPublishing, type Publishing } from './workspace/publishing.ts';
import { createTextSearch, type TextSearchState, unsavedTexts } from './workspace/text-search.ts';
import { createToolWork, followPolicyChecks, type ToolWork } from './workspace/tool-work.ts';
import { createTriggers, followTriggers, type Triggers } from './workspace/triggers.ts';
import { createWorkspace, type Workspace } from './workspace/workspace.ts';

export interface Stores extends RunWork, ToolWork, CaseWork {
  readonly workspace: StoreApi<Workspace>;
  readonly fileTree: StoreApi<FileTree>;
  readonly git: StoreApi<GitState>;
  readonly proposals: StoreApi<PendingProposals>;
  readonly triggers: StoreApi<Triggers>;
  readonly publishing: StoreApi<Publishing>;
  readonly packs: StoreApi<Packs>;
  readonly gallery: StoreApi<Gallery>;
  readonly imports: StoreApi<Imports>;
  readonly models: StoreApi<Models>;
  readonly textSearch: StoreApi<TextSearchState>;
  readonly files: FileActions;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly typedLines: TypedLines;
  readonly edits: FileEdits;
  readonly reviews: StoreApi<Reviews>;
  readonly assistant: StoreApi<Assistant>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly recentSwitches: StoreApi<RecentSwitches>;
  readonly runHistory: StoreApi<RunHistory>;
  readonly runPicks: StoreApi<RunPicks>;
  readonly runTable: StoreApi<RunTable>;
  readonly oldRuns: StoreApi<OldRuns>;
  readonly undoLimits: StoreApi<CopyLimits>;
  readonly pins: StoreApi<PinStore>;
  readonly breakpoints: StoreApi<Breakpoints>;
  readonly conversations: StoreApi<Conversations>;
  readonly agentWork: StoreApi<AgentWork>;
  readonly agentViews: StoreApi<AgentViews>;
  readonly agentPreviews: StoreApi<AgentPreviewStore>;
  readonly agents: AgentActions;
  readonly selection: StoreApi<Selection>;
  readonly cursors: StoreApi<Cursors>;
  readonly panes: StoreApi<Panes>;
  readonly canvases: StoreApi<CanvasHandles>;
  readonly canvasViews: CanvasViews;
  readonly session: WindowSession;
  readonly notices: StoreApi<WindowNotices>;
  readonly settings: StoreApi<ThemeSettings>;
  readonly editorSettings: StoreApi<EditorSettings>;
  readonly preferences: StoreApi<PreferencesState>;
  readonly secrets: StoreApi<Secrets>;
  readonly pastedRequests: StoreApi<PastedRequests>;
  readonly updates: StoreApi<UpdateStore>;
  readonly background: StoreApi<BackgroundStore>;
  readonly engine: EngineClient;
  readonly main: MainClient;
  /** Ends every subscription. */
  dispose(): void;
}

/** External dependencies of the window's state. */
interface StoresOutside {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly documents: DocumentService;
  /** Calls back once before the next frame is painted. The returned function cancels the callback. */
  readonly nextFrame: (callback: () => void) => () => void;
}

/** Reloads what the engine reports as changed, and everything for a new engine. Returns functions that unsubscribe. */
function followEngine(
  stores: Pick<
    Stores,
    'engine' | 'workspace' | 'openFiles' | 'runHistory' | 'breakpoints' | 'fileTree' | 'git' | 'proposals'
  >,
  follower: RunFollower,
): (() => void)[] {
  const { engine, workspace, openFiles, runHistory, breakpoints, fileTree, git, proposals } = stores;
  const refreshRuns = (): void => {
    void runHistory.getState().refresh();
    void follower.followUnfinished();
  };
  return [
    follower.noticeDeaths(),
    engine.stream('watchFlows', (paths) => {
      void workspace.getState().refresh();
      void openFiles.getState().reload(paths);
    }),
    engine.stream('watchFiles', ({ paths, isTree }) => {
      if (isTree || paths.some((path) => /\.(?:aip|mjs)$/.test(path))) void workspace.getState().refreshAgents();
      // A changed file may be the first change since the last commit.
      void fileTree.getState().refresh(paths);
      void git.getState().refresh();
      // Changes from before file watching started have no paths.
      void openFiles.getState().reload(paths.length === 0 ? [...openFiles.getState().files.keys()] : paths);
    }),
    engine.stream('watchHistory', refreshRuns),
    engine.stream('watchProposals', () => void proposals.getState().refresh()),
    followAgentChecks(engine, openFiles),
    followPolicyChecks(engine, openFiles),
    ...followFlowChecks(engine, openFiles),
    engine.onConnected(() => {
      void workspace.getState().refresh();
      void workspace.getState().refreshAgents();
      void fileTree.getState().refresh([]);
      void git.getState().refresh();
      void openFiles.getState().reload([...openFiles.getState().files.keys()]);
      void breakpoints.getState().connect();
      refreshRuns();
    }),
  ];
}

/** Applies main's information about the program. Returns a function that stops it. */
function followMain(
  stores: Pick<Stores, 'main' | 'workspace' | 'settings' | 'editorSettings' | 'updates'>,
): () => void {
  const { main, workspace, settings, editorSettings, updates } = stores;
  return main.onPush({
    'engine.state': (state) => workspace.getState().setEngine(state),
    'settings.changed': ({ theme }) => settings.getState().setTheme(theme),
    'preferences.changed': ({ preferences }) => editorSettings.getState().take(preferences),
    'updates.changed': (known) => updates.getState().take(known),
  });
}

interface RenamedStore {
  getState(): { rename(from: string, to: string): void };
}

/** Moves the state of renamed files and folders. */
function createRename(
  { selection, liveRuns, canvasViews }: Pick<Stores, 'selection' | 'liveRuns' | 'canvasViews'>,
  others: readonly RenamedStore[],
): (from: string, to: string) => void {
  return (from, to) => {
    selection.setState(({ views }) => ({ views: movedKeys(views, from, to) }));
    liveRuns.setState(({ shown }) => ({ shown: movedKeys(shown, from, to) }));
    const moved = movedKeys(canvasViews, from, to);
    canvasViews.clear();
    for (const [path, view] of moved) canvasViews.set(path, view);
    for (const store of others) store.getState().rename(from, to);
  };
}

function createAgentStores(
  context: Parameters<typeof createAgentActions>[0],
): Pick<Stores, 'agentWork' | 'agentViews' | 'agentPreviews' | 'agents'> {
  const { engine, openFiles } = context;
  const agentWork = createAgentWork();
  return {
    agentWork,
    agentViews: createAgentViews(),
    agentPreviews: createAgentPreviews(engine, openFiles),
    agents: createAgentActions(context, agentWork),
  };
}

export function createStores({ engine, main, documents, nextFrame }: StoresOutside): Stores {
  const notices = createNotices();
  const workspace = createWorkspace(engine);
  const fileTree = createFileTree(engine);
  const [git, proposals] = [createGitState(engine), createPendingProposals(engine)];

  const runHistory = createRunHistory(engine);
  const liveRuns = createLiveRuns(() => {
    void runHistory.getState().refresh();
    // A run may have filled the disk.
    void workspace.getState().refreshNotices();
  });
  const [recentSwitches, endSwitches] = createRecentSwitches(liveRuns);
  const feed = createRunFeed({ engine, nextFrame, sink: liveRuns.getState() });
  const follower = createRunFollower(engine, feed, liveRuns, notices);

  const selection = createSelection();
  const outside = { engine, main, documents, notices, liveRuns, selection };
  const [{ openFiles, edits, reviews }, onScreen, endFiles] = createFileStores(outside);
  const triggers = createTriggers({ engine, main, notices, openFiles, edits });
  const [panes, canvasViews] = [createPanes(), new Map() as CanvasViews];
  const [settings, editorSettings] = [createSettings(), createEditorSettings(main, notices)];
  const [pins, breakpoints] = [createPins(main, notices), createBreakpoints(outside)];
  const shared = { engine, openFiles, liveRuns, pins, breakpoints, notices };
  const preferences = createPreferences(engine, main);
  const secrets = createSecrets(engine, main, () => unsavedTexts(openFiles.getState()));
  const updates = createUpdateStore(main);
  const [models, packs] = [createModels(engine, preferences), createPacks(engine, main)];
  const actionContext = { ...shared, follower, panes, workspace, preferences, secrets };
  const work = createRunWork({ ...actionContext, main, selection }, runHistory);
  const [conversations, endConversations] = createConversations({ engine, follower, notices, ...work });
  const [assistant, endAssistant] = createAssistant({ ...shared, selection, reviews, panes, workspace });
  const [caseWork, endCases] = createCaseWork({ ...actionContext, ...work, main, edits, reviews, nextFrame });
  const imports = createImports({ ...shared, main, panes });
  const others = [pins, breakpoints, conversations, assistant, imports, fileTree, openFiles];
  const rename = createRename({ selection, liveRuns, canvasViews }, others);
  const ends = [
    () => feed.stop(),
    ...[endSwitches, endConversations, endAssistant, endFiles, endCases],
    main.onPush({ 'draft.moved': ({ from, to }) => rename(from, to) }),
    ...followTexts({ ...shared, main, selection }, onScreen),
    followAgentTypes({ engine, openFiles, documents, packs }),
    openFirstFlow(workspace, openFiles),
    ...followModels({ engine, models, preferences, openFiles }),
    ...followEngine({ ...shared, workspace, runHistory, fileTree, git, proposals }, follower),
    ...followTriggers(engine, triggers),
    followMain({ main, workspace, settings, editorSettings, updates }),
  ];
  return {
    ...shared,
    assistant,
    workspace,
    fileTree,
    ...{ git, proposals, triggers },
    publishing: createPublishing({ engine, main, notices, openFiles, edits }),
    packs,
    models,
    ...createToolWork(engine, main),
    ...{ gallery: createGallery(engine), imports },
    textSearch: createTextSearch(engine, openFiles),
    files: createFileActions({ engine, main, notices }, openFiles, fileTree, rename),
    typedLines: openFiles.getState().typedLines,
    edits,
    reviews,
    recentSwitches,
    ...{ runHistory, runTable: createRunTable(engine, runHistory), ...createDeletionStores(engine, main) },
    runPicks: createRunPicks(liveRuns, work.runs.compare),
    ...work,
    ...{ ...caseWork, conversations },
    ...createAgentStores({ ...actionContext, ...work }),
    selection,
    cursors: createCursors(),
    panes,
    canvases: createCanvasHandles(),
    canvasViews,
    session: createSession(main, { workspace, openFiles, selection, panes, canvasViews, fileTree, ...work }),
    settings,
    editorSettings,
    preferences,
    secrets,
    pastedRequests: createPastedRequests(notices),
    ...{ updates, background: createBackground(main) },
    main,
    dispose() {
      for (const end of ends) end();
    },
  };
}
