/**
 * The stages of the agent in front, below the files.
 */
import { AgentOutlinePanel } from '../../agent-editor/agent-outline-panel.tsx';
import { useOpenFile } from '../../stores/use-flow.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';

/** Nothing for files that are no agents. */
export function AgentOutlineSection({ path }: { path: string }) {
  const file = useOpenFile(path);
  if (file?.kind !== 'agent' || file.status !== 'ready') return null;
  return (
    <section className="outline-panel" aria-labelledby="outline-heading">
      <div className="side-heading">
        <h2 id="outline-heading" className="side-title side-file-title" title={path}>
          {fileNameOf(path)}
        </h2>
      </div>
      <ErrorBoundary key={path} subject="The outline">
        <AgentOutlinePanel file={file} />
      </ErrorBoundary>
    </section>
  );
}
