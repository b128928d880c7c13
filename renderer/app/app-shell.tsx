/**
 * The window: title bar, rail and side panel, the active file, inspector, status bar.
 */
import {
  ArrowRightToLine,
  Bot,
  ChartNoAxesGantt,
  FolderOpen,
  MousePointerClick,
  PencilLine,
  Pin,
  Play,
  Settings,
  StepForward,
} from 'lucide-react';
import { createContext, lazy, memo, Suspense, useContext, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { AroundMoment } from '../run-view/time/around-moment.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { useShowsDataset } from '../stores/use-case.ts';
import { type SettledFlow, useIsChat, useOpenFile, useSettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { sentRunOf } from '../stores/workspace/workspace.ts';
import { Button } from '../ui/button.tsx';
import { CodeFieldContext } from '../ui/code-field.ts';
import { AnswersClosed } from '../ui/decision-form.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { leaveByEscape } from '../ui/focus-field.ts';
import { nextFrame } from '../ui/next-frame.ts';
import { narrowWindow, useMediaQuery } from '../ui/use-media-query.ts';
import { UnreadableFolder } from '../workspace-view/unreadable-folder.tsx';
import { CommandButton, CommandIconButton, useCommand, useCommandContext } from './commands/command-context.tsx';
import { AgentSide } from './editor/agent-panes.tsx';
import { WorkspaceBanners } from './editor/banners.tsx';
import { CatalogueSide } from './editor/catalogue-panes.tsx';
import { CodeField } from './editor/code-field.tsx';
import { EditorArea } from './editor/editor-area.tsx';
import { NextSteps } from './editor/next-steps.tsx';
import { ConflictDialog } from './files/conflict-dialog.tsx';
import { LocalHistoryDialog } from './files/local-history-dialog.tsx';
import { WrittenDialog } from './files/written-dialog.tsx';
import { AgentRunDialog } from './run/agent-run-dialog.tsx';
import { ErrorHelp } from './run/error-help.tsx';
import { FixButton } from './run/node-why.tsx';
import { RunInputsDialog } from './run/run-inputs-dialog.tsx';
import { EditAnnouncer, RunAnnouncer } from './shell/announcers.tsx';
import { FileTabs } from './shell/file-tabs.tsx';
import { NoWorkspace } from './shell/no-workspace.tsx';
import { Rail } from './shell/rail.tsx';
import { StartPage } from './shell/start-page.tsx';
import { StatusBar } from './shell/status-bar.tsx';
import { text } from './shell/text.ts';
import { TitleBar } from './shell/title-bar.tsx';
import './shell/side-panel.css';
import './app-shell.css';

// None of these is needed for the first file.
const Inspector = lazy(() => import('../inspector/inspector.tsx').then((loaded) => ({ default: loaded.Inspector })));
const CompareTab = lazy(() => import('../compare/compare-tab.tsx').then((loaded) => ({ default: loaded.CompareTab })));
const AssistantPanel = lazy(() =>
  import('../assistant/assistant-panel.tsx').then((loaded) => ({ default: loaded.AssistantPanel })),
);
const DatasetAside = lazy(() => import('./run/dataset-panes.tsx').then((loaded) => ({ default: loaded.DatasetAside })));
const SidePanel = lazy(() => import('./shell/side-panel.tsx').then((loaded) => ({ default: loaded.SidePanel })));
const Dialogs = lazy(() => import('./dialogs.tsx').then((loaded) => ({ default: loaded.Dialogs })));

/** Whether the first file has been painted. Before that, the parts around it stay empty. */
const IsPainted = createContext(true);

/** @param whenShown resolves when the first file is about to be drawn; if undefined, nothing waits */
function useIsPainted(whenShown: Promise<void> | undefined): boolean {
  const [isPainted, setIsPainted] = useState(whenShown === undefined);
  useEffect(() => {
    let cancel = (): void => undefined;
    let isGone = false;
    // Cards are measured in the first frame and visible in the second.
    void whenShown?.then(() => {
      if (isGone) return;
      cancel = nextFrame(() => {
        cancel = nextFrame(() => setIsPainted(true));
      });
    });
    return () => {
      isGone = true;
      cancel();
    };
  }, [whenShown]);
  return isPainted;
}

/** Actions for the selected node; empty if there are none. */
function NodeActions() {
  // For a single node, like the plan: without a selection, the same keys run from the first stale node.
  const fromHere = useCommand('run.planFromHere');
  const openAgent = useCommand('agent.open');
  const node = useCommand('run.node');
  const toHere = useCommand('run.toHere');
  if (!fromHere.isAvailable && !openAgent.isAvailable && !toHere.isAvailable) return null;
  return (
    <div className="node-actions">
      {openAgent.isAvailable ? (
        <CommandButton command="agent.open" text={text.inspector.openAgent} icon={<Bot aria-hidden size={14} />} />
      ) : null}
      {node.isAvailable ? (
        <>
          <CommandButton command="run.node" icon={<Play aria-hidden size={12} />} />
          <CommandIconButton command="run.toHere" icon={<ArrowRightToLine aria-hidden size={14} />} />
          <CommandIconButton command="run.pin" icon={<Pin aria-hidden size={14} />} />
          <CommandIconButton command="run.editPin" icon={<PencilLine aria-hidden size={14} />} />
        </>
      ) : null}
      {toHere.isAvailable && !node.isOffered ? (
        <CommandButton command="run.toHere" icon={<ArrowRightToLine aria-hidden size={14} />} />
      ) : null}
      {fromHere.isAvailable ? (
        <CommandButton
          command="run.fromHere"
          text={text.inspector.runFromHere}
          icon={<StepForward aria-hidden size={14} />}
        />
      ) : null}
    </div>
  );
}

/** Shown while no file is open. */
export function EmptyEditorView({ folder }: { folder: string }) {
  const { workspace } = useStores();
  const status = useStore(workspace, ({ flowsStatus }) => flowsStatus);
  const count = useStore(workspace, ({ flows, agents }) => flows.length + agents.length);
  const error = useStore(workspace, ({ flowsError }) => flowsError);
  const isRemote = useStore(workspace, ({ remote }) => remote !== null);
  if (status === 'failed' && error !== null) {
    const actions = (
      <>
        <Button variant="primary" onClick={() => void workspace.getState().refresh()}>
          {text.noFile.tryAgain}
        </Button>
        <CommandButton command="workspace.open" icon={<FolderOpen aria-hidden size={14} />} />
      </>
    );
    return <UnreadableFolder folder={folder} error={error} actions={actions} />;
  }
  if (status !== 'ready') return null;
  if (isRemote && count === 0)
    return (
      <EmptyState icon={<ChartNoAxesGantt aria-hidden size={20} />} title={text.remote.title}>
        {text.remote.about}
      </EmptyState>
    );
  if (count === 0) return <StartPage folder={folder} />;
  return (
    <EmptyState icon={<MousePointerClick aria-hidden size={20} />} title={text.noFile.title}>
      {isRemote ? text.remote.noFile : text.noFile.about}
    </EmptyState>
  );
}

/** Parts that must update with every keystroke in the file's text. */
function PartsWithText({ path, hasInspector }: { path: string; hasInspector: boolean }) {
  const file = useOpenFile(path);
  if (file === undefined) return null;
  return (
    <>
      {hasInspector && file.status === 'ready' && file.kind === 'agent' ? <AgentSide file={file} /> : null}
      {file.kind === 'agent' ? <AgentRunDialog flow={file} /> : null}
      <ConflictDialog flow={file} />
      <LocalHistoryDialog flow={file} />
      <WrittenDialog />
    </>
  );
}

/** The conversation with the assistant, if it is open. */
function AssistantSide({ path }: { path: string }) {
  const isOpen = useStore(useStores().assistant, (state) => state.isOpen);
  if (!isOpen) return null;
  return (
    <ErrorBoundary key={path} subject={text.inspector.assistant}>
      <Suspense>
        <AssistantPanel
          path={path}
          setUp={
            <CommandButton
              command="settings.models"
              text={text.inspector.setUpModel}
              icon={<Settings aria-hidden size={14} />}
            />
          }
        />
      </Suspense>
    </ErrorBoundary>
  );
}

function OpenedFlow({ path }: { path: string }) {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : <FileViews flow={flow} />;
}

const FileViews = memo(function FileViews({ flow }: { flow: SettledFlow }) {
  const { panes } = useStores();
  const { dialogs } = useCommandContext();
  const isPainted = useContext(IsPainted);
  const hasInspector = useStore(panes, ({ isOpen }) => isOpen.inspector);
  const { path } = flow;
  const isChat = useIsChat(path);
  const isCompared = useShownRunPart(path, ({ comparison }) => comparison !== null) ?? false;
  const isDataset = useShowsDataset(path);
  return (
    <>
      <main className="stage" aria-label={path}>
        <FileTabs activePath={path} />
        <WorkspaceBanners />
        <EditorArea flow={flow} />
      </main>
      <div className="right-side">
        {hasInspector && isDataset ? (
          <Suspense>
            <DatasetAside />
          </Suspense>
        ) : null}
        {hasInspector && !isDataset && !isChat && flow.status === 'ready' && flow.kind === 'flow' ? (
          <aside className="inspector" aria-label={text.inspector.label} data-undo="file" onKeyDown={leaveByEscape}>
            {isPainted ? (
              <ErrorBoundary key={path} subject={text.inspector.subject}>
                <Suspense>
                  <CodeFieldContext value={CodeField}>
                    <Inspector
                      flow={flow}
                      nodeActions={<NodeActions />}
                      onRerun={dialogs.getState().showRerun}
                      compared={
                        isCompared ? (
                          <Suspense>
                            <CompareTab path={path} />
                          </Suspense>
                        ) : null
                      }
                      nextSteps={<NextSteps />}
                      aroundMoment={<AroundMoment path={path} />}
                      errorHelp={(error) => (
                        <div className="error-actions">
                          <ErrorHelp error={error} />
                          <FixButton />
                        </div>
                      )}
                    />
                  </CodeFieldContext>
                </Suspense>
              </ErrorBoundary>
            ) : null}
          </aside>
        ) : null}
        {flow.kind === 'flow' ? <AssistantSide path={path} /> : null}
      </div>
      {hasInspector && !isDataset && !isChat && isPainted && flow.status === 'ready' && flow.kind === 'dialogue' ? (
        <CatalogueSide file={flow} />
      ) : null}
      {flow.kind === 'flow' ? <RunInputsDialog flow={flow} /> : null}
      <PartsWithText path={path} hasInspector={hasInspector && !isDataset} />
      <RunAnnouncer path={path} />
      <EditAnnouncer key={path} path={path} />
    </>
  );
});

/** In a narrow window the side panel covers the content, so it closes after a selection, a click beside it or Escape. */
function useFoldingSidePanel(): void {
  const { panes, openFiles, liveRuns } = useStores();
  const isNarrow = useMediaQuery(narrowWindow);
  useEffect(() => panes.getState().setOpen('side', !isNarrow), [panes, isNarrow]);
  useEffect(() => {
    if (!isNarrow) return;
    const fold = (): void => panes.getState().setOpen('side', false);
    const ends = [
      openFiles.subscribe(({ activePath }, former) => activePath !== former.activePath && fold()),
      liveRuns.subscribe(({ shown }, former) => shown !== former.shown && fold()),
    ];
    const onPress = ({ target }: PointerEvent): void => {
      if (target instanceof Element && target.closest('.stage, .inspector') !== null) fold();
    };
    const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !defaultPrevented) fold();
    };
    window.addEventListener('pointerdown', onPress);
    window.addEventListener('keydown', onKey);
    return () => {
      for (const end of ends) end();
      window.removeEventListener('pointerdown', onPress);
      window.removeEventListener('keydown', onKey);
    };
  }, [panes, openFiles, liveRuns, isNarrow]);
}

/** The side panel; initially only a placeholder, so that nothing moves when it appears. */
function Side({ isEmpty }: { isEmpty: boolean }) {
  const { panes } = useStores();
  const view = useStore(panes, ({ sideView }) => sideView);
  const place = <aside className="side-panel" data-view={view} />;
  return isEmpty ? (
    place
  ) : (
    <Suspense fallback={place}>
      <SidePanel />
    </Suspense>
  );
}

function Workspace({ folder }: { folder: string }) {
  const { openFiles, panes } = useStores();
  const activePath = useStore(openFiles, (state) => state.activePath);
  const hasSide = useStore(panes, ({ isOpen }) => isOpen.side);
  const isPainted = useContext(IsPainted);
  useFoldingSidePanel();
  return (
    <div className="workspace">
      <Rail />
      {hasSide ? <Side isEmpty={!isPainted} /> : null}
      {activePath === null ? (
        <main className="stage">
          <WorkspaceBanners />
          <EmptyEditorView folder={folder} />
        </main>
      ) : (
        <OpenedFlow path={activePath} />
      )}
    </div>
  );
}

interface AppShellProps {
  /** Resolves when the first file is about to be drawn. Without it nothing waits. */
  readonly whenShown?: Promise<void>;
  /** Called once the first file is painted. */
  readonly onPainted?: () => void;
}

/** The window. */
export function AppShell({ whenShown, onPainted }: AppShellProps) {
  const { workspace } = useStores();
  const folder = useStore(workspace, (state) => state.folder);
  const isSent = useStore(workspace, (state) => sentRunOf(state) !== null);
  const isPainted = useIsPainted(whenShown);
  useEffect(() => {
    if (isPainted) onPainted?.();
  }, [isPainted, onPainted]);
  return (
    <IsPainted value={isPainted}>
      <AnswersClosed value={isSent}>
        <div className="app-shell">
          <TitleBar />
          {folder === null ? <NoWorkspace /> : <Workspace folder={folder} />}
          <StatusBar />
          <Suspense>{isPainted ? <Dialogs hasFolder={folder !== null} /> : null}</Suspense>
        </div>
      </AnswersClosed>
    </IsPainted>
  );
}
