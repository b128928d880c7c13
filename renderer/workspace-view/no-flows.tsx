/**
 * What a workspace without flows says: where a flow goes, and one to begin with.
 */
import { Workflow } from 'lucide-react';
import { CopyButton } from '../ui/copy-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { smallestFlow } from './smallest-flow.ts';
import './no-flows.css';

export function NoFlows({ folder }: { folder: string }) {
  return (
    <EmptyState icon={<Workflow aria-hidden size={20} />} title="No flows here yet">
      <p>
        A flow is a text file that ends in <code>.flow.yaml</code>. Save this one as <code>hello.flow.yaml</code> in{' '}
        <span data-selectable className="no-flows-folder">
          {folder}
        </span>{' '}
        or a folder below, and it appears here at once.
      </p>
      <div className="no-flows-example">
        <pre>{smallestFlow}</pre>
        <CopyButton label="Copy the example" text={() => smallestFlow} />
      </div>
    </EmptyState>
  );
}
