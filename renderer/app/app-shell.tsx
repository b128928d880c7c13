/**
 * The window: title bar, rail and side panel, the active file, inspector, status bar.
 */
import { BookOpen, Bot, FolderOpen, MousePointerClick, StepForward, Workflow } from 'lucide-react';
import { memo, useEffect } from 'react';
import { useStore } from 'zustand';
import { Inspector } from '../inspector/inspector.tsx';
import { InstallDialog } from '../packs/install-dialog.tsx';
import { PackDialog } from '../packs/pack-dialog.tsx';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useOpenFile, useSettledFlow } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ToastList } from '../ui/toast-list.tsx';
import { narrowWindow, useMediaQuery } from '../ui/use-media-query.ts';
import { NoFlows, UnreadableFolder } from '../workspace-view/no-flows.tsx';
import { CommandButton, useCommand } from './commands/command-context.tsx';
import { ShortcutsDialog } from './commands/shortcuts-dialog.tsx';
import { AgentSide } from './editor/agent-panes.tsx';
import { WorkspaceBanners } from './editor/banners.tsx';
import { EditorArea } from './editor/editor-area.tsx';
import { ConflictDialog } from './files/conflict-dialog.tsx';
import { CreateDialog } from './files/create-dialog.tsx';
import { CloseDialog, FileDialogs } from './files/file-dialogs.tsx';
import { FileDrop } from './files/file-drop.tsx';
import { LocalHistoryDialog } from './files/local-history-dialog.tsx';
import { AddNodeDialog } from './nodes/add-node-dialog.tsx';
import { ConnectDialog, DisconnectDialog } from './nodes/connect-dialog.tsx';
import { MoveDialog } from './nodes/move-dialog.tsx';
import { PasteRequestDialog } from './nodes/paste-request-dialog.tsx';
import { QuickOpen } from './quick-pick/quick-open.tsx';
import { AgentRunDialog } from './run/agent-run-dialog.tsx';
import { AgentWorkDialog } from './run/agent-work-dialog.tsx';
import { CompareDialog } from './run/compare-dialog.tsx';
import { RerunDialog } from './run/rerun-dialog.tsx';
import { RunInputsDialog } from './run/run-inputs-dialog.tsx';
import { EditAnnouncer, RunAnnouncer } from './shell/announcers.tsx';
import { FileTabs } from './shell/file-tabs.tsx';
import { NoWorkspace } from './shell/no-workspace.tsx';
import { Rail } from './shell/rail.tsx';
import { SidePanel } from './shell/side-panel.tsx';
import { StatusBar } from './shell/status-bar.tsx';
import { TitleBar } from './shell/title-bar.tsx';
import './app-shell.css';

/** What can be done with the selected node; nothing while there is nothing to do. */
function NodeActions() {
  // Of one node, as the plan is: without one, the same keys run from the first stale node.
  const fromHere = useCommand('run.planFromHere');
  const openAgent = useCommand('agent.open');
  if (!fromHere.isAvailable && !openAgent.isAvailable) return null;
  return (
    <div className="node-actions">
      {openAgent.isAvailable ? (
        <CommandButton command="agent.open" text="Open agent" icon={<Bot aria-hidden size={14} />} />
      ) : null}
      {fromHere.isAvailable ? (
        <CommandButton command="run.fromHere" text="Run again from here" icon={<StepForward aria-hidden size={14} />} />
      ) : null}
    </div>
  );
}

/** In place of a file, while none is open. */
export function NothingOpen({ folder }: { folder: string }) {
  const { workspace } = useStores();
  const status = useStore(workspace, ({ flowsStatus }) => flowsStatus);
  const count = useStore(workspace, ({ flows }) => flows.length);
  const error = useStore(workspace, ({ flowsError }) => flowsError);
  const openFolder = <CommandButton command="workspace.open" icon={<FolderOpen aria-hidden size={14} />} />;
  if (status === 'failed' && error !== null) {
    const actions = (
      <>
        <Button variant="primary" onClick={() => void workspace.getState().refresh()}>
          Try again
        </Button>
        {openFolder}
      </>
    );
    return <UnreadableFolder folder={folder} error={error} actions={actions} />;
  }
  if (status !== 'ready') return null;
  if (count === 0) {
    const actions = (
      <>
        <CommandButton command="file.newFlow" variant="primary" icon={<Workflow aria-hidden size={14} />} />
        <CommandButton command="file.newFromExample" icon={<BookOpen aria-hidden size={14} />} />
        <CommandButton command="file.newAgent" icon={<Bot aria-hidden size={14} />} />
        {openFolder}
      </>
    );
    return <NoFlows folder={folder} actions={actions} />;
  }
  return (
    <EmptyState icon={<MousePointerClick aria-hidden size={20} />} title="No flow is open">
      Choose one from the files at the left, or make a new one.
    </EmptyState>
  );
}

/** What must know the file's text with every keystroke. */
function PartsWithText({ path, hasInspector }: { path: string; hasInspector: boolean }) {
  const file = useOpenFile(path);
  if (file === undefined) return null;
  return (
    <>
      {hasInspector && file.status === 'ready' && file.kind === 'agent' ? <AgentSide file={file} /> : null}
      {file.kind === 'agent' ? <AgentRunDialog flow={file} /> : null}
      <ConflictDialog flow={file} />
      <LocalHistoryDialog flow={file} />
    </>
  );
}

function OpenedFlow({ path }: { path: string }) {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : <FileViews flow={flow} />;
}

const FileViews = memo(function FileViews({ flow }: { flow: SettledFlow }) {
  const { panes } = useStores();
  const hasInspector = useStore(panes, ({ isOpen }) => isOpen.inspector);
  const { path } = flow;
  return (
    <>
      <main className="stage" aria-label={path}>
        <FileTabs activePath={path} />
        <WorkspaceBanners />
        <EditorArea flow={flow} />
      </main>
      {hasInspector && flow.status === 'ready' && flow.kind === 'flow' ? (
        <aside className="inspector" aria-label="Inspector" data-undo="file">
          <ErrorBoundary key={path} subject="The inspector">
            <Inspector flow={flow} nodeActions={<NodeActions />} />
          </ErrorBoundary>
        </aside>
      ) : null}
      {flow.kind === 'flow' ? <RunInputsDialog flow={flow} /> : null}
      <PartsWithText path={path} hasInspector={hasInspector} />
      <RunAnnouncer path={path} />
      <EditAnnouncer key={path} path={path} />
    </>
  );
});

/** In a narrow window the side panel lies over the work, so it closes when something was chosen from it. */
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
    return () => {
      for (const end of ends) end();
    };
  }, [panes, openFiles, liveRuns, isNarrow]);
}

function Workspace({ folder }: { folder: string }) {
  const { openFiles, panes } = useStores();
  const shortcuts = useCommand('help.shortcuts');
  const activePath = useStore(openFiles, (state) => state.activePath);
  const hasSide = useStore(panes, ({ isOpen }) => isOpen.side);
  useFoldingSidePanel();
  return (
    <div className="workspace">
      <Rail />
      {hasSide ? <SidePanel /> : null}
      {activePath === null ? (
        <main className="stage">
          <WorkspaceBanners />
          <NothingOpen folder={folder} />
        </main>
      ) : (
        <OpenedFlow path={activePath} />
      )}
      <PackDialog />
      <InstallDialog />
      <SettingsDialog onShortcuts={shortcuts.run} />
    </div>
  );
}

export function AppShell() {
  const { workspace, notices } = useStores();
  const folder = useStore(workspace, (state) => state.folder);
  const messages = useStore(notices, ({ list }) => list);
  return (
    <div className="app-shell">
      <TitleBar />
      {folder === null ? <NoWorkspace /> : <Workspace folder={folder} />}
      <StatusBar />
      <ShortcutsDialog />
      <QuickOpen />
      <CloseDialog />
      <CreateDialog />
      <FileDialogs />
      <AddNodeDialog />
      <ConnectDialog />
      <MoveDialog />
      <PasteRequestDialog />
      <DisconnectDialog />
      <RerunDialog />
      <CompareDialog />
      <AgentWorkDialog />
      <FileDrop />
      <ToastList toasts={messages} onDismiss={(id) => notices.getState().dismiss(id)} />
    </div>
  );
}
