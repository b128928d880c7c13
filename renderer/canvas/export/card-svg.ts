/**
 * A card as SVG: with the measures of its styles (node-card.css, card-states.css).
 */

import { targetText } from '../../card/branch-rows.tsx';
import { branchesTop, branchPorts, branchRowHeight } from '../../card/card-branches.ts';
import type { CardContent, CardFooter } from '../../card/card-content.ts';
import { cardMetrics, sentenceHeight } from '../../card/card-metrics.ts';
import { cardPorts, type FlowDirection } from '../../card/card-ports.ts';
import type { CardState } from '../../card/card-state.ts';

import type { VisualState } from '../../ui/state-icon.tsx';
import { mixColors, type PictureLook } from './picture-look.tsx';

import { svgTag, svgText } from './svg-markup.ts';
import { chipPadding, cutText, wrapParts } from '../../card/text-wrap.ts';

export interface CardLook {
  readonly content: CardContent;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Of a loop's container, else the card's own. */
  readonly outerHeight: number;
  readonly shown: CardState;
}

const { width, headerHeight, border } = cardMetrics;
const cornerRadius = 12;
const startRadius = 24;
const tile = { size: 20, glyph: 14, radius: 6 } as const;
const side = 12;
/** From the top of a line of text to its baseline. */
const baseline = { title: 14.5, body: 13, meta: 12 } as const;

/** The card of a node, in its place. */
export function cardSvg(card: CardLook, direction: FlowDirection, look: PictureLook): string {
  const { content, x, y } = card;
  const rowsTop = border + headerHeight + sentenceHeight(content.sentenceLines);
  const footerTop = card.height - border - cardMetrics.footerHeight;
  const { state } = card.shown;
  // The rest of a loop's container is drawn below all cards.
  const isHeader = content.bodySize !== null;
  const isFaint = look.isFading && (state === 'skipped' || state === 'disabled');
  const parts = [
    portsSvg(card, direction, look),
    isHeader ? '' : outlineSvg(card, look),
    headerSvg(card, look),
    ...(isHeader ? [] : [sentenceSvg(card, look), rowsSvg(content, rowsTop, look), branchesSvg(card, look)]),
    isHeader || content.footer === null ? '' : footerSvg(content, footerTop, look),
  ];
  const place = `translate(${round(x)} ${round(y)})`;
  return svgTag('g', { transform: place, opacity: isFaint ? 0.6 : undefined }, parts.join(''));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Where texts begin: further in below the round side of a first card. */
function textLeft({ isStart }: CardContent): number {
  return border + side + (isStart ? cardMetrics.startIndent : 0);
}

const textRight = width - border - side;

const dashes: Readonly<Partial<Record<VisualState, string>>> = {
  tolerated: '4 3',
  interrupted: '4 3',
  invalid: '1.5 2.5',
};
const strongStates: ReadonlySet<VisualState> = new Set(['running', 'retrying', 'suspended', 'failed']);

function outlineSvg({ content, height, shown: { state } }: CardLook, look: PictureLook): string {
  const d = state === 'suspended' ? gate(height) : outline(height, content.isStart ? startRadius : cornerRadius);
  return svgTag('path', { d, fill: look.card, ...stateStroke(state, look) });
}

/** The border of a card or a container in this state. */
export function stateStroke(state: VisualState, look: PictureLook) {
  const isQuiet = state === 'idle' || state === 'skipped' || state === 'disabled';
  return {
    stroke: isQuiet ? look.line : look.states[state],
    'stroke-width': strongStates.has(state) ? 1.5 : 1,
    'stroke-dasharray': dashes[state],
  };
}

/** What waits for a person has its corners cut. */
function gate(height: number): string {
  const { gateCut } = cardMetrics;
  const [near, far, low] = [0.5, width - 0.5, height - 0.5];
  return [
    `M${gateCut} ${near}H${width - gateCut}L${far} ${gateCut}V${height - gateCut}L${width - gateCut} ${low}`,
    `H${gateCut}L${near} ${height - gateCut}V${gateCut}Z`,
  ].join('');
}

/** A rectangle whose left corners may be rounder; the line lies inside of the card. */
function outline(height: number, leftRadius: number): string {
  const [near, far, low] = [0.5, width - 0.5, height - 0.5];
  const left = Math.min(leftRadius, (height - 1) / 2);
  const right = cornerRadius;
  return [
    `M${near + left} ${near}H${far - right}A${right} ${right} 0 0 1 ${far} ${near + right}`,
    `V${low - right}A${right} ${right} 0 0 1 ${far - right} ${low}`,
    `H${near + left}A${left} ${left} 0 0 1 ${near} ${low - left}`,
    `V${near + left}A${left} ${left} 0 0 1 ${near + left} ${near}Z`,
  ].join('');
}

function portsSvg(
  { content, width: across, outerHeight }: CardLook,
  direction: FlowDirection,
  look: PictureLook,
): string {
  const { source, target, branches } = cardPorts(
    direction,
    { width: across, height: outerHeight },
    branchPorts(content, direction),
  );
  const own = [...(content.isStart ? [] : [target]), ...(content.leavesByRows ? [] : [source])];
  return [...own, ...branches]
    .map(({ x, y, width: wide, height: high }) =>
      svgTag('rect', { x, y, width: wide, height: high, rx: 2.5, fill: look.port }),
    )
    .join('');
}

function headerSvg({ content, shown, width: across }: CardLook, look: PictureLook): string {
  const right = across - border - side;
  const left = border + (content.isStart ? 14 : 10);
  const middle = border + headerHeight / 2;
  const inside = (tile.size - tile.glyph) / 2;
  const icon = look.iconOf(shown.state);
  const iconRoom = icon === '' ? 0 : tile.glyph + 5;
  const titleLeft = left + tile.size + 8;
  const wordsRoom = (right - titleLeft) * 0.6 - iconRoom;
  const words = cutText([shown.item, shown.words].filter((part) => part !== '').join(' '), wordsRoom, (text) =>
    look.measure(text, 'meta'),
  );
  const room = right - titleLeft - 8 - iconRoom - look.measure(words, 'meta');
  const color = look.states[shown.state];
  const parts = [
    svgTag('rect', {
      ...{ x: left, y: middle - tile.size / 2, width: tile.size, height: tile.size, rx: tile.radius },
      fill: look.tiles.get(content.category) ?? look.edge,
    }),
    iconAt(look.glyphOf(content.category, content.icon), {
      x: left + inside,
      y: middle - tile.glyph / 2,
      color: look.glyph,
    }),
    svgText(
      cutText(content.title, room, (text) => look.measure(text, 'title')),
      {
        ...{ x: titleLeft, y: middle - 10 + baseline.title, fill: look.text },
        ...{ 'font-size': 13, 'font-weight': 500 },
        'text-decoration': content.isDisabled ? 'line-through' : undefined,
      },
    ),
    svgText(words, {
      ...{ x: right - iconRoom, y: middle - 8 + baseline.meta, fill: color, 'text-anchor': 'end' },
      ...{ 'font-size': 11, 'font-weight': shown.state === 'idle' ? 400 : 500 },
    }),
    icon === '' ? '' : iconAt(icon, { x: right - tile.glyph, y: middle - tile.glyph / 2, color }),
  ];
  return parts.join('');
}

function iconAt(
  markup: string,
  { x, y, color }: { readonly x: number; readonly y: number; readonly color: string },
): string {
  return svgTag('g', { transform: `translate(${round(x)} ${round(y)})`, color }, markup);
}

function sentenceSvg({ content }: CardLook, look: PictureLook): string {
  if (content.sentenceLines === 0) return '';
  const left = textLeft(content);
  const lines = wrapParts(content.sentence, { width: textRight - left, lines: content.sentenceLines }, look.measure);
  return lines
    .map((line, index) => {
      // It begins inside of the header, which has room below the name.
      const top = border + headerHeight - 3 + index * cardMetrics.sentenceLineHeight;
      return line
        .map(({ text, isChip, x, width: across }) => {
          if (!isChip)
            return svgText(text, { x: left + x, y: top + baseline.body, fill: look.textTwo, 'font-size': 12 });
          const chip = { x: left + x, y: top + 1, width: across, height: 16, rx: 4, fill: look.inset };
          return svgTag('rect', chip) + monoText(text, { x: left + x + chipPadding, y: top + 1 + baseline.meta }, look);
        })
        .join('');
    })
    .join('');
}

function monoText(text: string, place: { readonly x: number; readonly y: number }, look: PictureLook): string {
  return svgText(text, { ...place, fill: look.text, 'font-family': look.mono, 'font-size': 11 });
}

function hairline(y: number, look: PictureLook): string {
  return svgTag('rect', { x: border, y, width: width - 2 * border, height: 1, fill: look.hairline });
}

function rowsSvg(content: CardContent, top: number, look: PictureLook): string {
  if (content.rows.length === 0) return '';
  const left = textLeft(content);
  const rows = content.rows.map(({ label, value, isCode }, index) => {
    const y = top + 5 + index * cardMetrics.rowHeight + 2;
    const letters = isCode ? 'mono' : 'body';
    const room = textRight - left - look.measure(label, 'body') - 8;
    return (
      svgText(label, { x: left, y: y + baseline.body, fill: look.textThree, 'font-size': 12 }) +
      svgText(
        cutText(value, room, (text) => look.measure(text, letters)),
        {
          ...{ x: textRight, y: y + baseline.body, fill: look.text, 'text-anchor': 'end' },
          ...(isCode ? { 'font-family': look.mono, 'font-size': 11 } : { 'font-size': 12 }),
        },
      )
    );
  });
  return hairline(top, look) + rows.join('');
}

function branchesSvg({ content, shown }: CardLook, look: PictureLook): string {
  const left = textLeft(content);
  const height = branchRowHeight(content.branches.length);
  const top = branchesTop(content);
  const rows = content.branches.map((branch, index) => {
    const y = top + index * height;
    const isMissed = shown.taken !== null && shown.taken !== branch.route;
    const line = y + height / 2 + 4;
    const route = cutText(branch.route, (textRight - left) * 0.62, (text) => look.measure(text, 'mono'));
    const room = textRight - left - look.measure(route, 'mono') - side;
    const target = cutText(targetText(branch), room, (text) => look.measure(text, 'body'));
    return (
      hairline(index === 0 ? y - 1 : y, look) +
      svgText(route, {
        ...{ x: left, y: line, fill: isMissed ? look.textThree : look.textTwo },
        ...{ 'font-family': look.mono, 'font-size': 11 },
      }) +
      svgText(target, { x: textRight - 2, y: line, fill: look.textThree, 'font-size': 12, 'text-anchor': 'end' })
    );
  });
  return rows.join('');
}

function footerWords({ attempts, timeLimit, continuesOnError }: CardFooter): string {
  const words = [
    attempts === undefined ? '' : `${attempts} attempts`,
    timeLimit ?? '',
    continuesOnError ? 'continues on error' : '',
  ];
  return words.filter((word) => word !== '').join('  ·  ');
}

function footerSvg(content: CardContent, top: number, look: PictureLook): string {
  if (content.footer === null) return '';
  const left = textLeft(content);
  const words = cutText(footerWords(content.footer), textRight - left, (text) => look.measure(text, 'meta'));
  const y = top + 5 + baseline.meta;
  return hairline(top, look) + svgText(words, { x: left, y, fill: look.textThree, 'font-size': 11 });
}

/** The ground and the border of a sheet or frame in one of the layout's colours. */
export function paperColors(
  paper: string,
  look: PictureLook,
  part: number,
): { readonly fill: string; readonly stroke: string } {
  return { fill: mixColors(paper, look.canvas, part), stroke: mixColors(paper, look.canvas, 0.34) };
}
