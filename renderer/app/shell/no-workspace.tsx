/**
 * The content of the window while no folder is open.
 */
import { FolderOpen, Workflow } from 'lucide-react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CommandButton } from '../commands/command-context.tsx';
import { RecentFolders } from './recent-folders.tsx';
import { text } from './text.ts';
import './no-workspace.css';

export function NoWorkspace() {
  const { workspace } = useStores();
  const problem = useStore(workspace, (state) => state.folderProblem);
  return (
    <main className="no-workspace">
      {problem === null ? null : <Banner tone="error">{problem}</Banner>}
      <div className="no-workspace-content">
        <EmptyState
          icon={<FolderOpen aria-hidden size={20} />}
          title={text.noWorkspace.title}
          actions={
            <>
              <CommandButton command="workspace.open" variant="primary" icon={<FolderOpen aria-hidden size={14} />} />
              <CommandButton command="workspace.openExamples" icon={<Workflow aria-hidden size={14} />} />
            </>
          }
        >
          {text.noWorkspace.about}
        </EmptyState>
        <RecentFolders />
      </div>
    </main>
  );
}
