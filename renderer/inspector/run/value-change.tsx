/**
 * A value before and after a change, with the differences of their words marked.
 */
import { type JsonValue, visibleText } from '../../../engine/isomorphic.ts';
import { type DiffPart, wordDiff } from '../../ui/word-diff.ts';
import '../output-change.css';

/** A changed field of a map, or a changed value. */
export interface FieldChange {
  /** Empty for the whole value. */
  readonly field: string;
  readonly before: string;
  readonly now: string;
}

/** Returns a value as text to compare, without invisible characters. Empty if there is none. */
export function changeText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

/** Titles of both sides, and the label of the comparison. */
export interface ChangeTitles {
  readonly before: string;
  readonly now: string;
  readonly label: string;
}

function Side({ title, isOld, parts }: { title: string; isOld: boolean; parts: readonly DiffPart[] }) {
  return (
    <div className="output-side">
      <h4>{title}</h4>
      <pre data-selectable>
        {parts.map(({ text: part, kind }, index) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison never move
          if (kind === 'same') return <span key={index}>{part}</span>;
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison never move
          return isOld ? <del key={index}>{part}</del> : <ins key={index}>{part}</ins>;
        })}
      </pre>
    </div>
  );
}

/** Both sides of a change. */
export function ValueChange({
  change: { field, before, now },
  titles,
}: {
  change: FieldChange;
  titles: Pick<ChangeTitles, 'before' | 'now'>;
}) {
  const { before: left, now: right } = wordDiff(before, now);
  return (
    <>
      {field === '' ? null : <h4 className="output-field">{field}</h4>}
      <div className="output-sides">
        <Side title={titles.before} isOld parts={left} />
        <Side title={titles.now} isOld={false} parts={right} />
      </div>
    </>
  );
}
