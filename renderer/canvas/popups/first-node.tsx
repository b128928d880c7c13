import { Plus, Workflow } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { openQuickAddByKey } from '../edit/open-quick-add.ts';
import { useDesk } from '../state/canvas-desk.ts';
import { useMoment } from '../state/canvas-moment.ts';
import './empty-canvas.css';

/** On a canvas without nodes: how to begin. */
export function FirstNode() {
  const desk = useDesk();
  const isAdding = useMoment(({ quickAdd, hasPalette }) => quickAdd !== null || hasPalette);
  if (isAdding) return null;
  return (
    <div className="first-node">
      <EmptyState
        icon={<Workflow aria-hidden size={20} />}
        title="This flow has no nodes yet"
        actions={
          <Button variant="primary" onClick={() => openQuickAddByKey(desk.current)}>
            <Plus aria-hidden size={14} />
            Add the first node
          </Button>
        }
      >
        Press N or double-click to add the first node.
      </EmptyState>
    </div>
  );
}
