import { Workflow } from 'lucide-react';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import './empty-canvas.css';

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
