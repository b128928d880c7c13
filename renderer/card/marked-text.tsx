/**
 * A text in which white space at its ends, repeated white space and tabs have a muted mark. Copied text has no marks.
 */
import { visibleText } from '../../engine/isomorphic.ts';
import { markedParts } from '../ui/space-marks.ts';
import './marked-text.css';

interface MarkedTextProps {
  readonly text: string;
  /** Whether line breaks are shown. Otherwise, the text is in one line. */
  readonly hasLines?: boolean;
}

export function MarkedText({ text, hasLines = false }: MarkedTextProps) {
  const [first, ...others] = markedParts(text, !hasLines);
  if (first === undefined || (others.length === 0 && first.sign === undefined)) return visibleText(text);
  return [first, ...others].map(({ text: part, sign }, index) => {
    if (sign === undefined) return visibleText(part);
    const isBreak = sign === '↵';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
      <span key={index}>
        <span className="space-mark" data-sign={sign}>
          {isBreak ? null : part}
        </span>
        {isBreak ? (hasLines ? part : ' ') : null}
      </span>
    );
  });
}
