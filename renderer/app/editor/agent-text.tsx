/**
 * An agent to be written: its text below a line that says where in it the person is, and at the right what it would ask.
 */
import type { ReactNode } from 'react';
import { AgentCrumbs } from '../../agent-editor/agent-crumbs.tsx';
import { PromptPreview } from '../../agent-editor/prompt-preview.tsx';
import type { OpenFile } from '../../stores/text/files.ts';
import { useSelection, useShownRunPart } from '../../stores/use-flow.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import './agent-text.css';

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
