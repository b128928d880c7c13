/**
 * The card of a loop, which is the header of its container. `FrameLayer` draws the rest of the container behind the
 * body.
 */
import { use } from 'react';
import { itemText } from '../stores/flow/node-places.ts';
import { breakpointText } from '../stores/runs/breakpoints.ts';
import { countAtWork, countDone } from '../stores/runs/live/loop-progress.ts';
import { shownStateOf } from '../stores/runs/shown-run.ts';
import { useNodeChecks } from '../stores/use-case.ts';
import { useBreakpoint, useIsPinned, useNodePart, useNodeState } from '../stores/use-flow.ts';
import { useLoop } from '../stores/use-run.ts';
import { tileColor } from '../ui/node-tile.tsx';
import { BreakpointDot } from './breakpoint-dot.tsx';
import type { CardContent } from './card-content.ts';
import { FlowPath } from './card-context.ts';
import { CardHeader } from './card-header.tsx';
import { CardPorts } from './card-ports-view.tsx';
import { type CardState, cardLabel, cardState, withChecks, withPin } from './card-state.ts';
import { CaseMark } from './case-mark.tsx';
import { NextMark } from './next-mark.tsx';
import { WhatIfMark } from './what-if-mark.tsx';
import './loop-card.css';

interface LoopCardProps {
  readonly content: CardContent;
  readonly isSelected: boolean;
  /** Height of the container. */
  readonly outerHeight: number;
}

export function LoopCard({ content, isSelected, outerHeight }: LoopCardProps) {
  const path = use(FlowPath);
  const checks = useNodeChecks(path, content.nodeId);
  const shown = withChecks(useLoopShown(path, content).shown, checks);
  const held = useNodePart(path, content.nodeId, ({ whatIf }) => whatIf?.marks.get(content.nodeId));
  const breakpoint = useBreakpoint(path, content.nodeId);
  return (
    // biome-ignore lint/a11y/useSemanticElements: like the other cards, whose parts are not allowed in a <button>
    <div
      className="node-card loop-card"
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      aria-label={cardLabel(content, shown)}
      aria-description={[content.restWords, ...(breakpoint ? [breakpointText(breakpoint)] : [])].join('; ')}
      data-card={content.nodeId}
      data-state={shown.state}
      data-pinned={shown.pin !== ''}
      data-start={content.isStart}
      style={{ '--tile-color': tileColor(content.category) }}
    >
      <CardPorts content={content} outerHeight={outerHeight} />
      <CardHeader content={content} shown={shown} startedAt={undefined} waitsSince={undefined} />
      <WhatIfMark mark={held} />
      {checks === undefined ? null : <CaseMark covered={checks.covered} />}
      {breakpoint === undefined ? null : <BreakpointDot breakpoint={breakpoint} />}
      {shown.state === 'paused' ? <NextMark path={path} nodeId={content.nodeId} /> : null}
    </div>
  );
}

/** The fractions of a loop's items that are done and in progress. */
interface LoopShare {
  readonly done: number;
  readonly atWork: number;
}

/** Returns a loop's state. `share` is null until the number of items is known. */
export function useLoopShown(
  path: string,
  content: CardContent,
): { readonly shown: CardState; readonly share: LoopShare | null } {
  const { nodeId, isTolerated, bodySize } = content;
  const node = useNodeState(path, nodeId);
  const state = useNodePart(path, nodeId, (run, place) => shownStateOf(run, { nodeId, place, isTolerated }));
  const stale = useNodePart(path, nodeId, (run) => run.stale.get(nodeId)) ?? null;
  const place = useNodePart(path, nodeId, (_, shownPlace) => shownPlace) ?? nodeId;
  const tally = useLoop(path, place);
  const item = useNodePart(path, nodeId, ({ state }) => itemText(place, state.tallies.loops)) ?? '';
  const progress =
    tally === undefined
      ? null
      : {
          done: countDone(tally, bodySize ?? 0),
          total: tally.total,
          passes: tally.mostPasses === null ? null : { begun: tally.items.size, most: tally.mostPasses },
        };
  const run = state === undefined ? undefined : { shown: state, node, progress, taken: null, stale, item };
  const shown = withPin(cardState(content, run), useIsPinned(path, nodeId));
  const total = progress?.total ?? 0;
  if (tally === undefined || progress === null || total === 0) return { shown, share: null };
  return { shown, share: { done: progress.done / total, atWork: countAtWork(tally) / total } };
}
