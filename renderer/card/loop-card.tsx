/**
 * The header of a loop's container: its card. `FrameLayer` draws the rest of the container behind the body.
 */
import { use } from 'react';
import { tileColor } from '../ui/node-tile.tsx';
import type { CardContent } from './card-content.ts';
import { FlowPath } from './card-context.ts';
import { CardHeader } from './card-header.tsx';
import { CardPorts } from './card-ports-view.tsx';
import { cardLabel } from './card-state.ts';
import { useLoopShown } from './use-loop-shown.ts';
import './loop-card.css';

export interface LoopCardProps {
  readonly content: CardContent;
  readonly isSelected: boolean;
  /** Of the container. */
  readonly outerHeight: number;
}

export function LoopCard({ content, isSelected, outerHeight }: LoopCardProps) {
  const { shown } = useLoopShown(use(FlowPath), content);
  return (
    // biome-ignore lint/a11y/useSemanticElements: like the other cards, of which a <button> could not hold the parts
    <div
      className="node-card loop-card"
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      aria-label={cardLabel(content, shown)}
      aria-description={content.restWords}
      data-card={content.nodeId}
      data-state={shown.state}
      data-start={content.isStart}
      style={{ '--tile-color': tileColor(content.category) }}
    >
      <CardPorts content={content} outerHeight={outerHeight} />
      <CardHeader content={content} shown={shown} startedAt={undefined} />
    </div>
  );
}
