/**
 * The progress of a plan: its parts with their states, and the alternatives that were considered.
 */
import type { PlanView, SubFlow } from '../../engine/isomorphic.ts';
import { StateIcon, type VisualState } from '../ui/state-icon.tsx';
import { text } from './text.ts';
import './plan-entry.css';

const partLooks: Readonly<Record<SubFlow['status'], VisualState>> = {
  pending: 'queued',
  in_progress: 'running',
  completed: 'completed',
  skipped: 'failed',
  pruned: 'skipped',
};

export function PlanEntry({ plan: { flowName, progress, subFlows, candidates } }: { readonly plan: PlanView }) {
  const { done, total } = progress;
  return (
    <div className="plan-entry">
      <p className="plan-progress">
        <progress value={done} max={Math.max(1, total)} aria-label={text.plan.progress({ name: flowName })} />
        {done}/{total}
      </p>
      <ol className="plan-parts" aria-label={text.plan.parts({ name: flowName })}>
        {subFlows.map(({ flowId, flowName: part, status }) => (
          <li key={flowId} data-status={status} title={text.plan.states[status]}>
            <StateIcon state={partLooks[status]} isDecorative />
            <span>{part}</span>
            <span className="visually-hidden">, {text.plan.states[status]}</span>
          </li>
        ))}
      </ol>
      {candidates.length === 0 ? null : (
        <details className="plan-ways">
          <summary>{text.plan.alternatives({ count: candidates.length })}</summary>
          <ol>
            {candidates.map(({ order, score, reason }) => (
              <li key={order.join(' ')}>
                <b>{score.toFixed(2)}</b> {order.join(' → ')}
                {reason === undefined || reason === '' ? null : <span className="stack-note-flow"> {reason}</span>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}
