/**
 * What a suspended run asks, and the answers: one by one, or all at once.
 */
import { Hand } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { LiveRun } from '../stores/runs/live-runs.ts';
import { type WaitingNode, waitingNodes } from '../stores/runs/waiting-list.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { type Decision, DecisionForm } from '../ui/decision-form.tsx';
import { pluralText } from '../ui/quantity-text.ts';
import './waiting-panel.css';

/** Rows that are drawn; the others follow when these are answered. */
const mostRows = 20;

interface WaitingRowProps {
  readonly node: WaitingNode;
  readonly onShow: (nodeId: string) => void;
  readonly onDecide: (decision: Decision, comment: string) => Promise<void>;
}

function WaitingRow({ node, onShow, onDecide }: WaitingRowProps) {
  return (
    <li className="waiting-row">
      <div className="waiting-text" data-selectable>
        <button type="button" className="waiting-name" title="Show the node" onClick={() => onShow(node.nodeId)}>
          {node.name}
        </button>
        {node.message}
      </div>
      <DecisionForm subject={node.name} isDisabled={false} onDecide={onDecide} />
    </li>
  );
}

export function WaitingPanel({ flow, run }: { flow: SettledFlow; run: LiveRun }) {
  const { runs, selection } = useStores();
  const panel = useRef<HTMLElement>(null);
  const nodes = useMemo(() => waitingNodes(run.state, flow.doc), [run.state, flow.doc]);
  if (nodes.length === 0) return null;
  const decide = (nodeId?: string) => (decision: Decision, comment: string) => {
    // The row goes when the fact has come, and the keyboard must not go with it.
    panel.current?.focus();
    return runs.answer(run.runId, { decision, comment, ...(nodeId === undefined ? {} : { nodeId }) });
  };
  return (
    <section className="waiting-panel" aria-label="Waiting for you" tabIndex={-1} ref={panel}>
      <Hand aria-hidden className="waiting-icon" size={14} />
      <div className="waiting-body">
        {nodes.length > 1 ? (
          <div className="waiting-all">
            <b>{pluralText(nodes.length, 'node')} wait for you</b>
            <DecisionForm subject={`all ${nodes.length} nodes`} scope="all" isDisabled={false} onDecide={decide()} />
          </div>
        ) : null}
        <ul className="waiting-rows" aria-label="Nodes that wait">
          {nodes.slice(0, mostRows).map((node) => (
            <WaitingRow
              key={node.nodeId}
              node={node}
              onShow={(place) => selection.getState().selectPlace(flow.path, place)}
              onDecide={decide(node.nodeId)}
            />
          ))}
        </ul>
        {nodes.length > mostRows ? <p className="waiting-more">and {nodes.length - mostRows} more</p> : null}
      </div>
    </section>
  );
}
