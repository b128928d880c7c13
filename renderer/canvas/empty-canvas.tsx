import { Workflow } from 'lucide-react';
import type { OpenFlow } from '../stores/open-flows.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import './empty-canvas.css';

/** Said in place of a canvas when the text gives nothing to draw. */
export function EmptyCanvas({ flow }: { readonly flow: OpenFlow }) {
  const problem = flow.diagnostics.find(({ severity }) => severity === 'error');
  return (
    <div className="empty-canvas">
      <EmptyState
        icon={<Workflow aria-hidden size={20} />}
        title={problem === undefined ? 'This flow has no nodes yet' : 'This text cannot be drawn'}
      >
        {problem === undefined
          ? 'Add them under “nodes” in the file.'
          : `Line ${problem.range.line}: ${problem.message}`}
      </EmptyState>
    </div>
  );
}
