/**
 * The panes of an agent: its text with breadcrumbs for the cursor, a preview of its prompt, and its outline.
 */
import type { ReactNode } from 'react';
import { AgentCrumbs } from '../../agent-editor/agent-crumbs.tsx';
import { AgentOutlinePanel } from '../../agent-editor/agent-outline-panel.tsx';
import { PromptPreview } from '../../agent-editor/prompt-preview.tsx';
import type { OpenFile } from '../../stores/text/file.ts';
import { useOpenFile, useSelection, useShownRunPart } from '../../stores/use-flow.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import './agent-panes.css';
import { text } from './text.ts';

/** @param children the text editor */
export function AgentText({ file, children }: { file: OpenFile; children: ReactNode }) {
  return (
    <div className="agent-text">
      <ErrorBoundary key={file.path} subject={text.panes.breadcrumbs}>
        <AgentCrumbs file={file} />
      </ErrorBoundary>
      <div className="agent-text-editor">{children}</div>
    </div>
  );
}

/** The preview of the agent's prompt. Hidden while its run is shown, because the run has the actual prompt. */
export function AgentSide({ file }: { file: OpenFile }) {
  const { mode } = useSelection(file.path);
  const hasRun = useShownRunPart(file.path, () => true) ?? false;
  if (hasRun && mode !== 'text') return null;
  return (
    <aside className="inspector agent-side" aria-label={text.labels.renderedPrompt}>
      <ErrorBoundary key={file.path} subject={text.panes.preview}>
        <PromptPreview key={file.path} file={file} />
      </ErrorBoundary>
    </aside>
  );
}

/** The stages of the active agent, in the side panel. Renders nothing for files that are not agents. */
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
      <ErrorBoundary key={path} subject={text.panes.outline}>
        <AgentOutlinePanel file={file} />
      </ErrorBoundary>
    </section>
  );
}
