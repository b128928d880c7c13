/**
 * The active flow as a tree. It shares the selection with the canvas and supports all canvas operations by keyboard.
 */
import {
  type DragEvent,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import {
  type Diagnostic,
  type FlowDoc,
  isLoop,
  isStepId,
  nodeIdPattern,
  reservedNodeIds,
  type TriggerDoc,
  typesOfFlow,
} from '../../engine/isomorphic.ts';
import { loopNesting } from '../stores/flow/loop-bodies.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { chooseDifferenceOf, decideByKey, reviewKeys } from '../stores/review/choose-difference.ts';
import { reviewedFlow, reviewedTriggers, selectedGhost } from '../stores/review/reviewed-flow.ts';
import { isBusy, isFailureTolerated } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useSelection, useSettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { useNodeTypes } from '../stores/use-node-types.ts';
import { useReview } from '../stores/use-review.ts';
import { initialFlowView } from '../stores/window/selection.ts';
import { withListedTriggers } from '../stores/workspace/triggers.ts';
import { ContextMenu } from '../ui/context-menu.tsx';
import { TreeView } from '../ui/tree-view.tsx';
import { dropMove, type TreeDrop } from './outline-moves.ts';
import { type NodeProblems, OutlineRowView } from './outline-row-view.tsx';
import { type OutlineRow, type OutlineTree, outlineTree } from './outline-rows.ts';
import { text } from './text.ts';
import './outline.css';

const OutlineTriggers = lazy(() =>
  import('./outline-triggers.tsx').then((loaded) => ({ default: loaded.OutlineTriggers })),
);

function countProblems(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, NodeProblems> {
  const counts = new Map<string, NodeProblems>();
  for (const { nodeId, severity } of diagnostics) {
    if (nodeId === undefined) continue;
    const { errors, warnings } = counts.get(nodeId) ?? noProblems;
    const isError = severity === 'error';
    counts.set(nodeId, { errors: errors + (isError ? 1 : 0), warnings: warnings + (isError ? 0 : 1) });
  }
  return counts;
}

const noProblems: NodeProblems = { errors: 0, warnings: 0 };
const noRows: readonly OutlineRow[] = [];
const noGhosts: ReadonlySet<string> = new Set();
const noTriggers: readonly TriggerDoc[] = [];
/** The attributes of a row whose node the text on screen does not have. */
const ghostRow = { 'data-ghost': true };

/** Returns the flow with the nodes that an open review may add or remove, and the selected one of them. */
function useReviewedFlow(path: string, flow: SettledFlow | undefined) {
  const review = useReview(path);
  const own = flow?.doc ?? null;
  const { doc, ghosts } =
    own === null || review === undefined ? { doc: own, ghosts: noGhosts } : reviewedFlow(own, review);
  const nesting = useMemo(() => (doc === null || ghosts.size === 0 ? undefined : loopNesting(doc)), [doc, ghosts]);
  const ghost = selectedGhost(review, ghosts);
  const entries = useStore(useStores().triggers, (state) => state.entries);
  const isOld = flow === undefined || flow.isOldVersion;
  const { triggers } =
    (own === null || isOld ? own : withListedTriggers(reviewedTriggers(own, review), path, entries))?.flow ?? {};
  return { isReviewed: review !== undefined, doc, triggers, ghosts, ghost, nesting: nesting ?? flow?.nesting };
}

/** Returns whether the run continues if the row's node fails. */
function isRowTolerated(doc: FlowDoc | null, { node, loopId }: OutlineRow): boolean {
  const loop = loopId === null ? undefined : doc?.nodes.find(({ id }) => id === loopId);
  return doc !== null && isFailureTolerated(doc, node, loop);
}

/** Returns the rows between two rows, including both. */
function between(rows: readonly OutlineRow[], from: string | null, to: string): string[] {
  const [a, b] = [rows.findIndex(({ id }) => id === from), rows.findIndex(({ id }) => id === to)];
  const [first, last] = a === -1 ? [b, b] : [Math.min(a, b), Math.max(a, b)];
  return rows.slice(first, last + 1).map(({ id }) => id);
}

interface OutlineProps {
  /** Path of an open flow. */
  readonly path: string;
  /** The node being renamed in place, or null. */
  readonly renaming: string | null;
  /** Called with null if the ID does not change. */
  readonly onRenamed: (id: string, to: string | null) => void;
  /** Called for Enter on a row. */
  readonly onInspect: () => void;
  /** Entries of the context menu, which applies to the selection. */
  readonly menu: ReactNode;
}

export function Outline({ path, renaming, onRenamed, onInspect, menu }: OutlineProps) {
  const stores = useStores();
  const { selection } = stores;
  const flow = useSettledFlow(path);
  const isRunBusy = useShownRunPart(path, isBusy) ?? false;
  const { nodeId, chosen } = useSelection(path);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const { isReviewed, doc, triggers, nesting, ghosts, ghost } = useReviewedFlow(path, flow);
  const former = useRef<OutlineTree>(null);
  const rows = useMemo(() => {
    const tree = doc === null || nesting === undefined ? null : outlineTree({ doc, nesting, folded }, former.current);
    former.current = tree;
    return tree?.rows ?? noRows;
  }, [doc, nesting, folded]);
  const catalog = typesOfFlow(doc, useNodeTypes());
  const diagnostics = flow?.diagnostics;
  const problems = useMemo(() => countProblems(diagnostics ?? []), [diagnostics]);

  const select = (id: string, event?: KeyboardEvent | MouseEvent): void => {
    const { choose, selectNode, views } = selection.getState();
    const now = (views.get(path) ?? initialFlowView).chosen.nodes;
    if (ghosts.has(id)) chooseDifferenceOf(stores, path, id);
    else if (event?.shiftKey === true)
      choose(path, { nodes: [...now, ...between(rows, nodeId, id).filter((one) => !ghosts.has(one))] }, id);
    else if (event === undefined || !(event.ctrlKey || event.metaKey)) selectNode(path, id);
    else choose(path, { nodes: now.has(id) ? [...now].filter((one) => one !== id) : [...now, id] });
  };
  const onKey = (row: OutlineRow, event: KeyboardEvent): boolean => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (decideByKey(stores, path, event)) return true;
    if (ctrlKey || metaKey || altKey) return false;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const next = rows[rows.indexOf(row) + step];
    if (shiftKey && step !== 0 && next !== undefined) select(next.id, event);
    else return false;
    return true;
  };
  const toggle = ({ id }: OutlineRow, isExpanded: boolean): void => {
    const next = new Set(folded);
    if (isExpanded) next.delete(id);
    else next.add(id);
    setFolded(next);
  };
  const rowProps = useRowDrag(path, renaming, chosen.nodes);
  const problemOf = (id: string): string | null => {
    const { nodeExists, stepExists, invalidStep, invalidNode, reserved } = text.rename;
    const isTaken = doc?.nodes.some((node) => node.id === id) === true;
    if (isStepFlow(doc)) return isTaken ? stepExists({ id }) : isStepId(id) ? null : invalidStep;
    if (isTaken) return nodeExists({ id });
    if (reservedNodeIds.has(id)) return reserved({ id });
    return nodeIdPattern.test(id) ? null : invalidNode;
  };
  return (
    <ContextMenu
      trigger={
        <div className="outline" data-outline data-busy={isRunBusy || undefined}>
          {triggers === undefined ? null : (
            <Suspense fallback={null}>
              <OutlineTriggers
                path={path}
                triggers={triggers}
                own={flow?.doc?.flow.triggers ?? noTriggers}
                chosen={chosen.triggers}
                mayEdit={flow?.readOnlyReason === null && !flow.isOldVersion}
                onInspect={onInspect}
              />
            </Suspense>
          )}
          <TreeView
            label={text.label}
            rows={rows}
            activeId={nodeId ?? ghost}
            namesRows={false}
            onActive={({ id }) => (ghosts.has(id) ? select(id) : selection.getState().selectNode(path, id))}
            isSelected={({ id }) => chosen.nodes.has(id) || id === ghost}
            isMultiple
            onOpen={({ id }, how, event) => (how === 'key' ? onInspect() : select(id, event))}
            onToggle={toggle}
            onKey={onKey}
            findsByLetters={false}
            keys="canvas"
            {...(isReviewed ? { ownKeys: reviewKeys } : {})}
            onContextMenu={(row) => {
              if (row !== null && !chosen.nodes.has(row.id)) select(row.id);
            }}
            rowProps={(row) => (ghosts.has(row.id) ? ghostRow : rowProps(row))}
            renderRow={(row) => (
              <OutlineRowView
                path={path}
                row={row}
                spec={catalog.get(row.node.type)}
                isTolerated={isRowTolerated(doc, row)}
                {...(problems.get(row.id) ?? noProblems)}
                renaming={row.id === renaming ? { problemOf, onRenamed } : null}
              />
            )}
          />
        </div>
      }
    >
      {menu}
    </ContextMenu>
  );
}

const dragType = 'application/x-millrace-node';

interface Dragged {
  readonly ids: ReadonlySet<string>;
  readonly drop: TreeDrop | null;
}

/** The middle of a loop's row means its body. Below an expanded row, the next position would be further down. */
function sideAt({ clientY, currentTarget }: DragEvent, { node, isExpanded }: OutlineRow): TreeDrop['side'] {
  const { top, height } = currentTarget.getBoundingClientRect();
  const part = (clientY - top) / height;
  const hasBody = isLoop(node.type);
  if (hasBody && part > 0.25 && (part < 0.75 || isExpanded === true)) return 'inside';
  return part < 0.5 || isExpanded === true ? 'before' : 'behind';
}

/**
 * @param renaming the node being renamed, which cannot be dragged
 * @param ids the selected nodes, which move together if one of them is dragged
 * @returns the props for the element of a row
 */
function useRowDrag(
  path: string,
  renaming: string | null,
  ids: ReadonlySet<string>,
): (row: OutlineRow) => Readonly<Record<string, unknown>> {
  const { edits, notices, openFiles, selection } = useStores();
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const moveTo = (drop: TreeDrop): ReturnType<typeof dropMove> => {
    const flow = openFiles.getState().files.get(path);
    if (dragged === null || flow?.doc == null || flow.readOnlyReason !== null) return null;
    return dropMove({ doc: flow.doc, nesting: flow.nesting }, dragged.ids, drop);
  };
  const letGo = async (drop: TreeDrop): Promise<void> => {
    const made = moveTo(drop);
    if (typeof made === 'string') notices.getState().add({ tone: 'info', title: text.notMoved, detail: made });
    else if (made !== null && (await edits.change(path, made.change))) {
      selection.getState().choose(path, { nodes: made.ids });
    }
  };
  return (row) => ({
    draggable: row.id !== renaming,
    'data-drop': dragged?.drop?.id === row.id ? dragged.drop.side : undefined,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(dragType, row.id);
      event.dataTransfer.effectAllowed = 'move';
      setDragged({ ids: ids.has(row.id) ? ids : new Set([row.id]), drop: null });
    },
    onDragOver: (event: DragEvent) => {
      const drop: TreeDrop = { id: row.id, side: sideAt(event, row) };
      if (dragged === null || moveTo(drop) === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      if (dragged.drop?.id !== drop.id || dragged.drop.side !== drop.side) setDragged({ ...dragged, drop });
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      // Moving from one part of the row to another does not leave it.
      if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
      setDragged((before) => (before?.drop?.id === row.id ? { ...before, drop: null } : before));
    },
    onDragEnd: () => setDragged(null),
    onDrop: (event: DragEvent) => {
      if (dragged === null) return;
      event.preventDefault();
      setDragged(null);
      void letGo({ id: row.id, side: sideAt(event, row) });
    },
  });
}
