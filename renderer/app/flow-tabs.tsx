/**
 * The open flows as tabs, and what can be done with the one in front.
 */
import { Bot, CircleX, FileX, Workflow, X } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { isUnfinished } from '../stores/live-runs.ts';
import type { ViewMode } from '../stores/selection.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useSelection, useShownRunPart } from '../stores/use-flow.ts';
import { Segmented } from '../ui/segmented.tsx';
import { StateIcon } from '../ui/state-icon.tsx';
import { RunButton } from './run-button.tsx';
import { tabNames } from './tab-names.ts';
import './flow-tabs.css';

const viewModes: readonly { value: ViewMode; text: string }[] = [
  { value: 'canvas', text: 'Canvas' },
  { value: 'split', text: 'Split' },
  { value: 'text', text: 'Text' },
];

/** Of an agent whose run is shown; without a run there is only its text. */
const agentViewModes: typeof viewModes = [
  { value: 'canvas', text: 'Run' },
  { value: 'split', text: 'Split' },
  { value: 'text', text: 'Text' },
];

function ViewModes({ path }: { path: string }) {
  const { selection, openFlows } = useStores();
  const { mode } = useSelection(path);
  const isAgent = useStore(openFlows, ({ flows }) => flows.get(path)?.kind === 'agent');
  const hasRun = useShownRunPart(path, () => true) ?? false;
  if (isAgent && !hasRun) return null;
  return (
    <Segmented<ViewMode>
      label="View"
      value={mode}
      options={isAgent ? agentViewModes : viewModes}
      onChange={(next) => selection.getState().setMode(path, next)}
    />
  );
}

function TabMark({ path }: { path: string }) {
  const { openFlows } = useStores();
  const flow = useStore(openFlows, ({ flows }) => flows.get(path));
  const isRunning = useShownRunPart(path, ({ state }) => isUnfinished(state)) ?? false;
  if (isRunning) return <StateIcon state="running" />;
  if (flow?.isMissing) return <FileX role="img" aria-label="deleted" className="flow-tab-problem" size={14} />;
  if (flow?.status === 'unreadable' || flow?.diagnostics.some(({ severity }) => severity === 'error')) {
    return <CircleX role="img" aria-label="has errors" className="flow-tab-problem" size={14} />;
  }
  return flow?.kind === 'agent' ? <Bot aria-hidden size={14} /> : <Workflow aria-hidden size={14} />;
}

function FlowTab({ path, name, isActive }: { path: string; name: string; isActive: boolean }) {
  const { openFlows } = useStores();
  return (
    <div className="flow-tab" data-active={isActive}>
      <button
        type="button"
        className="flow-tab-open"
        aria-current={isActive ? 'page' : undefined}
        title={path}
        onClick={() => openFlows.getState().activate(path)}
        onAuxClick={(event) => event.button === 1 && openFlows.getState().close(path)}
      >
        <TabMark path={path} />
        <span className="flow-tab-name">{name}</span>
      </button>
      <button
        type="button"
        className="flow-tab-close"
        aria-label={`Close ${name}`}
        onClick={() => openFlows.getState().close(path)}
      >
        <X aria-hidden size={12} />
      </button>
    </div>
  );
}

/** Keeps the active tab in view, also when the list gets narrower. */
function useActiveTabInView(list: RefObject<HTMLElement | null>, activePath: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path makes another tab the active one
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

export function FlowTabs({ activePath }: { activePath: string }) {
  const { openFlows } = useStores();
  const tabs = useStore(openFlows, (state) => state.tabs);
  const list = useRef<HTMLElement>(null);
  useActiveTabInView(list, activePath);
  return (
    <div className="flow-tabs">
      <nav ref={list} className="flow-tabs-list" aria-label="Open flows and agents">
        {tabNames(tabs).map(({ path, name }) => (
          <FlowTab key={path} path={path} name={name} isActive={path === activePath} />
        ))}
      </nav>
      <div className="flow-tabs-end">
        <ViewModes path={activePath} />
        <RunButton path={activePath} />
      </div>
    </div>
  );
}
