/**
 * The card of a node, the same component for every type: it reads what the type's description says.
 */
import type { Node, NodeProps } from '@xyflow/react';
import { Clock, RotateCw } from 'lucide-react';
import { memo, use } from 'react';
import type { NodeState, SummaryPart } from '../../engine/isomorphic.ts';
import { shownNodeState } from '../stores/runs/shown-run.ts';
import { useNodePart, useNodeState } from '../stores/use-flow.ts';
import { Chip } from '../ui/chip.tsx';
import { tileColor } from '../ui/node-tile.tsx';
import { BranchRows, waysText } from './branch-rows.tsx';
import { CardAnswer } from './card-answer.tsx';
import type { CardContent, CardFooter, CardRow } from './card-content.ts';
import { CardHeader } from './card-header.tsx';
import { CardPorts } from './card-ports-view.tsx';
import { type CardState, cardLabel, cardState, takenBranch } from './card-state.ts';
import { FlowPath } from './card-context.ts';
import { LoopCard } from './loop-card.tsx';

import './node-card.css';
import './card-states.css';
import './card-zoom.css';

export interface CardNodeData extends Record<string, unknown> {
  readonly content: CardContent;
  /** Pixels; of a loop those of its whole container, of which the card is the header. */
  readonly outerHeight: number;
}

export type CardNode = Node<CardNodeData, 'card'>;

/** More of the text than three lines can hold; the rest would only be laid out to be hidden. */
const streamTailLength = 240;
const wordJoiner = '\u2060';

export const NodeCard = memo(function NodeCard({ data: { content, outerHeight }, selected }: NodeProps<CardNode>) {
  const card = { content, isSelected: selected };
  // Only few cards are loops or have ways out, and all of them together must not listen for items and edges.
  if (content.bodySize !== null) return <LoopCard {...card} outerHeight={outerHeight} />;
  return content.branches.length > 0 ? <BranchedCard {...card} /> : <CardInRun {...card} taken={null} />;
});

interface CardInRunProps {
  readonly content: CardContent;
  readonly isSelected: boolean;
  /** The way out that it took. */
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
  const state = useNodePart(path, nodeId, (run, place) => shownNodeState(run, run.state.nodes.get(place), isTolerated));
  const shown = cardState(content, state === undefined ? undefined : { shown: state, node, progress: null, taken });
  return (
    <>
      <CardView {...{ content, shown, isSelected }} nodeState={node} />
      {shown.state === 'suspended' && node !== undefined ? (
        <CardAnswer path={path} title={content.title} place={node.nodeId} />
      ) : null}
    </>
  );
}

interface CardViewProps {
  readonly content: CardContent;
  readonly shown: CardState;
  readonly nodeState: NodeState | undefined;
  readonly isSelected: boolean;
}

function CardView({ content, shown, nodeState, isSelected }: CardViewProps) {
  const isAtWork = shown.state === 'running' || shown.state === 'retrying' || shown.state === 'cancelling';
  const streamed = isAtWork ? (nodeState?.text ?? '') : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <button> cannot hold a sentence with chips and rows
    <div
      className="node-card"
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      aria-label={cardLabel(content, shown)}
      aria-description={waysText(content)}
      data-card={content.nodeId}
      data-state={shown.state}
      data-start={content.isStart}
      style={{ '--tile-color': tileColor(content.category) }}
    >
      <CardPorts content={content} taken={shown.taken} />
      <CardHeader content={content} shown={shown} startedAt={isAtWork ? nodeState?.startedAt : undefined} />
      <Sentence parts={sentenceOf(content, nodeState)} lines={content.sentenceLines} />
      {streamed === '' ? <Rows rows={content.rows} /> : <StreamTail text={streamed} />}
      <BranchRows branches={content.branches} taken={shown.taken} />
      {content.footer === null ? null : <Footer footer={content.footer} />}
    </div>
  );
}

/** What it asks while it waits for a person, else what it does. */
function sentenceOf({ sentence }: CardContent, nodeState: NodeState | undefined): readonly SummaryPart[] {
  const message = nodeState?.status === 'suspended' ? nodeState.request?.message : undefined;
  return message === undefined ? sentence : [message];
}

function Sentence({ parts, lines }: { readonly parts: readonly SummaryPart[]; readonly lines: number }) {
  if (lines === 0) return null;
  const whole = parts.map((part) => (typeof part === 'string' ? part : part.chip)).join('');
  return (
    <p className="node-card-sentence" data-lines={lines} title={whole}>
      {parts.map((part, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        if (typeof part === 'string') return <span key={index}>{keepTogether(part, index)}</span>;
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        return <Chip key={index} text={part.chip} />;
      })}
    </p>
  );
}

/** A sign that touches the chip before it must not begin the next line. */
function keepTogether(part: string, index: number): string {
  return index > 0 && /^\S/.test(part) ? `${wordJoiner}${part}` : part;
}

function Rows({ rows }: { readonly rows: readonly CardRow[] }) {
  if (rows.length === 0) return null;
  return (
    <dl className="node-card-rows">
      {rows.map(({ label, value, isCode }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-code={isCode} title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function StreamTail({ text }: { readonly text: string }) {
  return (
    <div className="node-card-stream">
      <div>
        <p>
          {text.slice(-streamTailLength)}
          <span className="node-card-caret" />
        </p>
      </div>
    </div>
  );
}

function Footer({ footer }: { readonly footer: CardFooter }) {
  const { attempts, timeLimit, continuesOnError } = footer;
  return (
    <div className="node-card-footer">
      {attempts === undefined ? null : (
        <span>
          <RotateCw aria-hidden size={13} strokeWidth={1.3} absoluteStrokeWidth />
          {attempts} attempts
        </span>
      )}
      {timeLimit === undefined ? null : (
        <span title={`Each attempt may take ${timeLimit}`}>
          <Clock aria-hidden size={13} strokeWidth={1.3} absoluteStrokeWidth />
          {timeLimit}
        </span>
      )}
      {continuesOnError ? (
        <span className="node-card-footer-end" title="The run goes on when this node fails">
          {attempts !== undefined && timeLimit !== undefined ? 'continues' : 'continues on error'}
        </span>
      ) : null}
    </div>
  );
}
