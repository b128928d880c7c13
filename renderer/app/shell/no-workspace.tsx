/**
 * The content of the window while no folder is open.
 */
import { FolderOpen, Workflow } from 'lucide-react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CommandButton } from '../commands/command-context.tsx';
import { text } from './text.ts';
import './no-workspace.css';

function RecentFolders() {
  const { workspace, main, notices } = useStores();
  const recent = useStore(workspace, ({ recentFolders }) => recentFolders);
  if (recent.length === 0) return null;
  const open = (path: string): void =>
    void main
      .call('workspace.open', { path })
      .catch((error: unknown) => notices.getState().addError(text.noWorkspace.openFolderFailed, error));
  return (
    <section className="recent-folders" aria-label={text.noWorkspace.recentFolders}>
      <h3>{text.noWorkspace.recent}</h3>
      <ul>
        {recent.map((path) => (
          <li key={path}>
            <button type="button" className="recent-folder" onClick={() => open(path)}>
              {fileNameOf(path)}
              <span>{path}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

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
