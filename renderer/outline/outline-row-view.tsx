/**
 * One row of the outline.
 */
import { CircleX, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import type { NodeTypeSpec } from '../../engine/isomorphic.ts';
import { BreakpointDot } from '../card/breakpoint-dot.tsx';
import { breakpointText } from '../stores/runs/breakpoints.ts';
import { shownStateOf } from '../stores/runs/shown-run.ts';
import { useBreakpoint, useNodePart, useShownItems } from '../stores/use-flow.ts';
import { useReviewMark } from '../stores/use-review.ts';
import { NameField } from '../ui/name-field.tsx';
import { NodeTile } from '../ui/node-tile.tsx';
import { StateIcon, type VisualState, visualStateLabels } from '../ui/state-icon.tsx';
import type { OutlineRow } from './outline-rows.ts';
import { text } from './text.ts';

export interface NodeProblems {
  readonly errors: number;
  readonly warnings: number;
}

interface OutlineRowViewProps {
  readonly path: string;
  readonly row: OutlineRow;
  readonly spec: NodeTypeSpec | undefined;
  /** Whether the run continues if the node fails. */
  readonly isTolerated: boolean;
  readonly errors: number;
  readonly warnings: number;
  /** Set while the node is renamed in place. */
  readonly renaming: OutlineRenameHandlers | null;
}

interface OutlineRenameHandlers {
  readonly problemOf: (id: string) => string | null;
  readonly onRenamed: (id: string, to: string | null) => void;
}

/** Returns the state of the node in the shown run, or else in the file. */
function useRowState(path: string, { node }: OutlineRow, isTolerated: boolean): VisualState {
  const inRun = useNodePart(path, node.id, (run, place) => shownStateOf(run, { nodeId: node.id, place, isTolerated }));
  const items = useShownItems(path, node.id, isTolerated);
  return items?.state ?? inRun ?? (node.disabled === true ? 'disabled' : 'idle');
}

/** Returns the screen reader text after the name. */
function wordsOf(
  { node, route, loopId, position, size }: OutlineRow,
  state: VisualState,
  { errors, warnings }: NodeProblems,
): string {
  const parts = [
    node.name === undefined ? '' : node.id,
    node.type,
    state === 'idle' ? '' : visualStateLabels[state],
    errors === 0 ? '' : text.row.errors({ count: errors }),
    warnings === 0 ? '' : text.row.warnings({ count: warnings }),
    route === '' ? '' : text.row.branch({ name: route }),
    loopId === null ? '' : text.row.position({ position, size, loop: loopId }),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Memoized. Its props must not change with every keystroke, or all visible rows would render again. */
export const OutlineRowView = memo(function OutlineRowView(props: OutlineRowViewProps) {
  const { path, row, spec, isTolerated, errors, warnings, renaming } = props;
  const { node, route } = row;
  const state = useRowState(path, row, isTolerated);
  const review = useReviewMark(path, 'nodes', node.id);
  const breakpoint = useBreakpoint(path, node.id);
  const mark = review?.verdict === 'rejected' ? undefined : review?.kind;
  return (
    <>
      <NodeTile category={spec?.category ?? 'flow'} icon={spec?.icon ?? 'unknown'} size="small" />
      {renaming === null ? (
        <span className="tree-name" data-disabled={node.disabled === true || undefined} title={node.id}>
          {row.label}
        </span>
      ) : (
        <NameField
          label={text.rename.label({ id: node.id })}
          value={node.id}
          problemOf={renaming.problemOf}
          onDone={(to) => renaming.onRenamed(node.id, to)}
        />
      )}
      <span className="visually-hidden">
        , {wordsOf(row, state, { errors, warnings })}
        {breakpoint === undefined ? '' : `, ${breakpointText(breakpoint)}`}
        {mark === undefined ? '' : `, ${text.marks[mark].spoken}`}
      </span>
      {errors > 0 ? (
        <CircleX aria-hidden className="outline-error" size={13} />
      ) : warnings > 0 ? (
        <TriangleAlert aria-hidden className="outline-warning" size={13} />
      ) : null}
      {route === '' ? null : (
        <span aria-hidden className="tree-detail">
          {route}
        </span>
      )}
      {mark === undefined ? null : (
        <span aria-hidden className="outline-mark" data-mark={mark}>
          {text.marks[mark].sign}
        </span>
      )}
      {breakpoint === undefined ? null : <BreakpointDot breakpoint={breakpoint} />}
      <StateIcon state={state} size={13} isDecorative />
    </>
  );
});
