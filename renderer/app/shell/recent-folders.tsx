/**
 * The folders that were opened before, each as a button that opens it.
 */
import { Folder } from 'lucide-react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { text } from './text.ts';
import './recent-folders.css';

/** Renders nothing if there are none besides the open folder. */
export function RecentFolders() {
  const { workspace, main, notices } = useStores();
  const folder = useStore(workspace, (state) => state.folder);
  const recent = useStore(workspace, ({ recentFolders }) => recentFolders).filter((path) => path !== folder);
  if (recent.length === 0) return null;
  const open = (path: string): void =>
    void main
      .call('workspace.open', { path })
      .catch((error: unknown) => notices.getState().addError(text.noWorkspace.openFolderFailed, error));
  return (
    <section className="recent-folders" aria-label={text.noWorkspace.recentFolders}>
      <h3>{text.noWorkspace.recentFolders}</h3>
      <ul>
        {recent.map((path) => (
          <li key={path}>
            <button type="button" className="recent-folder" title={path} onClick={() => open(path)}>
              <Folder aria-hidden size={14} />
              <b>{fileNameOf(path)}</b>
              <span>
                <bdi>{path}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
