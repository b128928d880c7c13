/**
 * One node in the outline.
 */
import { CircleX, TriangleAlert } from 'lucide-react';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { isFailureTolerated, shownNodeState } from '../stores/runs/shown-run.ts';
import { useNodePart, useSettledFlow } from '../stores/use-flow.ts';
import { NameField } from '../ui/name-field.tsx';
import { NodeTile } from '../ui/node-tile.tsx';
import { pluralText } from '../ui/quantity-text.ts';
import { StateIcon, stateWords, type VisualState } from '../ui/state-icon.tsx';
import type { OutlineRow } from './outline-rows.ts';

export interface NodeProblems {
  readonly errors: number;
  readonly warnings: number;
}

export interface OutlineRowViewProps {
  readonly path: string;
  readonly row: OutlineRow;
  readonly problems: NodeProblems | undefined;
  readonly isRenamed: boolean;
  readonly problemOf: (id: string) => string | null;
  readonly onRenamed: (id: string, to: string | null) => void;
}

/** How the node is in the run that is shown, else in the file. */
function useRowState(path: string, { node, loopId }: OutlineRow): VisualState {
  const doc = useSettledFlow(path)?.doc ?? null;
  const loop = loopId === null ? undefined : doc?.nodes.find(({ id }) => id === loopId);
  const isTolerated = doc !== null && isFailureTolerated(doc, node, loop);
  const inRun = useNodePart(path, node.id, (run, place) =>
    shownNodeState(run, run.state.nodes.get(place), isTolerated),
  );
  return inRun ?? (node.disabled === true ? 'disabled' : 'idle');
}

/** What a screen reader says behind the name. */
function wordsOf(
  { node, route, loopId, position, size }: OutlineRow,
  state: VisualState,
  problems?: NodeProblems,
): string {
  const parts = [
    node.name === undefined ? '' : node.id,
    node.type,
    state === 'idle' ? '' : stateWords[state],
    problems === undefined || problems.errors === 0 ? '' : pluralText(problems.errors, 'error'),
    problems === undefined || problems.warnings === 0 ? '' : pluralText(problems.warnings, 'warning'),
    route === '' ? '' : `when ${route}`,
    loopId === null ? '' : `${position} of ${size} in ${loopId}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

export function OutlineRowView({ path, row, problems, isRenamed, problemOf, onRenamed }: OutlineRowViewProps) {
  const { node, route } = row;
  const state = useRowState(path, row);
  const spec = nodeTypes.get(node.type);
  const hasErrors = (problems?.errors ?? 0) > 0;
  return (
    <>
      <NodeTile category={spec?.category ?? 'flow'} icon={spec?.icon ?? 'unknown'} size="small" />
      {isRenamed ? (
        <NameField
          label={`New id of ${node.id}`}
          value={node.id}
          problemOf={problemOf}
          onDone={(to) => onRenamed(node.id, to)}
        />
      ) : (
        <span className="tree-name" data-disabled={node.disabled === true || undefined} title={node.id}>
          {row.label}
        </span>
      )}
      <span className="visually-hidden">, {wordsOf(row, state, problems)}</span>
      {problems === undefined ? null : hasErrors ? (
        <CircleX aria-hidden className="outline-error" size={13} />
      ) : (
        <TriangleAlert aria-hidden className="outline-warning" size={13} />
      )}
      {route === '' ? null : (
        <span aria-hidden className="tree-detail">
          {route}
        </span>
      )}
      <StateIcon state={state} size={13} isDecorative />
    </>
  );
}
