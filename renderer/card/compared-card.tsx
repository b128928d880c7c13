/**
 * The card of a node while two runs are compared: what differs, and a line for each run.
 */
import { NodeTile, tileColor } from '../ui/node-tile.tsx';
import type { CardContent, ComparedCard as ComparedFacts, ComparedRow } from './card-content.ts';
import { CardPorts } from './card-ports-view.tsx';
import { cardSections } from './card-sections.ts';
import { SideBadge } from './compared-rows.tsx';
import { SectionView } from './section-view.tsx';
import './compared-card.css';

interface ComparedCardProps {
  readonly content: CardContent;
  readonly facts: ComparedFacts;
  readonly isSelected: boolean;
  /** Height of a loop's container. */
  readonly outerHeight: number;
}

export function ComparedCard({ content, facts, isSelected, outerHeight }: ComparedCardProps) {
  const { nodeId, title, type, bodySize } = content;
  const { word, isSame, onlyIn, rows } = facts;
  return (
    // biome-ignore lint/a11y/useSemanticElements: like the other cards, whose parts are not allowed in a <button>
    <div
      className={bodySize === null ? 'node-card compared-card' : 'node-card loop-card compared-card'}
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      aria-label={[title, type, word].join(', ')}
      aria-description={rows.map(rowText).join('; ') || undefined}
      data-card={nodeId}
      data-state="idle"
      data-compared={isSame ? 'same' : onlyIn === 'a' ? 'only-a' : 'differs'}
      data-start={content.isStart}
      style={{ '--tile-color': tileColor(content.category) }}
    >
      {bodySize === null ? <CardPorts content={content} taken={null} /> : <CardPorts {...{ content, outerHeight }} />}
      <div className="node-card-header" data-type={word}>
        <NodeTile category={content.category} icon={content.icon} />
        <span className="node-card-title" title={title}>
          {title}
        </span>
        <span className="node-card-state" title={word}>
          {onlyIn === null ? null : <SideBadge side={onlyIn} isDecorative />}
          <span className="node-card-words">{word}</span>
        </span>
      </div>
      {cardSections(content).map((section) => (
        <SectionView key={section.kind} section={section} />
      ))}
    </div>
  );
}

function rowText({ side, words, time, tokens, cost }: ComparedRow): string {
  return [`${side.toUpperCase()}: ${words}`, time, tokens, cost].filter((part) => part !== '').join(', ');
}
