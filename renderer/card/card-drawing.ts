/**
 * Converts a whole card to a list of marks, for pictures. `card-far.ts` draws the simplified versions for lower zoom
 * levels and the map.
 */

import { failureBranch } from '../stores/flow/branches.ts';
import type { VisualState } from '../ui/state-icon.tsx';
import type { CardContent, CardRow, ComparedRow } from './card-content.ts';
import type { BoxMark, CardDrawing, CardMark, OutlineMark, TextMark } from './card-marks.ts';
import { cardMetrics } from './card-metrics.ts';
import { branchPorts, cardPorts, type FlowDirection } from './card-ports.ts';
import { type CardSection, cardSections } from './card-sections.ts';
import type { CardState } from './card-state.ts';
import type { MarkRole } from './card-tokens.ts';
import { chipPadding, cutText, type MeasureText, wrapParts } from './text-wrap.ts';

export interface DrawnCard {
  readonly content: CardContent;
  readonly shown: CardState;
  readonly width: number;
  readonly height: number;
  /** Height of a loop's container, or of the card itself. */
  readonly outerHeight: number;
}

const { headerHeight, border } = cardMetrics;
export const cornerRadius = 12;
export const startRadius = 24;
const side = 12;
const textRight = cardMetrics.width - border - side;
/** Distance from the top of a line of text to its baseline. */
const baseline = { title: 14.5, body: 13, meta: 12 } as const;

/** Draws the whole card at 100 %. */
export function drawCard(card: DrawnCard, direction: FlowDirection, measure: MeasureText): CardDrawing {
  const { content, shown } = card;
  const { category, icon } = content;
  const { state, taken } = shown;
  // The rest of a loop's container is drawn below all cards.
  const frame = content.bodySize === null ? [outlineMark(card)] : [];
  const marks: CardMark[] = [...portMarks(card, direction), ...frame, ...headerMarks(card, measure)];
  const left = border + side + (content.isStart ? cardMetrics.startIndent : 0);
  let top = border + headerHeight;
  for (const section of cardSections(content, { question: null, streamed: '', speed: '', taken })) {
    marks.push(...sectionMarks(section, { left, top }, measure));
    top += section.height;
  }
  return { category, icon, state, isFaint: stepsBack(state), marks };
}

/** Returns whether a card in this state is inactive. */
export function isQuiet(state: VisualState): boolean {
  return state === 'idle' || stepsBack(state);
}

/** Returns whether a card in this state takes no part in the run. */
export function stepsBack(state: VisualState): boolean {
  return state === 'skipped' || state === 'disabled';
}

const dashes: Readonly<Partial<Record<VisualState, string>>> = {
  tolerated: '4 3',
  interrupted: '4 3',
  stale: '4 3',
  invalid: '1.5 2.5',
};
const strongStates: ReadonlySet<VisualState> = new Set([
  'running',
  'retrying',
  'suspended',
  'paused',
  'failed',
  'pinned',
  'changed',
]);

/** Returns the border of a card or a container in this state. */
export function borderOf(state: VisualState): Pick<OutlineMark, 'role' | 'line' | 'dash'> {
  const role = isQuiet(state) ? 'line' : 'state';
  return { role, line: strongStates.has(state) ? 1.5 : 1, dash: dashes[state] };
}

function outlineMark({ content, width, height, shown: { state } }: DrawnCard): OutlineMark {
  const inset = border / 2;
  const shape =
    state === 'suspended'
      ? gateCorners({ width, height }, inset, cardMetrics.gateCut)
      : {
          x: inset,
          y: inset,
          width: width - border,
          height: height - border,
          radius: cornerRadius,
          leftRadius: content.isStart ? startRadius : cornerRadius,
        };
  return { kind: 'outline', shape, fill: 'card', ...borderOf(state) };
}

/** Returns the outline of a card that waits for an answer. Each corner is cut by `cut` pixels along both sides. */
export function gateCorners(
  { width, height }: { readonly width: number; readonly height: number },
  inset: number,
  cut: number,
): { readonly x: number; readonly y: number }[] {
  const [right, bottom] = [width - inset, height - inset];
  return [
    { x: cut, y: inset },
    { x: width - cut, y: inset },
    { x: right, y: cut },
    { x: right, y: height - cut },
    { x: width - cut, y: bottom },
    { x: cut, y: bottom },
    { x: inset, y: height - cut },
    { x: inset, y: cut },
  ];
}

function portMarks({ content, width, outerHeight }: DrawnCard, direction: FlowDirection): BoxMark[] {
  const ways = branchPorts(content, direction);
  const { source, target, branches } = cardPorts(direction, { width, height: outerHeight }, ways);
  const own = [...(content.isStart ? [] : [target]), ...(content.leavesByRows ? [] : [source])];
  return [...own, ...branches].map(({ id, x, y, width: wide, height: high }) => {
    const role = id === failureBranch ? 'failure' : 'port';
    return { kind: 'box', role, x, y, width: wide, height: high, radius: 2.5 };
  });
}

const tileSize = 20;
const iconSize = 14;

/** Minimum width in pixels for text. Narrower text would consist only of its ellipsis. */
const leastWords = 16;

/** Icon and name on the left, text and icon of the state on the right. */
function headerMarks({ content, shown, width }: DrawnCard, measure: MeasureText): CardMark[] {
  const right = width - border - side;
  const left = border + (content.isStart ? 14 : 10);
  const middle = border + headerHeight / 2;
  const isIdle = shown.state === 'idle';
  const iconRoom = isIdle ? 0 : iconSize + 5;
  const titleLeft = left + tileSize + 8;
  const inMeta = (text: string): number => measure(text, 'meta');
  const all = [shown.pin, shown.item, shown.words].filter((part) => part !== '').join(' ');
  const inTitle = (text: string): number => measure(text, 'title');
  // The name has the same width in every state. The state text uses the rest.
  const title = cutText(content.title, right - titleLeft - iconSize - 8, inTitle);
  const wordsRoom = right - titleLeft - iconRoom - inTitle(title) - 8;
  const words = wordsRoom < leastWords ? '' : cutText(all, wordsRoom, inMeta);
  const square = { width: tileSize, height: tileSize, radius: 6 };
  const iconTop = middle - iconSize / 2;
  const inTile = (tileSize - iconSize) / 2;
  const ofTitle = { x: titleLeft, y: middle - 10 + baseline.title, isStruck: content.isDisabled };
  const ofWords = { x: right - iconRoom, y: middle - 8 + baseline.meta, weight: isIdle ? 400 : 500 };
  const marks: CardMark[] = [
    { kind: 'box', role: 'tile', x: left, y: middle - tileSize / 2, ...square },
    { kind: 'icon', of: 'type', role: 'glyph', x: left + inTile, y: iconTop },
    { kind: 'text', text: title, role: 'text', letters: 'title', level: 'baseline', ...ofTitle },
    { kind: 'text', text: words, role: 'state', letters: 'meta', level: 'baseline', align: 'end', ...ofWords },
  ];
  if (!isIdle) marks.push({ kind: 'icon', of: 'state', role: 'state', x: right - iconSize, y: iconTop });
  return marks;
}

interface SectionPlace {
  /** Left position of its text. */
  readonly left: number;
  readonly top: number;
}

function sectionMarks(section: CardSection, place: SectionPlace, measure: MeasureText): CardMark[] {
  switch (section.kind) {
    case 'sentence':
      return sentenceMarks(section, place, measure);
    case 'rows':
      return rowMarks(section, place, measure);
    case 'compared':
      return rowMarks({ ...section, kind: 'rows', rows: section.rows.map(drawnRow) }, place, measure);
    case 'branches':
      return branchMarks(section, place, measure);
    case 'footer':
      return footerMarks(section, place, measure);
    case 'stream':
      // A picture does not show streamed text.
      return [];
  }
}

function drawnRow({ side, words, time, tokens, cost }: ComparedRow): CardRow {
  const value = [time, tokens, cost].filter((part) => part !== '').join(' · ');
  return { label: `${side.toUpperCase()} ${words}`, value, isCode: false };
}

type SectionOf<Kind extends CardSection['kind']> = Extract<CardSection, { readonly kind: Kind }>;

function sentenceMarks(section: SectionOf<'sentence'>, { left, top }: SectionPlace, measure: MeasureText): CardMark[] {
  const lines = wrapParts(section.parts, { width: textRight - left, lines: section.lines }, measure);
  return lines.flatMap((line, index) => {
    // It starts inside the header, which has room below the name.
    const lineTop = top - 3 + index * cardMetrics.sentenceLineHeight;
    return line.flatMap(({ text, isChip, x, width }): CardMark[] => {
      if (!isChip) return [bodyText(text, 'textTwo', { x: left + x, y: lineTop + baseline.body })];
      const y = lineTop + 1;
      return [
        { kind: 'box', role: 'inset', x: left + x, y, width, height: 16, radius: 4 },
        monoText(text, 'text', { x: left + x + chipPadding, y: y + baseline.meta }),
      ];
    });
  });
}

function rowMarks({ rows }: SectionOf<'rows'>, { left, top }: SectionPlace, measure: MeasureText): CardMark[] {
  const marks = rows.flatMap(({ label, value, isCode }, index): CardMark[] => {
    const y = top + 7 + index * cardMetrics.rowHeight + baseline.body;
    const room = textRight - left - measure(label, 'body') - 8;
    const shown = cutText(value, room, (text) => measure(text, isCode ? 'mono' : 'body'));
    const end = { x: textRight, y, align: 'end' } as const;
    return [
      bodyText(label, 'textThree', { x: left, y }),
      isCode ? monoText(shown, 'text', end) : bodyText(shown, 'text', end),
    ];
  });
  return [hairline(top), ...marks];
}

function branchMarks(section: SectionOf<'branches'>, { left, top }: SectionPlace, measure: MeasureText): CardMark[] {
  const { rows, rowHeight } = section;
  return rows.flatMap(({ name: whole, isFailure, target, isTaken }, index): CardMark[] => {
    const rowTop = top + 1 + index * rowHeight;
    const y = rowTop + rowHeight / 2 + 4;
    const name = cutText(whole, (textRight - left) * 0.62, (text) => measure(text, 'mono'));
    const room = textRight - left - measure(name, 'mono') - side;
    const leadsTo = cutText(target, room, (text) => measure(text, 'body'));
    return [
      hairline(index === 0 ? top : rowTop),
      monoText(name, isTaken === false ? 'textThree' : isFailure ? 'failure' : 'textTwo', { x: left, y }),
      bodyText(leadsTo, 'textThree', { x: textRight - 2, y, align: 'end' }),
    ];
  });
}

function footerMarks({ facts }: SectionOf<'footer'>, { left, top }: SectionPlace, measure: MeasureText): CardMark[] {
  const words = facts.map(({ text }) => text).join('  ·  ');
  const text = cutText(words, textRight - left, (some) => measure(some, 'meta'));
  const place = { x: left, y: top + 5 + baseline.meta };
  return [hairline(top), { kind: 'text', role: 'textThree', text, letters: 'meta', level: 'baseline', ...place }];
}

function hairline(y: number): BoxMark {
  return { kind: 'box', role: 'hairline', x: border, y, width: cardMetrics.width - 2 * border, height: 1, radius: 0 };
}

type CardTextPosition = Pick<TextMark, 'x' | 'y' | 'align'>;

function bodyText(text: string, role: MarkRole, place: CardTextPosition): TextMark {
  return { kind: 'text', role, text, letters: 'body', level: 'baseline', ...place };
}

function monoText(text: string, role: MarkRole, place: CardTextPosition): TextMark {
  return { kind: 'text', role, text, letters: 'mono', level: 'baseline', ...place };
}
