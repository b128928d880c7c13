/**
 * Renders the card of a trigger as SVG, as it looks on the canvas.
 */
import type { TriggerDoc } from '../../../engine/isomorphic.ts';
import type { CardDrawing, CardMark } from '../../card/card-marks.ts';
import { chipPadding, cutText, wrapParts } from '../../card/text-wrap.ts';
import { type TriggerFooter, triggerSentence } from '../../card/trigger/trigger-words.ts';
import type { Rect } from '../geometry/rect.ts';
import { markSvg } from './card-svg.ts';
import type { PictureStyle } from './picture-style.tsx';
import { svgTag } from './svg-markup.ts';

/** A trigger with its position. */
export interface PlacedTrigger extends Rect {
  readonly doc: TriggerDoc;
  readonly isOn: boolean;
  readonly footer: TriggerFooter;
}

const padding = 10;
const tile = { left: 12, top: 9, size: 20 } as const;
const titleLeft = tile.left + tile.size + 8;
const sentence = { top: 38, lineHeight: 18, lines: 2 } as const;
const footerHeight = 27;
const drawing: CardDrawing = { category: 'flow', icon: 'unknown', state: 'idle', isFaint: false, marks: [] };

/** Renders a trigger at its position. */
export function triggerSvg(trigger: PlacedTrigger, style: PictureStyle): string {
  const { doc, isOn, x, y, height } = trigger;
  const bar = { x: 0, y: 6, width: 3, height: height - 12, fill: isOn ? style.textTwo : style.control };
  const marks = [...frameMarks(trigger), ...titleMarks(trigger, style), ...sentenceMarks(trigger, style)];
  const inTile = (tile.size - 14) / 2;
  const place = `translate(${tile.left + inTile} ${tile.top + inTile})`;
  return svgTag(
    'g',
    { transform: `translate(${x} ${y})` },
    [
      ...[...marks, ...footerMarks(trigger, style)].map((mark) => markSvg(mark, drawing, style)),
      svgTag('rect', bar),
      svgTag('g', { transform: place, color: style.glyph }, style.triggerGlyphOf(doc)),
    ].join(''),
  );
}

function frameMarks({ isOn, width, height }: PlacedTrigger): readonly CardMark[] {
  const shape = { x: 0.5, y: 0.5, width: width - 1, height: height - 1, radius: 12, leftRadius: 6 };
  const line = { kind: 'outline', role: 'line', shape, line: 1 } as const;
  const port = { kind: 'box', role: 'port', x: width - 1, y: 14, width: 5, height: 12, radius: 2 } as const;
  return [port, isOn ? { ...line, fill: 'card' } : { ...line, fill: 'canvas', dash: '3 3' }];
}

function titleMarks({ doc, width }: PlacedTrigger, { measure }: PictureStyle): readonly CardMark[] {
  const text = cutText(doc.id, width - titleLeft - padding, (some) => measure(some, 'title'));
  return [
    { kind: 'box', role: 'tile', x: tile.left, y: tile.top, width: tile.size, height: tile.size, radius: 6 },
    { kind: 'text', role: 'text', text, letters: 'title', level: 'middle', x: titleLeft, y: tile.top + tile.size / 2 },
  ];
}

function sentenceMarks({ doc, width }: PlacedTrigger, { measure }: PictureStyle): readonly CardMark[] {
  const room = { width: width - 2 * padding - 2, lines: sentence.lines };
  return wrapParts(triggerSentence(doc), room, measure).flatMap((line, index) => {
    const middle = sentence.top + (index + 0.5) * sentence.lineHeight;
    return line.flatMap(({ text, isChip, x: offset, width: wide }): CardMark[] => {
      const x = padding + 2 + offset;
      const place = { kind: 'text', text, level: 'middle', y: middle } as const;
      if (!isChip) return [{ ...place, role: 'textTwo', letters: 'body', x }];
      return [
        { kind: 'box', role: 'inset', x, y: middle - 8, width: wide, height: 16, radius: 4 },
        { ...place, role: 'text', letters: 'mono', x: x + chipPadding },
      ];
    });
  });
}

function footerMarks({ footer, width, height }: PlacedTrigger, { measure }: PictureStyle): readonly CardMark[] {
  const y = height - footerHeight / 2;
  const room = width - 2 * padding - measure(footer.right, 'meta') - 8;
  const left = cutText(footer.left, room, (some) => measure(some, 'meta'));
  const line = { kind: 'text', letters: 'meta', level: 'middle', y } as const;
  const role = footer.tone === 'attention' ? 'text' : 'textThree';
  return [
    { kind: 'box', role: 'hairline', x: 3, y: height - footerHeight, width: width - 4, height: 1, radius: 0 },
    { ...line, role: 'textThree', text: left, x: padding + 2 },
    { ...line, role, text: footer.right, x: width - padding, align: 'end' },
  ];
}
