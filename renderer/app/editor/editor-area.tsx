/**
 * The active file: its problems, its run, its views, and the dock.
 */
import { CircleX, Play } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { agentTextLanguages } from '../../agent-editor/agent-text-languages.ts';
import { AgentRunView } from '../../agent-view/agent-run-view.tsx';
import { useCalledRun } from '../../agent-view/use-called-run.ts';
import { FlowCanvas } from '../../canvas/flow-canvas.tsx';
import { FirstStart } from '../../run-view/first-run.tsx';
import { RunDock } from '../../run-view/run-dock.tsx';
import { showsTable } from '../../stores/runs/run-picks.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useShowsDataset } from '../../stores/use-case.ts';
import { type SettledFlow, useIsChat, useOpenFile, useSelection, useShownRunPart } from '../../stores/use-flow.ts';
import { useHasReview } from '../../stores/use-review.ts';
import type { TextLanguage } from '../../text-view/languages.ts';
import { TextView } from '../../text-view/text-view.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { narrowWindow, shortWindow, useMediaQuery } from '../../ui/use-media-query.ts';
import { CommandButton, useCommand } from '../commands/command-context.tsx';
import { openPath } from '../commands/open-file.ts';
import { ErrorHelp } from '../run/error-help.tsx';
import { NodeWhy } from '../run/node-why.tsx';
import { ShownCase } from '../run/shown-case.tsx';
import { ShownRun } from '../run/shown-run.tsx';
import { AgentText } from './agent-panes.tsx';
import { FlowBanners } from './banners.tsx';
import { CanvasBar } from './canvas-bar.tsx';
import { CatalogueView, ChatView } from './catalogue-panes.tsx';
import { CanvasMenu, TextMenu } from './context-menus.tsx';
import { TimeButtons, useChanges, useChecks, useCompared, useImported, useRunFiles } from './dock-parts.tsx';
import './editor-area.css';
import { text as words } from './text.ts';

// Most files are not under review.
const ReviewBar = lazy(() => import('../../review/review-bar.tsx').then((loaded) => ({ default: loaded.ReviewBar })));
const RunTable = lazy(() => import('../../compare/run-table.tsx').then((loaded) => ({ default: loaded.RunTable })));

const DatasetPane = lazy(() => import('../run/dataset-panes.tsx').then((loaded) => ({ default: loaded.DatasetPane })));

const RunsTable = lazy(() =>
  import('../../run-view/table/runs-table.tsx').then((loaded) => ({ default: loaded.RunsTable })),
);

/** Languages that other features contribute to the text view. */
const textLanguages: readonly TextLanguage[] = agentTextLanguages;

/**
 * Heights in pixels, matching the token `--dock-h`. In a small window the canvas keeps more than half of the height.
 */
const dockHeight = { usual: 280, small: 164, least: 120 } as const;

/** The canvas of a flow or a catalog, the run of an agent, or the child run that is shown. */
function MainView({ file }: { file: SettledFlow }) {
  const { path, kind } = file;
  const stores = useStores();
  const called = useCalledRun(path);
  const explain = useCallback((nodeId: string) => <NodeWhy path={path} nodeId={nodeId} />, [path]);
  const openFile = useCallback((named: string) => void openPath(stores, named), [stores]);
  if (kind === 'dialogue') return <CatalogueView file={file} openFile={openFile} />;
  if (kind === 'flow' && called === undefined)
    return (
      <CanvasMenu>
        <FlowCanvas path={path} bar={<CanvasBar />} explain={explain} />
      </CanvasMenu>
    );
  return <AgentRunView path={path} errorHelp={(error) => <ErrorHelp error={error} />} />;
}

function AgentEditor({ path, children }: { path: string; children: ReactNode }) {
  const file = useOpenFile(path);
  return file === undefined ? null : <AgentText file={file}>{children}</AgentText>;
}

function Views({ file }: { file: SettledFlow }) {
  const { path, kind } = file;
  const { mode } = useSelection(path);
  const isChat = useIsChat(path);
  const stores = useStores();
  const hasRun = useShownRunPart(path, () => true) ?? false;
  const isCompared = useShownRunPart(path, ({ comparison }) => comparison !== null) ?? false;
  // A row of the table opens on the canvas. The table is back when the comparison ends.
  const isTable = useStore(stores.runPicks, (picks) => showsTable(picks, path)) && !isCompared;
  const isDataset = useShowsDataset(path);
  const openFile = useCallback((named: string) => void openPath(stores, named), [stores]);
  const canvas = (
    <ErrorBoundary key={`canvas ${path}`} subject={words.panes.canvas}>
      <MainView file={file} />
    </ErrorBoundary>
  );
  const editor = (
    <TextMenu file={file}>
      <TextView path={path} languages={textLanguages} openFile={openFile} />
    </TextMenu>
  );
  const text = (
    <ErrorBoundary key={`text ${path}`} subject={words.panes.text}>
      {kind === 'agent' ? <AgentEditor path={path}>{editor}</AgentEditor> : editor}
    </ErrorBoundary>
  );
  if (isChat)
    return (
      <ErrorBoundary key={`chat ${path}`} subject={words.panes.chat}>
        <ChatView path={path} />
      </ErrorBoundary>
    );
  if (isDataset)
    return (
      <ErrorBoundary key={`dataset ${path}`} subject={words.panes.table}>
        <Suspense>
          <DatasetPane />
        </Suspense>
      </ErrorBoundary>
    );
  if (isTable)
    return (
      <Suspense>
        <RunTable />
      </Suspense>
    );
  if (mode === 'runs' && kind !== 'file' && kind !== 'dialogue')
    return (
      <ErrorBoundary key={`runs ${path}`} subject={words.panes.runs}>
        <Suspense>
          <RunsTable path={path} />
        </Suspense>
      </ErrorBoundary>
    );
  if (mode === 'text' || kind === 'file' || (kind === 'agent' && !hasRun)) return text;
  if (mode === 'canvas') return canvas;
  return (
    <Group id="split" orientation="horizontal" className="stage-split">
      <Panel id="canvas" minSize={240} defaultSize="60%">
        {canvas}
      </Panel>
      <Separator className="stage-separator" data-line="vertical" aria-label={words.labels.resizeViews} />
      <Panel id="text" minSize={240}>
        {text}
      </Panel>
    </Group>
  );
}

function Unreadable({ flow }: { flow: SettledFlow }) {
  return (
    <EmptyState
      icon={<CircleX aria-hidden size={20} />}
      title={words.notShown({ path: flow.path })}
      actions={
        flow.readError?.code === 'pack.not-found' ? (
          <CommandButton command="run.start" text={words.actions.runAndInstall} icon={<Play aria-hidden size={12} />} />
        ) : null
      }
    >
      {flow.readError?.message}
    </EmptyState>
  );
}

export function EditorArea({ flow }: { flow: SettledFlow }) {
  const { panes, workspace } = useStores();
  const isOpen = useStore(panes, ({ isOpen }) => isOpen.dock);
  const isRemote = useStore(workspace, ({ remote }) => remote !== null);
  const isSmall = useMediaQuery(`${narrowWindow}, ${shortWindow}`);
  const toggleDock = useCommand('view.toggleDock');
  const isChat = useIsChat(flow.path);
  // A chat shows its stack beside it and has no timeline, so the dock would only contain an empty list of problems.
  const isDataset = useShowsDataset(flow.path);
  const isDockOpen = isOpen && !isDataset && (!isChat || flow.diagnostics.length > 0);
  const changes = useChanges(flow.path);
  const checks = useChecks(flow.path);
  const imported = useImported(flow.path);
  const files = useRunFiles(flow.path);
  const compared = useCompared(flow.path);
  const hasReview = useHasReview(flow.path);
  if (flow.status === 'unreadable') return <Unreadable flow={flow} />;
  return (
    <>
      {checks === null || isDataset ? null : <ShownCase path={flow.path} />}
      {isChat || isDataset || checks !== null ? null : <ShownRun flow={flow} />}
      <FlowBanners flow={flow} />
      {hasReview ? (
        <Suspense>
          <ReviewBar
            path={flow.path}
            commitButton={<CommandButton command="git.commit" text={words.actions.commit} icon={null} />}
          />
        </Suspense>
      ) : null}
      {isRemote ? null : (
        <FirstStart
          flow={flow}
          runAction={
            <CommandButton command="run.toggle" text={words.actions.runIt} icon={<Play aria-hidden size={12} />} />
          }
        />
      )}
      <Group id="stage" orientation="vertical" className="stage-group">
        <Panel id="views" minSize={160} className="stage-views">
          <Views file={flow} />
        </Panel>
        {isDockOpen ? (
          <>
            <Separator className="stage-separator" data-line="horizontal" aria-label={words.labels.resizeDock} />
            <Panel
              id="dock"
              defaultSize={isSmall ? dockHeight.small : dockHeight.usual}
              minSize={dockHeight.least}
              groupResizeBehavior="preserve-pixel-size"
            >
              <ErrorBoundary key={flow.path} subject={words.panes.dock}>
                <RunDock
                  flow={flow}
                  changes={changes}
                  checks={checks}
                  files={files}
                  imported={imported}
                  timeButtons={<TimeButtons path={flow.path} />}
                  compared={compared}
                  closeHint={toggleDock.keys ?? ''}
                  runAction={
                    <CommandButton
                      command="run.toggle"
                      text={words.actions.run}
                      variant="primary"
                      icon={<Play aria-hidden size={12} />}
                    />
                  }
                />
              </ErrorBoundary>
            </Panel>
          </>
        ) : null}
      </Group>
    </>
  );
}
