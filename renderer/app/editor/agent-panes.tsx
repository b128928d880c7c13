/**
 * An agent to be written: its text below a line that says where in it the person is, and at the right what it would ask.
 */
import './agent-panes.css';
import type { ReactNode } from 'react';
import { AgentCrumbs } from '../../agent-editor/agent-crumbs.tsx';
import { PromptPreview } from '../../agent-editor/prompt-preview.tsx';
import type { OpenFile } from '../../stores/text/files.ts';
import { useSelection, useShownRunPart, useOpenFile } from '../../stores/use-flow.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { AgentOutlinePanel } from '../../agent-editor/agent-outline-panel.tsx';
import { fileNameOf } from '../../stores/workspace/workspace.ts';

/** @param children the text itself */
export function AgentText({ file, children }: { file: OpenFile; children: ReactNode }) {
  return (
    <div className="agent-text">
      <ErrorBoundary key={file.path} subject="The line above the text">
        <AgentCrumbs file={file} />
      </ErrorBoundary>
      <div className="agent-text-editor">{children}</div>
    </div>
  );
}

/** What the agent would ask; not while its run is looked at, which says what it has asked. */
export function AgentSide({ file }: { file: OpenFile }) {
  const { mode } = useSelection(file.path);
  const hasRun = useShownRunPart(file.path, () => true) ?? false;
  if (hasRun && mode !== 'text') return null;
  return (
    <aside className="inspector agent-side" aria-label="Rendered prompt">
      <ErrorBoundary key={file.path} subject="The preview">
        <PromptPreview key={file.path} file={file} />
      </ErrorBoundary>
    </aside>
  );
}

/**
 * The stages of the agent in front, below the files.
 */

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
