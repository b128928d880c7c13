/**
 * Paints the marks of a card on a canvas that already has the transform of the flow.
 */
import type { BoxMark, CardDrawing, CardMark, OutlineMark, RingMark, TextMark } from '../../card/card-marks.ts';
import { colorOf, fontOf, type PaintTokens } from '../../card/card-tokens.ts';

type Context = CanvasRenderingContext2D;

/** Position and style for painting marks. */
interface MarkSheet {
  readonly tokens: PaintTokens;
  /** Left side of the card, in flow coordinates. */
  readonly left: number;
  readonly top: number;
  readonly zoom: number;
}

/** Paints a card without its icons, which are not available as marks. */
export function paintMarks(context: Context, drawing: CardDrawing, sheet: MarkSheet): void {
  for (const mark of drawing.marks) {
    context.globalAlpha = mark.opacity ?? 1;
    paintMark(context, mark, drawing, sheet);
  }
  context.globalAlpha = 1;
}

function paintMark(context: Context, mark: CardMark, drawing: CardDrawing, sheet: MarkSheet): void {
  const { tokens, left, top } = sheet;
  const color = colorOf(mark.role, drawing, tokens);
  switch (mark.kind) {
    case 'box':
      context.fillStyle = color;
      fillBox(context, mark, sheet);
      break;
    case 'outline':
      paintOutline(context, mark, sheet, { line: color, fill: mark.fill && colorOf(mark.fill, drawing, tokens) });
      break;
    case 'text':
      context.fillStyle = color;
      paintText(context, mark, sheet);
      break;
    case 'dot':
      context.fillStyle = color;
      context.beginPath();
      context.arc(left + mark.x, top + mark.y, mark.radius, 0, 2 * Math.PI);
      context.fill();
      break;
    case 'ring':
      paintRing(context, mark, sheet, color);
      break;
    case 'icon':
      break;
  }
}

function fillBox(
  context: Context,
  { x, y, width, height, radius, leftRadius }: Omit<BoxMark, 'kind' | 'role'>,
  { left, top }: MarkSheet,
): void {
  if (radius === 0) {
    context.fillRect(left + x, top + y, width, height);
    return;
  }
  context.beginPath();
  context.roundRect(left + x, top + y, width, height, radiiOf(radius, leftRadius));
  context.fill();
}

function radiiOf(radius: number, leftRadius = radius): number | number[] {
  return leftRadius === radius ? radius : [leftRadius, radius, radius, leftRadius];
}

function paintOutline(
  context: Context,
  { shape, line }: OutlineMark,
  { left, top }: MarkSheet,
  colors: { readonly line: string; readonly fill: string | null },
): void {
  context.beginPath();
  if ('radius' in shape) {
    const { x, y, width, height, radius, leftRadius } = shape;
    context.roundRect(left + x, top + y, width, height, radiiOf(radius, leftRadius));
  } else {
    shape.forEach(({ x, y }, index) => {
      if (index === 0) context.moveTo(left + x, top + y);
      else context.lineTo(left + x, top + y);
    });
    context.closePath();
  }
  if (colors.fill !== null) {
    context.fillStyle = colors.fill;
    context.fill();
  }
  context.lineWidth = line;
  context.strokeStyle = colors.line;
  context.stroke();
}

function paintText(
  context: Context,
  { text, x, y, level, align, letters }: TextMark,
  { tokens, left, top }: MarkSheet,
): void {
  context.font = fontOf(letters, tokens);
  context.textBaseline = level === 'middle' ? 'middle' : 'alphabetic';
  context.textAlign = align ?? 'start';
  context.fillText(text, left + x, top + y);
}

/** The background of the canvas is visible between the ring and the card. */
function paintRing(context: Context, mark: RingMark, sheet: MarkSheet, color: string): void {
  const { zoom, tokens } = sheet;
  const outer = Math.max(mark.reach, mark.leastReach / zoom);
  const inner = outer - Math.max(mark.line, mark.leastLine / zoom);
  context.fillStyle = color;
  fillBox(context, widened(mark, outer), sheet);
  if (inner <= 0) return;
  context.fillStyle = tokens.canvas;
  fillBox(context, widened(mark, inner), sheet);
}

function widened({ x, y, width, height, radius }: RingMark, by: number): Omit<BoxMark, 'kind' | 'role'> {
  return {
    x: x - by,
    y: y - by,
    width: width + 2 * by,
    height: height + 2 * by,
    radius: radius === 0 ? 0 : radius + by,
  };
}
