/**
 * Messages on a canvas: the flow is empty, or its text cannot be read.
 */
import { Plus, TriangleAlert, Workflow } from 'lucide-react';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { type SettledFlow, useOpenFilePart } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { openQuickAddByKey } from '../edit/open-quick-add.ts';
import { useEditor } from '../state/canvas-editor.ts';
import { useInteraction } from '../state/interaction.ts';
import { text } from '../text.ts';
import './canvas-notices.css';

/** Shown instead of a canvas if the text has not been readable as a flow since it was opened. */
export function EmptyCanvas({ flow }: { readonly flow: SettledFlow }) {
  const { selection } = useStores();
  const isChecked = useOpenFilePart(flow.path, ({ isCheckStale }) => !isCheckStale) ?? true;
  const problem = flow.diagnostics.find(({ severity }) => severity === 'error');
  // A text that was just opened is checked after it is shown.
  if (problem === undefined && !isChecked) return null;
  const { line, column } = problem?.range ?? { line: 1, column: 1 };
  return (
    <div className="empty-canvas">
      <EmptyState
        icon={<TriangleAlert aria-hidden size={20} />}
        title={problem === undefined ? text.invalid.title : text.invalid.line({ line })}
        actions={
          <Button variant="primary" onClick={() => selection.getState().revealText(flow.path, { line, column })}>
            {text.invalid.goToLine({ line })}
          </Button>
        }
      >
        {problem?.message ?? text.invalid.noFlow}
      </EmptyState>
    </div>
  );
}

/** Shown on a canvas without nodes: how to start. */
export function FirstNode() {
  const editor = useEditor();
  const isAdding = useInteraction(({ quickAdd, hasPalette }) => quickAdd !== null || hasPalette);
  if (isAdding) return null;
  const isLane = isStepFlow(editor.current.doc);
  return (
    <div className="first-node">
      <EmptyState
        icon={<Workflow aria-hidden size={20} />}
        title={isLane ? text.empty.steps : text.empty.nodes}
        actions={
          <Button variant="primary" onClick={() => openQuickAddByKey(editor.current)}>
            <Plus aria-hidden size={14} />
            {isLane ? text.empty.addStep : text.empty.addNode}
          </Button>
        }
      >
        {isLane ? text.empty.stepHint : text.empty.nodeHint}
      </EmptyState>
    </div>
  );
}

/** Shown over a canvas while the text has a syntax error: what the canvas shows, what is wrong, and a link to it. */
export function StaleNote({ flow: { path, diagnostics } }: { readonly flow: SettledFlow }) {
  const { selection } = useStores();
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (problem === undefined) return null;
  const { line, column } = problem.range;
  return (
    <div className="stale-note nopan" role="status">
      <TriangleAlert aria-hidden size={14} />
      <span>
        <b>{text.invalid.stale}</b> {text.invalid.problem({ line, message: problem.message })}
      </span>
      <Button size="small" onClick={() => selection.getState().revealText(path, { line, column })}>
        {text.invalid.goToLine({ line })}
      </Button>
    </div>
  );
}
