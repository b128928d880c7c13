/**
 * Links and images of markdown.
 */
import { afterLine, type FenceState } from './md-blocks.ts';
import { linesOf } from './text-lines.ts';

/** `[text](target)`, or with `![` an image, which is `inline`. */
export type MdRef = {
  readonly _type: 'MdRef';
  readonly target: string;
  /** Absent when nothing stands between the brackets. */
  readonly text?: string;
  readonly inline: boolean;
  /** `#…` is an anchor; `http://…`, `https://…` and `//…` are addresses; all else is a file. */
  readonly kind: 'Anchor' | 'File' | 'Url';
};

function kindOf(target: string): MdRef['kind'] {
  if (target.startsWith('#')) return 'Anchor';
  return /^(?:https?:)?\/\//.test(target) ? 'Url' : 'File';
}

interface RefPlace {
  /** Where `[`, `]` and `)` stand. */
  readonly open: number;
  readonly close: number;
  readonly end: number;
}

function refOf(line: string, { open, close, end }: RefPlace): MdRef {
  const text = line.slice(open + 1, close);
  const target = line.slice(close + 2, end);
  const named = { _type: 'MdRef' as const, target, inline: line[open - 1] === '!', kind: kindOf(target) };
  return text === '' ? named : { ...named, text };
}

/** In one pass: a bracket that leads nowhere rules out all before the next closing one. */
function placesIn(line: string): RefPlace[] {
  const places: RefPlace[] = [];
  for (let open = line.indexOf('['); open !== -1; ) {
    const close = line.indexOf(']', open);
    if (close === -1) break;
    const isOpened = line[close + 1] === '(';
    const end = isOpened ? line.indexOf(')', close) : close;
    if (end === -1) break;
    if (end > close + 2) places.push({ open, close, end });
    open = line.indexOf('[', end > close + 2 ? end : close);
  }
  return places;
}

/** Behind an odd number of backticks stands code. */
function refsOfLine(line: string): MdRef[] {
  let ticks = 0;
  let counted = 0;
  return placesIn(line).flatMap((place) => {
    for (; counted < place.open; counted++) if (line[counted] === '`') ticks++;
    return ticks % 2 === 0 ? [refOf(line, place)] : [];
  });
}

/** The references of a markdown text, in its order, without those in fences and in code between backticks. */
export function extractRefs(text: string): MdRef[] {
  const refs: MdRef[] = [];
  let fence: FenceState = 'out';
  for (const line of linesOf(text)) {
    const next = afterLine(fence, line);
    if (fence === 'out' && next === 'out') for (const ref of refsOfLine(line)) refs.push(ref);
    fence = next;
  }
  return refs;
}
