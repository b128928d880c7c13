/**
 * The message of a workspace without flows, or of one that cannot be read, with the available actions.
 */
import { FolderX, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorRecord } from '../../engine/isomorphic.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { text } from './text.ts';
import './no-flows.css';

interface NoFlowsProps {
  /** Absolute path of the workspace. */
  readonly folder: string;
  /** Buttons that create something, or open another folder. */
  readonly actions: ReactNode;
}

export function NoFlows({ folder, actions }: NoFlowsProps) {
  return (
    <EmptyState icon={<Workflow aria-hidden size={20} />} title={text.noFlows.title} actions={actions}>
      <p>
        {withParts(text.noFlows.note, {
          ending: <code>{'.flow.yaml'}</code>,
          folder: (
            <span data-selectable className="no-flows-folder">
              {folder}
            </span>
          ),
        })}
      </p>
    </EmptyState>
  );
}

/** Shown if the folder exists but cannot be read. `error`: the reason. */
export function UnreadableFolder({ folder, error, actions }: NoFlowsProps & { readonly error: ErrorRecord }) {
  return (
    <EmptyState icon={<FolderX aria-hidden size={20} />} title={text.noFlows.unreadable} actions={actions}>
      <p data-selectable>
        <span className="no-flows-folder">{folder}</span>: {error.message}
      </p>
    </EmptyState>
  );
}
