/**
 * Parts of a request in words: a diff, and the time that is left.
 */
import { useState } from 'react';
import { Button } from '../ui/button.tsx';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long there is until a deadline, in minutes at least: nobody is hurried by seconds. */
export function deadlineText(deadlineAt: number, now: number): string {
  const left = deadlineAt - now;
  if (left <= 0) return 'which is over';
  if (left < hourMs) return `in ${Math.ceil(left / minuteMs)} min`;
  if (left < 48 * hourMs) return `in ${Math.floor(left / hourMs)} h ${Math.floor((left % hourMs) / minuteMs)} min`;
  return `in ${Math.floor(left / (24 * hourMs))} days`;
}

/** Lines drawn at once; the rest follows on demand. */
const mostLines = 400;

function toneOf(line: string): 'head' | 'added' | 'removed' | 'same' {
  if (/^(?:---|\+\+\+|@@|diff |index )/.test(line)) return 'head';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

/** A unified diff; its signs stay, so that colour is not all that tells lines apart. */
export function DiffLines({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = text.split('\n');
  const drawn = isWhole ? lines : lines.slice(0, mostLines);
  return (
    <div>
      <pre className="ask-diff" data-selectable>
        {drawn.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
          <span key={index} data-tone={toneOf(line)}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
      {drawn.length === lines.length ? null : (
        <Button size="small" variant="ghost" onClick={() => setIsWhole(true)}>
          Show all {lines.length.toLocaleString()} lines
        </Button>
      )}
    </div>
  );
}
