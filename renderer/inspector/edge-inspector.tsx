/**
 * The selected edge: what it connects, and when it fires.
 */
import { Spline } from 'lucide-react';
import { type JsonValue, nameEdges, type WhenExpr } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ConditionForm } from './configure-tab.tsx';
import { FlowFormScope, readOnlyReason } from './flow-form-scope.tsx';

import { Group, Rows } from './setting-rows.tsx';

export function EdgeInspector({ flow, edgeId }: { flow: SettledFlow; edgeId: string }) {
  const { edits, selection } = useStores();
  const { doc, path } = flow;
  const edge = doc === null ? undefined : nameEdges(doc.edges).find(({ id }) => id === edgeId);
  const reason = readOnlyReason(flow);
  if (edge === undefined) {
    return (
      <EmptyState icon={<Spline aria-hidden size={20} />} title={`No edge ${edgeId}`}>
        The text on screen has no edge of this name any more. Select another one on the canvas.
      </EmptyState>
    );
  }
  return (
    <FlowFormScope flow={flow} nodeId={null} edgeFrom={edge.from}>
      <header className="inspector-top">
        <div className="inspector-title">
          <Spline aria-hidden size={18} />
          <h2 className="inspector-name">
            {edge.from} → {edge.to}
          </h2>
        </div>
        <div className="inspector-crumb">edge</div>
      </header>
      <div className="inspector-scroll">
        <div className="inspector-body">
          {reason === null ? null : <p className="inspector-note">{reason}</p>}
          <Rows
            rows={[
              ['From', edge.from],
              ['To', edge.to],
            ]}
          />
          <Group title="Fires when">
            <ConditionForm
              key={edgeId}
              value={edge.when as JsonValue | undefined}
              onChange={(value, mergeKey) =>
                edits.change(
                  path,
                  { do: 'set-edge', edge: edgeId, change: { when: (value ?? null) as unknown as WhenExpr | null } },
                  mergeKey,
                )
              }
            />
          </Group>
          {reason === null ? (
            <div>
              <Button
                variant="danger"
                onClick={() => {
                  selection.getState().selectNode(path, null);
                  void edits.change(path, { do: 'remove', nodes: [], edges: [edgeId] });
                }}
              >
                Delete the edge
              </Button>
            </div>
          ) : null}
        </div>
      </div>
    </FlowFormScope>
  );
}
