/**
 * The problems in the text on screen. Selecting a problem shows its position.
 */
import { CircleCheck, CircleX, Info, Sparkles, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Diagnostic } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { moveRovingFocus, rovingItem } from '../ui/roving-focus.ts';
import { text } from './text.ts';
import './problems-view.css';

const severityIcons = { error: CircleX, warning: TriangleAlert, info: Info } as const;
/** Maximum number of problems to render. With more than this, the first ones have to be fixed anyway. */
const mostProblems = 500;

interface ProblemProps {
  readonly problem: Diagnostic;
  readonly index: number;
  readonly path: string;
  /** Whether the assistant can be asked to fix it. */
  readonly canFix: boolean;
}

function Problem({ problem, index, path, canFix }: ProblemProps) {
  const { selection, assistant } = useStores();
  const { severity, message, code, range, nodeId } = problem;
  // Only the row with the focus has a second tab stop.
  const [hasFocus, setHasFocus] = useState(false);
  const Icon = severityIcons[severity];
  const show = (): void => {
    if (nodeId !== undefined) selection.getState().selectNode(path, nodeId);
    selection.getState().revealText(path, { line: range.line, column: range.column });
  };
  return (
    <li className="problem-row" onFocus={() => setHasFocus(true)} onBlur={() => setHasFocus(false)}>
      <button type="button" className="problem" data-severity={severity} onClick={show} {...rovingItem(index === 0)}>
        <Icon role="img" aria-label={text.dock.severities[severity]} className="problem-icon" size={14} />
        <span className="problem-message" data-selectable>
          {message}
        </span>
        <span className="problem-code">{code}</span>
        <span className="problem-place">
          {range.line}:{range.column}
        </span>
      </button>
      {canFix ? (
        <IconButton
          className="problem-fix"
          label={text.dock.fix}
          tabIndex={hasFocus ? 0 : -1}
          onClick={() => {
            if (nodeId !== undefined) selection.getState().selectNode(path, nodeId);
            assistant.getState().suggestFix(path, { need: 'problem', line: range.line, code });
          }}
        >
          <Sparkles aria-hidden size={14} />
        </IconButton>
      ) : null}
    </li>
  );
}

export function ProblemsView({ flow }: { flow: SettledFlow }) {
  const { diagnostics, path } = flow;
  const isRemote = useStore(useStores().workspace, ({ remote }) => remote !== null);
  const canFix = flow.kind === 'flow' && flow.readOnlyReason === null && !isRemote;
  if (diagnostics.length === 0) {
    return (
      <EmptyState icon={<CircleCheck aria-hidden size={20} />} title={text.dock.noProblems}>
        {text.dock.noProblemsIn({ path })}
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="problems" aria-label={text.dock.problems} onKeyDown={moveRovingFocus}>
        {diagnostics.slice(0, mostProblems).map((problem, index) => (
          <Problem
            key={`${problem.range.line}:${problem.range.column} ${problem.code} ${problem.message}`}
            problem={problem}
            index={index}
            path={path}
            canFix={canFix && problem.severity !== 'info'}
          />
        ))}
      </ul>
      {diagnostics.length > mostProblems ? (
        <p className="problems-more">{text.dock.moreProblems({ count: diagnostics.length - mostProblems })}</p>
      ) : null}
    </>
  );
}
