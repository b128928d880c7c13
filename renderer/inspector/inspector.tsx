/**
 * The panel beside the canvas: the selected node, or the flow as a whole.
 */
import { BoxSelect, Group as GroupIcon, SearchX, Spline, StickyNote } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import {
  type CompiledEdge,
  type ErrorRecord,
  type JsonValue,
  nameEdges,
  typesOfFlow,
  type WhenExpr,
} from '../../engine/isomorphic.ts';
import { continueOnErrorChanges } from '../stores/flow/branches.ts';
import type { RerunTarget } from '../stores/runs/plan-actions.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useNodePart, useSelection, useShownRunPart } from '../stores/use-flow.ts';
import { useNodeTypes } from '../stores/use-node-types.ts';
import { type Chosen, type FlowViewState, withoutDeletedElements } from '../stores/window/selection.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ConditionForm } from './configure-tab.tsx';
import { FieldRow } from './fields/field-row.tsx';
import { plainField } from './fields/form-fields.ts';
import type { ChangeValue } from './fields/form-scope.tsx';
import { Group, Rows } from './fields/setting-rows.tsx';
import { FlowFormScope, readOnlyReason } from './flow-form-scope.tsx';
import { FlowOverview } from './flow-overview.tsx';
import { RenameContext, useFollowedNode } from './node-identity.tsx';
import { NodeInspector } from './node-inspector.tsx';
import { nodeFacts, nodeInRun } from './run/node-facts.ts';
import { chosenText, SeveralNodes } from './several-nodes.tsx';
import { text } from './text.ts';
import './inspector.css';

/** Loaded with the first trigger, because most flows have none. */
const TriggerInspector = lazy(() =>
  import('./triggers/trigger-inspector.tsx').then((loaded) => ({ default: loaded.TriggerInspector })),
);

interface InspectorProps {
  readonly flow: SettledFlow;
  /** Actions for the selected node. */
  readonly nodeActions?: ReactNode;
  /** Shown below the flow if no node is selected: actions that continue from here. */
  readonly nextSteps?: ReactNode;
  /** The events around an earlier moment that is on screen. */
  readonly aroundMoment?: ReactNode;
  /** Renders help for an error of a node. */
  readonly errorHelp?: ((error: ErrorRecord) => ReactNode) | undefined;
  /** The selected node in two runs that are compared, or null. */
  readonly compared?: ReactNode;
  /** Shows what a rerun would do, and starts it if the user agrees. Undefined if no run can be repeated here. */
  readonly onRerun?: (target: RerunTarget) => void;
}

function SelectedNode({
  flow,
  nodeId,
  nodeActions,
  errorHelp,
  aroundMoment,
  compared = null,
  onRerun,
}: InspectorProps & { readonly nodeId: string }) {
  const place = useNodePart(flow.path, nodeId, (_, shownPlace) => shownPlace) ?? nodeId;
  const inRun = useShownRunPart(
    flow.path,
    useShallow((run) => nodeInRun(run, flow, place)),
  );
  const facts = nodeFacts(flow, nodeId, { inRun, types: typesOfFlow(flow.doc, useNodeTypes()) });
  if (facts === undefined) {
    return (
      <EmptyState icon={<SearchX aria-hidden size={20} />} title={text.node.unknown({ name: nodeId })}>
        {text.node.unknownNote}
      </EmptyState>
    );
  }
  return (
    <NodeInspector
      flow={flow}
      place={place}
      facts={facts}
      actions={nodeActions}
      errorHelp={errorHelp}
      aroundMoment={aroundMoment}
      compared={compared}
      onRerun={onRerun}
    />
  );
}

function FollowedNode({ nodeId, ...props }: InspectorProps & { readonly nodeId: string }) {
  const { flow } = props;
  const followed = useFollowedNode(nodeId, flow.doc);
  return (
    <RenameContext value={followed.onRename}>
      <SelectedNode key={followed.key} {...props} nodeId={followed.nodeId} />
    </RenameContext>
  );
}

/** Returns the only selected element if it is not a node. */
function onlyOf(chosen: Chosen): readonly ['edges' | 'notes' | 'groups' | 'triggers', string] | undefined {
  const { nodes, edges, notes, groups, triggers } = chosen;
  const all = [
    ...[...edges].map((id) => ['edges', id] as const),
    ...[...notes].map((id) => ['notes', id] as const),
    ...[...groups].map((id) => ['groups', id] as const),
    ...[...triggers].map((id) => ['triggers', id] as const),
  ];
  return nodes.size === 0 && all.length === 1 ? all[0] : undefined;
}

/**
 * Returns the selection from before the drag while one is in progress: rendering another form would delay its first
 * steps.
 */
function useSelectionAtRest(path: string): FlowViewState {
  const isDragging = useStore(useStores().canvases, (canvases) => canvases.isDragging);
  const now = useSelection(path);
  const atRest = useRef(now);
  useEffect(() => {
    if (!isDragging) atRest.current = now;
  }, [isDragging, now]);
  return isDragging ? atRest.current : now;
}

export function Inspector({ flow, nextSteps, ...ofNode }: InspectorProps) {
  const { nodeId: primary, chosen: wished } = useSelectionAtRest(flow.path);
  // An undo may have removed some of the selected elements.
  const chosen = flow.doc === null ? wished : withoutDeletedElements(flow.doc, wished);
  const [nodeId = primary] = wished.nodes.size > 1 && chosen.nodes.size === 1 ? chosen.nodes : [];
  const only = onlyOf(chosen);
  const count = Object.values(chosen).reduce((sum: number, part: ReadonlySet<string>) => sum + part.size, 0);
  if (only !== undefined) {
    const [part, id] = only;
    if (part === 'edges') return <EdgeInspector flow={flow} edgeId={id} />;
    if (part === 'triggers') {
      return (
        <Suspense fallback={null}>
          <TriggerInspector flow={flow} id={id} />
        </Suspense>
      );
    }
    return <LayoutInspector key={id} flow={flow} part={part} id={id} />;
  }
  if (chosen.nodes.size > 1) return <SeveralNodes flow={flow} chosen={chosen} />;
  if (count > 1) return <SeveralChosen chosen={chosen} />;
  if (nodeId === null) return <FlowOverview flow={flow} nextSteps={nextSteps} />;
  return <FollowedNode flow={flow} nodeId={nodeId} {...ofNode} />;
}

/** Shown if several elements are selected, with the actions for all of them. */
function SeveralChosen({ chosen }: { chosen: Chosen }) {
  return (
    <EmptyState icon={<BoxSelect aria-hidden size={20} />} title={chosenText(chosen)}>
      {text.several.actions}
    </EmptyState>
  );
}

const colors = ['grey', 'blue', 'green', 'amber', 'red', 'violet'];
const colorFields = {
  notes: plainField('color', 'enum', { label: text.layout.color, options: colors, default: 'amber' }),
  groups: plainField('color', 'enum', { label: text.layout.color, options: colors, default: 'grey' }),
} as const;
const noteField = plainField('text', 'long-text', { label: text.layout.text, isRequired: true });
const titleField = plainField('title', 'text', { label: text.layout.title, isRequired: true });

interface LayoutInspectorProps {
  readonly flow: SettledFlow;
  readonly part: 'notes' | 'groups';
  readonly id: string;
}

function LayoutInspector({ flow, part, id }: LayoutInspectorProps) {
  const { edits } = useStores();
  const { doc, path } = flow;
  const note = part === 'notes' ? doc?.layout?.notes?.[id] : undefined;
  const group = part === 'groups' ? doc?.layout?.groups?.[id] : undefined;
  const reason = readOnlyReason(flow);
  const changeOf =
    (key: string): ChangeValue =>
    (value: JsonValue | undefined, mergeKey) =>
      edits.change(path, { do: 'set-layout', path: [part, id, key], value }, mergeKey);
  return (
    <FlowFormScope flow={flow} nodeId={null}>
      <header className="inspector-top">
        <div className="inspector-title">
          {part === 'notes' ? <StickyNote aria-hidden size={18} /> : <GroupIcon aria-hidden size={18} />}
          <h2 className="inspector-name">
            {group?.title ?? (part === 'notes' ? text.layout.note : text.layout.group)}
          </h2>
        </div>
        <div className="inspector-crumb">
          {group === undefined ? text.layout.canvasOnly : text.layout.nodes({ count: group.nodes.length })}
        </div>
      </header>
      <div className="inspector-scroll">
        <div className="inspector-body form-fields">
          {reason === null ? null : <p className="inspector-note">{reason}</p>}
          {note === undefined ? null : <FieldRow field={noteField} value={note.text} onChange={changeOf('text')} />}
          {group === undefined ? null : (
            <FieldRow field={titleField} value={group.title} onChange={changeOf('title')} />
          )}
          <FieldRow field={colorFields[part]} value={(note ?? group)?.color} onChange={changeOf('color')} />
        </div>
      </div>
    </FlowFormScope>
  );
}

interface DeadEndProps {
  readonly flow: SettledFlow;
  readonly edge: CompiledEdge;
  readonly isReadOnly: boolean;
}

/** For a failure edge of a node that ends the run when it fails: explains this, and offers a fix. */
function DeadEnd({ flow: { doc, path }, edge, isReadOnly }: DeadEndProps) {
  const { edits } = useStores();
  const [change] = doc === null ? [] : continueOnErrorChanges(doc, [edge]);
  if (change === undefined) return null;
  return (
    <div className="inspector-note">
      <p>{text.edge.neverTaken({ name: edge.from })}</p>
      <Button size="small" disabled={isReadOnly} onClick={() => void edits.change(path, change)}>
        {text.edge.continueOnError({ name: edge.from })}
      </Button>
    </div>
  );
}

/** The selected edge: what it connects, and when it fires. */
function EdgeInspector({ flow, edgeId }: { flow: SettledFlow; edgeId: string }) {
  const { edits, selection } = useStores();
  const { doc, path } = flow;
  const edge = doc === null ? undefined : nameEdges(doc.edges).find(({ id }) => id === edgeId);
  const reason = readOnlyReason(flow);
  if (edge === undefined) {
    return (
      <EmptyState icon={<Spline aria-hidden size={20} />} title={text.edge.unknown({ name: edgeId })}>
        {text.edge.unknownNote}
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
        <div className="inspector-crumb">{text.edge.edge}</div>
      </header>
      <div className="inspector-scroll">
        <div className="inspector-body">
          {reason === null ? null : <p className="inspector-note">{reason}</p>}
          <Rows
            rows={[
              [text.edge.from, edge.from],
              [text.edge.to, edge.to],
            ]}
          />
          <DeadEnd flow={flow} edge={edge} isReadOnly={reason !== null} />
          <Group title={text.edge.firesWhen}>
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
                {text.edge.delete}
              </Button>
            </div>
          ) : null}
        </div>
      </div>
    </FlowFormScope>
  );
}
