/**
 * Shown if the folder of a window exists but cannot be read.
 */
import { FolderX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorRecord } from '../../engine/isomorphic.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { text } from './text.ts';
import './unreadable-folder.css';

interface UnreadableFolderProps {
  /** Absolute path of the workspace. */
  readonly folder: string;
  /** The reason. */
  readonly error: ErrorRecord;
  /** Buttons that try again, or open another folder. */
  readonly actions: ReactNode;
}

export function UnreadableFolder({ folder, error, actions }: UnreadableFolderProps) {
  return (
    <EmptyState icon={<FolderX aria-hidden size={20} />} title={text.unreadableFolder} actions={actions}>
      <p data-selectable>
        <span className="unreadable-folder">{folder}</span>: {error.message}
      </p>
    </EmptyState>
  );
}
