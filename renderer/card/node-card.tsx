/**
 * The card of a node. The same component is used for every type and renders the type's description.
 */
import type { Node, NodeProps } from '@xyflow/react';
import { memo, use } from 'react';
import type { Breakpoint, NodeState } from '../../engine/isomorphic.ts';
import { itemText } from '../stores/flow/node-places.ts';
import { breakpointText } from '../stores/runs/breakpoints.ts';
import { workingSince } from '../stores/runs/live/run-time.ts';
import { shownStateOf } from '../stores/runs/shown-run.ts';
import { type HeldMark, heldActionText } from '../stores/runs/what-if.ts';
import { useNodeChecks } from '../stores/use-case.ts';
import { useBreakpoint, useIsPinned, useNodePart, useNodeState, useShownItems } from '../stores/use-flow.ts';
import { useReviewMark } from '../stores/use-review.ts';
import { tileColor } from '../ui/node-tile.tsx';
import { BreakpointDot } from './breakpoint-dot.tsx';
import { CardAnswer } from './card-answer.tsx';
import type { CardContent } from './card-content.ts';
import { FlowPath } from './card-context.ts';
import { CardHeader } from './card-header.tsx';
import { CardOutput, useOutputLine } from './card-output.tsx';
import { CardPorts } from './card-ports-view.tsx';
import { CardReview } from './card-review.tsx';
import { cardSections, linesAfar, restHeight } from './card-sections.ts';
import { type CardState, cardLabel, cardState, takenBranch, waysText, withChecks, withPin } from './card-state.ts';
import { CaseMark } from './case-mark.tsx';
import { ComparedCard } from './compared-card.tsx';
import { LoopCard } from './loop-card.tsx';
import { NextMark } from './next-mark.tsx';
import type { OutputLine } from './output-line.ts';
import { SectionView } from './section-view.tsx';
import { text } from './text.ts';
import { WhatIfMark } from './what-if-mark.tsx';
import './node-card.css';
import './card-states.css';
import './card-zoom.css';

interface CardNodeData extends Record<string, unknown> {
  readonly content: CardContent;
  /** Height in pixels, or that of the whole container for a loop. */
  readonly outerHeight: number;
}

export type CardNode = Node<CardNodeData, 'card'>;

type NodeCardProps = Pick<NodeProps<CardNode>, 'data' | 'selected'>;

export const NodeCard = memo(function NodeCard({ data: { content, outerHeight }, selected }: NodeCardProps) {
  const path = use(FlowPath);
  const mark = useReviewMark(path, 'nodes', content.nodeId);
  const card = { content, isSelected: selected };
  const { compared } = content;
  if (compared !== undefined) return <ComparedCard {...card} facts={compared} outerHeight={outerHeight} />;
  const drawn =
    // Only few cards are loops or have branches, so the others do not subscribe to items and edges.
    content.bodySize !== null ? (
      <LoopCard {...card} outerHeight={outerHeight} />
    ) : content.branches.length > 0 ? (
      <BranchedCard {...card} />
    ) : (
      <CardInRun {...card} taken={null} />
    );
  if (mark === undefined) return drawn;
  return (
    <>
      {drawn}
      <CardReview path={path} nodeId={content.nodeId} mark={mark} />
    </>
  );
}, isSameCard);

/**
 * React Flow also passes the position, which changes with each step of a drag. The wrapper element applies it, so the
 * card can ignore it.
 */
function isSameCard(before: NodeCardProps, now: NodeCardProps): boolean {
  return before.data === now.data && before.selected === now.selected;
}

interface CardInRunProps {
  readonly content: CardContent;
  readonly isSelected: boolean;
  /** The branch that was taken. */
  readonly taken: string | null;
}

type CardProps = Pick<CardInRunProps, 'content' | 'isSelected'>;

function BranchedCard(card: CardProps) {
  const path = use(FlowPath);
  const { content } = card;
  const taken = useNodePart(path, content.nodeId, ({ state }, place) => takenBranch(state, place, content)) ?? null;
  return <CardInRun {...card} taken={taken} />;
}

function CardInRun({ content, isSelected, taken }: CardInRunProps) {
  const path = use(FlowPath);
  const { nodeId, isTolerated } = content;
  const node = useNodeState(path, nodeId);
  const state = useNodePart(path, nodeId, (run, place) => shownStateOf(run, { nodeId, place, isTolerated }));
  const stale = useNodePart(path, nodeId, (run) => run.stale.get(nodeId)) ?? null;
  const items = useShownItems(path, nodeId, isTolerated);
  const item = useNodePart(path, nodeId, ({ state }, place) => itemText(place, state.tallies.loops)) ?? '';
  const run = state === undefined ? undefined : { shown: state, node, progress: null, taken, stale, items, item };
  const checks = useNodeChecks(path, nodeId);
  const shown = withChecks(withPin(cardState(content, run), useIsPinned(path, nodeId)), checks);
  return (
    <>
      <CardView content={content} shown={shown} isSelected={isSelected} nodeState={node} covered={checks?.covered} />
      {shown.state === 'paused' ? <NextMark path={path} nodeId={nodeId} /> : null}
      {shown.state === 'suspended' && node !== undefined ? (
        <CardAnswer path={path} title={content.title} item={item} place={node.nodeId} />
      ) : null}
    </>
  );
}

/** Returns how fast a node streams, as text. Empty if it does not stream or if that is not known yet. */
function useStreamSpeed(nodeId: string): string {
  return (
    useNodePart(use(FlowPath), nodeId, ({ calls }) => {
      const streams = calls.streams.get(nodeId);
      if (streams === undefined) return '';
      const speed = text.stream.speed({ count: Math.round(streams.tokensPerSecond) });
      return streams.count === 1 ? speed : text.stream.streams({ count: streams.count, speed });
    }) ?? ''
  );
}

interface CardViewProps {
  readonly content: CardContent;
  readonly shown: CardState;
  readonly nodeState: NodeState | undefined;
  readonly isSelected: boolean;
  /** While a test is open: how many tests cover the node. */
  readonly covered: number | undefined;
}

function CardView({ content, shown, nodeState, isSelected, covered }: CardViewProps) {
  const isAtWork = shown.state === 'running' || shown.state === 'retrying' || shown.state === 'cancelling';
  const streamed = isAtWork ? (nodeState?.text ?? '') : '';
  const speed = useStreamSpeed(content.nodeId);
  const given = useOutputLine(isAtWork ? undefined : nodeState?.output);
  const held = useNodePart(use(FlowPath), content.nodeId, ({ whatIf }) => whatIf?.marks.get(content.nodeId));
  const breakpoint = useBreakpoint(use(FlowPath), content.nodeId);
  const question = nodeState?.status === 'suspended' ? (nodeState.request?.message ?? null) : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <button> cannot hold a sentence with chips and rows
    <div
      className="node-card"
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      aria-label={cardLabel(content, shown)}
      aria-description={descriptionOf(content, given, { held, breakpoint })}
      data-card={content.nodeId}
      data-state={shown.state}
      data-pinned={shown.pin !== ''}
      data-start={content.isStart}
      data-output={given !== null}
      data-lines-afar={linesAfar(restHeight(content))}
      style={{ '--tile-color': tileColor(content.category) }}
    >
      <CardPorts content={content} taken={shown.taken} />
      <CardHeader
        content={content}
        shown={shown}
        startedAt={isAtWork && nodeState !== undefined ? workingSince(nodeState) : undefined}
        waitsSince={waitsSince(nodeState)}
      />
      {cardSections(content, { question, streamed, speed, taken: shown.taken }).map((section) => (
        <SectionView key={section.kind} section={section} />
      ))}
      {given === null ? null : <CardOutput line={given} />}
      <WhatIfMark mark={held} />
      {covered === undefined ? null : <CaseMark covered={covered} />}
      {breakpoint === undefined ? null : <BreakpointDot breakpoint={breakpoint} />}
    </div>
  );
}

function waitsSince(node: NodeState | undefined): number | undefined {
  if (node?.status !== 'suspended') return undefined;
  return node.asks?.find(({ answer }) => answer === undefined)?.askedAt;
}

interface CardMarks {
  readonly held: HeldMark | undefined;
  readonly breakpoint: Breakpoint | undefined;
}

/** Returns the screen reader description that follows the name: marks, the branches and the latest output. */
function descriptionOf(
  content: CardContent,
  given: OutputLine | null,
  { held, breakpoint }: CardMarks,
): string | undefined {
  const parts = [
    breakpoint === undefined ? '' : breakpointText(breakpoint),
    held === undefined ? '' : heldActionText(held),
    waysText(content) ?? '',
    given === null || given.text === '' ? '' : text.output.spoken({ line: given.text }),
  ];
  return parts.filter((part) => part !== '').join('; ') || undefined;
}
