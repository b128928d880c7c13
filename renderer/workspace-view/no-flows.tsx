/**
 * What a workspace says that has no flows, or that cannot be read, and how to go on.
 */
import { FolderX, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorRecord } from '../../engine/isomorphic.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import './no-flows.css';

interface NoFlowsProps {
  /** The workspace, absolute. */
  readonly folder: string;
  /** Buttons that make something new, or open another folder. */
  readonly actions: ReactNode;
}

export function NoFlows({ folder, actions }: NoFlowsProps) {
  return (
    <EmptyState icon={<Workflow aria-hidden size={20} />} title="No flows here yet" actions={actions}>
      <p>
        A flow is a text file that ends in <code>.flow.yaml</code>: nodes, and edges between them. One that is made here
        or put into{' '}
        <span data-selectable className="no-flows-folder">
          {folder}
        </span>{' '}
        or a folder below appears at once.
      </p>
    </EmptyState>
  );
}

/** The folder is there, and the system or something in it keeps it from being read. `error`: what was in the way. */
export function UnreadableFolder({ folder, error, actions }: NoFlowsProps & { readonly error: ErrorRecord }) {
  return (
    <EmptyState icon={<FolderX aria-hidden size={20} />} title="This folder cannot be read" actions={actions}>
      <p data-selectable>
        <span className="no-flows-folder">{folder}</span>: {error.message}
      </p>
    </EmptyState>
  );
}
