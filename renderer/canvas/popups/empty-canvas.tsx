import './empty-canvas.css';
import { Plus, Workflow } from 'lucide-react';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { openQuickAddByKey } from '../edit/open-quick-add.ts';
import { useEditor } from '../state/canvas-editor.ts';
import { useInteraction } from '../state/interaction.ts';

/** Said in place of a canvas when the text cannot be read as a flow, and never could since it was opened. */
export function EmptyCanvas({ flow }: { readonly flow: SettledFlow }) {
  const problem = flow.diagnostics.find(({ severity }) => severity === 'error');
  return (
    <div className="empty-canvas">
      <EmptyState icon={<Workflow aria-hidden size={20} />} title="This text cannot be drawn">
        {problem === undefined ? null : `Line ${problem.range.line}: ${problem.message}`}
      </EmptyState>
    </div>
  );
}

/** On a canvas without nodes: how to begin. */
export function FirstNode() {
  const editor = useEditor();
  const isAdding = useInteraction(({ quickAdd, hasPalette }) => quickAdd !== null || hasPalette);
  if (isAdding) return null;
  return (
    <div className="first-node">
      <EmptyState
        icon={<Workflow aria-hidden size={20} />}
        title="This flow has no nodes yet"
        actions={
          <Button variant="primary" onClick={() => openQuickAddByKey(editor.current)}>
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
