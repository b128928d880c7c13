import { FolderTree, History, Package, Settings } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { RunStatus } from '../../engine/isomorphic.ts';
import type { SideView } from '../stores/panes.ts';
import { allFlows } from '../stores/run-history.ts';
import { useStores } from '../stores/stores-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { CommandIconButton } from './command-button.tsx';
import './rail.css';

const views = [
  { view: 'flows', label: 'Flows', Icon: FolderTree },
  { view: 'runs', label: 'Runs', Icon: History },
  { view: 'packs', label: 'Packs', Icon: Package },
] as const satisfies readonly { view: SideView; label: string; Icon: unknown }[];

/** What the history has for a person to do. */
function useOpenRuns(): { readonly waiting: number; readonly interrupted: number } {
  const { runHistory } = useStores();
  useEffect(() => void runHistory.getState().load(allFlows), [runHistory]);
  const runs = useStore(runHistory, ({ lists }) => lists.get(allFlows)?.runs) ?? [];
  const count = (status: RunStatus): number => runs.filter((run) => run.status === status).length;
  return { waiting: count('suspended'), interrupted: count('interrupted') };
}

function runsLabel({ waiting, interrupted }: ReturnType<typeof useOpenRuns>): string {
  const parts = [
    ...(waiting === 0 ? [] : [`${waiting} waiting for you`]),
    ...(interrupted === 0 ? [] : [`${interrupted} interrupted`]),
  ];
  return ['Runs', ...parts].join(', ');
}

/** How many wait; a dot for what could be resumed, which is no hurry. */
function Badge({ waiting, interrupted }: ReturnType<typeof useOpenRuns>) {
  if (waiting > 0) return <span className="rail-badge">{waiting}</span>;
  return interrupted > 0 ? <span className="rail-dot" /> : null;
}

/** Chooses what the side panel shows. */
export function Rail() {
  const { panes } = useStores();
  const sideView = useStore(panes, (state) => state.sideView);
  const open = useOpenRuns();
  const isOpen = useStore(panes, (state) => state.isOpen.side);
  return (
    <nav className="rail" aria-label="Side panel">
      {views.map(({ view, label, Icon }) => (
        <IconButton
          key={view}
          label={view === 'runs' ? runsLabel(open) : label}
          aria-pressed={isOpen && sideView === view}
          onClick={() => panes.getState().chooseSideView(view)}
        >
          <Icon aria-hidden size={16} />
          {view === 'runs' ? <Badge {...open} /> : null}
        </IconButton>
      ))}
      <span className="rail-gap" />
      <CommandIconButton command="settings.models" icon={<Settings aria-hidden size={16} />} />
    </nav>
  );
}
