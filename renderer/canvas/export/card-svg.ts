/**
 * Renders a card as SVG from the marks of its drawing.
 */
import { type DrawnCard, drawCard } from '../../card/card-drawing.ts';
import type { CardDrawing, CardMark, OutlineMark, TextMark } from '../../card/card-marks.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import { colorOf } from '../../card/card-tokens.ts';
import type { PictureStyle } from './picture-style.tsx';
import { svgTag, svgText } from './svg-markup.ts';

/** A card with its position. */
export interface PlacedCard extends DrawnCard {
  readonly x: number;
  readonly y: number;
}

/** Renders the card of a node at its position. */
export function cardSvg(card: PlacedCard, direction: FlowDirection, style: PictureStyle): string {
  const drawing = drawCard(card, direction, style.measure);
  const place = `translate(${round(card.x)} ${round(card.y)})`;
  const opacity = drawing.isFaint && style.isFading ? 0.6 : undefined;
  return svgTag(
    'g',
    { transform: place, opacity },
    drawing.marks.map((mark) => markSvg(mark, drawing, style)).join(''),
  );
}

/** Renders a part of a card. */
export function markSvg(mark: CardMark, drawing: CardDrawing, style: PictureStyle): string {
  const color = colorOf(mark.role, drawing, style);
  switch (mark.kind) {
    case 'box': {
      const { x, y, width, height, radius } = mark;
      return svgTag('rect', { x, y, width, height, rx: radius === 0 ? undefined : radius, fill: color });
    }
    case 'outline': {
      const fill = mark.fill === null ? undefined : colorOf(mark.fill, drawing, style);
      const line = { stroke: color, 'stroke-width': mark.line, 'stroke-dasharray': mark.dash };
      return svgTag('path', { d: shapePath(mark.shape), fill, ...line });
    }
    case 'text':
      return textSvg(mark, color, style);
    case 'icon': {
      const icon = mark.of === 'type' ? style.glyphOf(drawing.category, drawing.icon) : style.iconOf(drawing.state);
      const place = `translate(${round(mark.x)} ${round(mark.y)})`;
      return icon === '' ? '' : svgTag('g', { transform: place, color }, icon);
    }
    case 'dot':
      return svgTag('circle', { cx: mark.x, cy: mark.y, r: mark.radius, fill: color });
    case 'ring': {
      const { x, y, width, height, radius, reach, line } = mark;
      const out = reach - line / 2;
      const place = { x: x - out, y: y - out, width: width + 2 * out, height: height + 2 * out, rx: radius };
      return svgTag('rect', { ...place, stroke: color, 'stroke-width': line });
    }
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const letterSizes: Readonly<Record<TextMark['letters'], number>> = {
  title: 13,
  titleMiddle: 21,
  typeMiddle: 17,
  titleFar: 26,
  body: 12,
  meta: 11,
  mono: 11,
};

function textSvg({ text, x, y, level, align, letters, weight, isStruck }: TextMark, fill: string, style: PictureStyle) {
  return svgText(text, {
    x,
    y,
    fill,
    'text-anchor': align,
    'dominant-baseline': level === 'middle' ? 'central' : undefined,
    'font-family': letters === 'mono' ? style.mono : undefined,
    'font-size': letterSizes[letters],
    'font-weight': weight ?? (letters.startsWith('title') ? 500 : undefined),
    'text-decoration': isStruck === true ? 'line-through' : undefined,
  });
}

function shapePath(shape: OutlineMark['shape']): string {
  if ('radius' in shape) return roundedPath(shape);
  const [first, ...others] = shape;
  let from = first;
  const lines = others.map((to) => {
    const line = to.y === from?.y ? `H${to.x}` : to.x === from?.x ? `V${to.y}` : `L${to.x} ${to.y}`;
    from = to;
    return line;
  });
  return first === undefined ? '' : `M${first.x} ${first.y}${lines.join('')}Z`;
}

/** Returns the path of a rectangle. Its left corners may be rounder, as far as its height allows. */
function roundedPath({
  x,
  y,
  width,
  height,
  radius,
  leftRadius = radius,
}: Extract<OutlineMark['shape'], { radius: number }>) {
  const [far, low] = [x + width, y + height];
  const left = Math.min(leftRadius, height / 2);
  return [
    `M${x + left} ${y}H${far - radius}A${radius} ${radius} 0 0 1 ${far} ${y + radius}`,
    `V${low - radius}A${radius} ${radius} 0 0 1 ${far - radius} ${low}`,
    `H${x + left}A${left} ${left} 0 0 1 ${x} ${low - left}`,
    `V${y + left}A${left} ${left} 0 0 1 ${x + left} ${y}Z`,
  ].join('');
}
