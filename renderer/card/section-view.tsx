/**
 * Renders the sections of a card as DOM elements.
 */
import { Clock, RotateCw } from 'lucide-react';
import { memo } from 'react';
import { shallow } from 'zustand/shallow';
import type { SummaryPart } from '../../engine/isomorphic.ts';
import { Chip } from '../ui/chip.tsx';
import type { CardRow } from './card-content.ts';
import type { BranchRow, CardSection, FooterFact } from './card-sections.ts';
import { ComparedRows } from './compared-rows.tsx';
import './branch-rows.css';

/** More characters than three lines can hold. The rest would be laid out only to be hidden. */
const streamTailLength = 240;
const wordJoiner = '\u2060';

interface SectionViewProps {
  readonly section: CardSection;
}

/** Memoized by the fields of the section, because each streamed token creates new section objects. */
export const SectionView = memo(
  function SectionView({ section }: SectionViewProps) {
    switch (section.kind) {
      case 'sentence':
        return <Sentence parts={section.parts} lines={section.lines} />;
      case 'rows':
        return <Rows rows={section.rows} height={section.height} />;
      case 'stream':
        return <StreamTail text={section.text} speed={section.speed} height={section.height} />;
      case 'branches':
        return <BranchRows rows={section.rows} rowHeight={section.rowHeight} />;
      case 'compared':
        return <ComparedRows rows={section.rows} height={section.height} />;
      case 'footer':
        return <Footer facts={section.facts} height={section.height} />;
    }
  },
  (before, now) => shallow(before.section, now.section),
);

function Sentence({ parts, lines }: { readonly parts: readonly SummaryPart[]; readonly lines: number }) {
  const whole = parts.map((part) => (typeof part === 'string' ? part : part.chip)).join('');
  return (
    <p className="node-card-sentence" data-lines={lines} title={whole}>
      {parts.map((part, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified only by their position
        if (typeof part === 'string') return <span key={index}>{keepTogether(part, index)}</span>;
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified only by their position
        return <Chip key={index} text={part.chip} />;
      })}
    </p>
  );
}

/** Punctuation directly after a chip must not wrap to the next line. */
function keepTogether(part: string, index: number): string {
  return index > 0 && /^\S/.test(part) ? `${wordJoiner}${part}` : part;
}

function Rows({ rows, height }: { readonly rows: readonly CardRow[]; readonly height: number }) {
  return (
    <dl className="node-card-rows" style={{ height }}>
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

type StreamTailProps = Pick<Extract<CardSection, { kind: 'stream' }>, 'text' | 'speed' | 'height'>;

function StreamTail({ text, speed, height }: StreamTailProps) {
  return (
    <div className="node-card-stream" style={{ height }}>
      <div>
        <p>
          {text.slice(-streamTailLength)}
          <span className="node-card-caret" />
        </p>
      </div>
      {speed === '' ? null : <span className="node-card-speed">{speed}</span>}
    </div>
  );
}

/** The branches: one row each, with its name and target. During a run the branch that was taken is highlighted. */
function BranchRows({ rows, rowHeight }: { readonly rows: readonly BranchRow[]; readonly rowHeight: number }) {
  return (
    <dl className="branch-rows">
      {rows.map(({ route, name, isFailure, hint, target, isTaken }) => (
        <div
          key={route}
          style={{ height: rowHeight }}
          data-taken={isTaken ?? undefined}
          data-failure={isFailure || undefined}
        >
          <dt title={hint}>{name}</dt>
          <dd title={target}>{target}</dd>
        </div>
      ))}
    </dl>
  );
}

const factIcons = {
  attempts: <RotateCw aria-hidden size={13} strokeWidth={1.3} absoluteStrokeWidth />,
  'time-limit': <Clock aria-hidden size={13} strokeWidth={1.3} absoluteStrokeWidth />,
} as const;

function Footer({ facts, height }: { readonly facts: readonly FooterFact[]; readonly height: number }) {
  return (
    <div className="node-card-footer" style={{ height }}>
      {facts.map(({ kind, text, hint }) => (
        <span key={kind} title={hint ?? undefined}>
          {factIcons[kind]}
          {text}
        </span>
      ))}
    </div>
  );
}
