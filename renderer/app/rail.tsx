import { FolderTree, History } from 'lucide-react';
import { useStore } from 'zustand';
import type { SideView } from '../stores/panes.ts';
import { useStores } from '../stores/stores-context.tsx';
import { IconButton } from '../ui/button.tsx';
import './rail.css';

const views = [
  { view: 'flows', label: 'Flows', Icon: FolderTree },
  { view: 'runs', label: 'Runs', Icon: History },
] as const satisfies readonly { view: SideView; label: string; Icon: unknown }[];

/** Chooses what the side panel shows. */
export function Rail() {
  const { panes } = useStores();
  const sideView = useStore(panes, (state) => state.sideView);
  const isOpen = useStore(panes, (state) => state.isOpen.side);
  return (
    <nav className="rail" aria-label="Side panel">
      {views.map(({ view, label, Icon }) => (
        <IconButton
          key={view}
          label={label}
          aria-pressed={isOpen && sideView === view}
          onClick={() => panes.getState().chooseSideView(view)}
        >
          <Icon aria-hidden size={16} />
        </IconButton>
      ))}
    </nav>
  );
}
