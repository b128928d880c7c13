/**
 * The open files as tabs, and the actions for the active one.
 */
import { Bot, ChevronDown, CircleX, File, FileX, History, MessagesSquare, Workflow, X } from 'lucide-react';
import { type DragEvent, type RefObject, useEffect, useRef, useState, type WheelEvent } from 'react';
import { useStore } from 'zustand';
import { maxListedRuns } from '../../stores/runs/history/run-history.ts';
import { isUnfinished } from '../../stores/runs/live/live-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { isNew } from '../../stores/text/file.ts';
import { flowNameOf, folderOf } from '../../stores/text/paths.ts';
import { useRunNowPart, useSelection, useShownRunPart } from '../../stores/use-flow.ts';
import type { ViewMode } from '../../stores/window/selection.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { StateIcon } from '../../ui/state-icon.tsx';
import { useCommand, useCommandContext } from '../commands/command-context.tsx';
import { closeFile } from '../commands/file-commands.ts';
import { RunButton } from '../run/run-button.tsx';
import { RunEstimate } from '../run/run-estimate.tsx';
import { text } from './text.ts';
import './file-tabs.css';

interface TabName {
  readonly path: string;
  /** The shortest unique name: without the extension, else as in the file tree, else with the folder. */
  readonly name: string;
}

function withFolder(path: string): string {
  const folder = folderOf(path);
  return folder === '' ? fileNameOf(path) : `${folder}/${flowNameOf(path)}`;
}

/** Assigns each path the first of its names that no other path has in `names`. */
function withDistinctNames(
  paths: readonly string[],
  names: readonly string[],
  longer: (path: string) => string,
): string[] {
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  return paths.map((path, index) => {
    const name = names[index] ?? path;
    return count.get(name) === 1 ? name : longer(path);
  });
}

/** Returns the tab names of open files, in the same order as their paths. */
export function tabNames(paths: readonly string[]): readonly TabName[] {
  const short = paths.map(flowNameOf);
  const full = withDistinctNames(paths, short, fileNameOf);
  const names = withDistinctNames(paths, full, withFolder);
  return paths.map((path, index) => ({ path, name: names[index] ?? path }));
}

const viewModes: readonly { value: ViewMode; text: string }[] = [
  { value: 'canvas', text: text.tabs.canvas },
  { value: 'split', text: text.tabs.split },
  { value: 'text', text: text.tabs.text },
];

/** View modes of a conversation catalog. */
const catalogueViewModes: typeof viewModes = [...viewModes, { value: 'chat', text: text.tabs.chat }];

/** View modes of an agent while a run is shown. Without a run there is only the text view. */
const agentViewModes: typeof viewModes = [
  { value: 'canvas', text: text.tabs.run },
  { value: 'split', text: text.tabs.split },
  { value: 'text', text: text.tabs.text },
];

/** Offered only while it is shown, because the list of runs opens it. */
const runsMode = { value: 'runs', text: text.tabs.table } as const;

function ViewModes({ path }: { path: string }) {
  const { selection, openFiles } = useStores();
  const { mode } = useSelection(path);
  const kind = useStore(openFiles, ({ files }) => files.get(path)?.kind);
  const isAgent = kind === 'agent';
  const hasRun = useShownRunPart(path, () => true) ?? false;
  if (kind === 'file' || (isAgent && !hasRun && mode !== 'runs')) return null;
  const modes = isAgent ? agentViewModes : kind === 'dialogue' ? catalogueViewModes : viewModes;
  return (
    <Segmented<ViewMode>
      label={text.tabs.view}
      value={mode}
      options={mode === 'runs' ? [...modes, runsMode] : modes}
      onChange={(next) => selection.getState().setMode(path, next)}
    />
  );
}

const tabIcons = { flow: Workflow, agent: Bot, dialogue: MessagesSquare, file: File } as const;

function TabMark({ path }: { path: string }) {
  const { openFiles } = useStores();
  const flow = useStore(openFiles, ({ files }) => files.get(path));
  const isRunning = useRunNowPart(path, ({ state }) => isUnfinished(state)) ?? false;
  if (isRunning) return <StateIcon state="running" />;
  if (flow?.isMissing && !isNew(flow))
    return <FileX role="img" aria-label={text.tabs.deleted} className="flow-tab-problem" size={14} />;
  if (flow?.status === 'unreadable' || flow?.diagnostics.some(({ severity }) => severity === 'error')) {
    return <CircleX role="img" aria-label={text.tabs.hasErrors} className="flow-tab-problem" size={14} />;
  }
  const Icon = flow === undefined ? Workflow : tabIcons[flow.kind];
  return <Icon aria-hidden size={14} />;
}

/** Drag data type of a tab, known only to this window. */
const tabType = 'application/x-millrace-tab';

/** Lets a tab be dropped at the position of another. The keyboard equivalents are `Move tab left` and `right`. */
function useTabDrag(path: string) {
  const { openFiles } = useStores();
  const [isOver, setIsOver] = useState(false);
  const isTab = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(tabType);
  return {
    draggable: true,
    'data-drop': isOver,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(tabType, path);
      dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event: DragEvent) => {
      if (!isTab(event)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      if (!isTab(event)) return;
      event.preventDefault();
      setIsOver(false);
      const { moveTab, tabs } = openFiles.getState();
      moveTab(event.dataTransfer.getData(tabType), tabs.indexOf(path));
    },
  };
}

function FlowTab({ path, name, isActive }: { path: string; name: string; isActive: boolean }) {
  const { openFiles } = useStores();
  const context = useCommandContext();
  const isDirty = useStore(openFiles, ({ files }) => files.get(path)?.isDirty === true);
  const drag = useTabDrag(path);
  return (
    <div className="flow-tab" data-active={isActive} data-dirty={isDirty} {...drag}>
      <button
        type="button"
        className="flow-tab-open"
        aria-current={isActive ? 'page' : undefined}
        title={path}
        onClick={() => openFiles.getState().activate(path)}
        onAuxClick={(event) => event.button === 1 && closeFile(context, path)}
      >
        <TabMark path={path} />
        <span className="flow-tab-name">{name}</span>
      </button>
      <button
        type="button"
        className="flow-tab-close"
        aria-label={isDirty ? text.tabs.closeUnsaved({ name }) : text.tabs.close({ name })}
        onClick={() => closeFile(context, path)}
      >
        <span className="flow-tab-dot" />
        <X aria-hidden size={12} />
      </button>
    </div>
  );
}

/** Shows the number of runs of the file and opens their list. */
function RunsButton({ path }: { path: string }) {
  const { runHistory } = useStores();
  const { title, run } = useCommand('view.runsOfFile');
  const count = useStore(runHistory, ({ lists }) => lists.get(path)?.runs.length) ?? 0;
  useEffect(() => runHistory.getState().watch(path), [runHistory, path]);
  const words = count === maxListedRuns ? `${count}+` : `${count}`;
  return (
    <Button
      size="small"
      title={title}
      aria-label={count === 0 ? text.tabs.runs : text.tabs.runsCounted({ count: words })}
      onClick={run}
    >
      <History aria-hidden size={14} />
      <span className="flow-tabs-word">{text.tabs.runs}</span>
      {count === 0 ? null : <span className="flow-tabs-count">{words}</span>}
    </Button>
  );
}

/**
 * Shown unless the file cannot run: plain files, catalogs, and files that cannot be read, such as an agent of a removed
 * pack.
 */
function RunButtonsOf({ path }: { path: string }) {
  const mayRun = useStore(useStores().openFiles, ({ files }) => {
    const file = files.get(path);
    return file?.kind !== 'file' && file?.kind !== 'dialogue' && file?.status !== 'unreadable';
  });
  if (!mayRun) return null;
  return (
    <>
      <RunsButton path={path} />
      <RunEstimate path={path} />
      <RunButton path={path} />
    </>
  );
}

/** Keeps the active tab in view, also when the tab bar becomes narrower. */
function useActiveTabInView(list: RefObject<HTMLElement | null>, activePath: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path means another active tab
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      element.querySelector('[data-active="true"]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, activePath]);
}

/** A menu of all open files, shown if some tabs are not visible. */
function TabMenu({ names, activePath }: { names: readonly TabName[]; activePath: string }) {
  const { openFiles } = useStores();
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={text.tabs.all({ count: names.length })}>
          <ChevronDown aria-hidden size={14} />
        </IconButton>
      }
    >
      {names.map(({ path, name }) => (
        <MenuItem
          key={path}
          text={name}
          hint={folderOf(path)}
          isChecked={path === activePath}
          onSelect={() => openFiles.getState().activate(path)}
        />
      ))}
    </Menu>
  );
}

/** Returns whether some tabs do not fit. */
function useHasHiddenTabs(list: RefObject<HTMLElement | null>, count: number): boolean {
  const [hasHidden, setHasHidden] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one more tab leaves less room for the others
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHasHidden(element.scrollWidth > element.clientWidth + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, count]);
  return hasHidden;
}

/** Converts vertical wheel movement to horizontal scrolling, because the tabs do not scroll vertically. */
function scrollAside({ currentTarget, deltaX, deltaY }: WheelEvent<HTMLElement>): void {
  if (Math.abs(deltaY) > Math.abs(deltaX)) currentTarget.scrollLeft += deltaY;
}

export function FileTabs({ activePath }: { activePath: string }) {
  const { openFiles } = useStores();
  const tabs = useStore(openFiles, (state) => state.tabs);
  const list = useRef<HTMLElement>(null);
  useActiveTabInView(list, activePath);
  const names = tabNames(tabs);
  const hasHidden = useHasHiddenTabs(list, tabs.length);
  return (
    <div className="flow-tabs">
      <nav ref={list} className="flow-tabs-list" aria-label={text.tabs.list} onWheel={scrollAside}>
        {names.map(({ path, name }) => (
          <FlowTab key={path} path={path} name={name} isActive={path === activePath} />
        ))}
      </nav>
      <div className="flow-tabs-end">
        {hasHidden ? <TabMenu names={names} activePath={activePath} /> : null}
        <ViewModes path={activePath} />
        <RunButtonsOf path={activePath} />
      </div>
    </div>
  );
}
