/**
 * Renders a whole flow as one SVG that looks like the canvas. It is self-contained: no styles, no scripts, and fonts by
 * name.
 */
import type { GroupDoc, NoteDoc } from '../../../engine/isomorphic.ts';
import { borderOf } from '../../card/card-drawing.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { cutText, wrapParts } from '../../card/text-wrap.ts';
import { failureBranch } from '../../stores/flow/branches.ts';
import type { EdgeState } from '../edges/edge-state.ts';
import { edgeHead, edgeLine, labelPlace } from '../geometry/edge-path.ts';
import type { Rect } from '../geometry/rect.ts';
import { labelSize, lineOffset } from '../projection/edge-label.ts';
import { cardSvg } from './card-svg.ts';
import type { FlowPicture } from './flow-picture.ts';
import { mixColors, type PictureStyle } from './picture-style.tsx';
import { escapeXml, svgTag, svgText } from './svg-markup.ts';
import { triggerSvg } from './trigger-svg.ts';

export interface SvgPicture {
  readonly svg: string;
  /** Width in pixels at 100 %. */
  readonly width: number;
  readonly height: number;
}

/** Renders a flow. `styles` is inserted unchanged, to embed fonts. */
export function flowSvg(picture: FlowPicture, style: PictureStyle, styles = ''): SvgPicture {
  const { area, title } = picture;
  const width = Math.ceil(area.right - area.left);
  const height = Math.ceil(area.bottom - area.top);
  const [left, top] = [Math.floor(area.left), Math.floor(area.top)];
  const content = [
    `<title>${escapeXml(title)}</title>`,
    styles === '' ? '' : `<style>${styles}</style>`,
    svgTag('rect', { x: left, y: top, width, height, fill: style.canvas }),
    ...picture.groups.map((group) => groupSvg(group, style)),
    ...picture.frames.map((frame) => frameSvg(frame, style)),
    ...picture.notes.map((note) => noteSvg(note, style)),
    ...wireSvg(picture, style),
    ...picture.triggers.map((trigger) => triggerSvg(trigger, style)),
    ...picture.edges.map((edge) => edgeSvg(edge, picture, style)),
    ...picture.cards.map((card) => cardSvg(card, picture.direction, style)),
  ];
  const svg = svgTag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `${left} ${top} ${width} ${height}`,
      'font-family': style.font,
      fill: 'none',
    },
    content.join('\n'),
  );
  return { svg, width, height };
}

function frameSvg({ left, top, right, bottom, state }: FlowPicture['frames'][number], style: PictureStyle): string {
  const { role, line, dash } = borderOf(state);
  const stroke = role === 'state' ? style.states[state] : style.line;
  const place = { x: left + 0.5, y: top + 0.5, width: right - left - 1, height: bottom - top - 1 };
  const header = top + cardMetrics.headerHeight - 0.5;
  return (
    svgTag('rect', {
      ...place,
      rx: 16,
      fill: mixColors(style.text, style.canvas, 0.025),
      stroke,
      'stroke-width': line,
      'stroke-dasharray': dash,
    }) + svgTag('path', { d: `M${left} ${header}H${right}`, stroke: style.line, 'stroke-dasharray': '3 3' })
  );
}

function groupSvg({ group, x, y, width, height }: Rect & { readonly group: GroupDoc }, style: PictureStyle): string {
  const colors = paperColors(style.paper[group.color ?? 'grey'], style, 0.06);
  const title = cutText(group.title, width - 24, (text) => style.measure(text, 'title'));
  return (
    svgTag('rect', { x, y, width, height, rx: 16, ...colors }) +
    svgText(title, { x: x + 12, y: y + 24, fill: style.textTwo, 'font-size': 13, 'font-weight': 500 })
  );
}

/** Returns the background and border colors of a note or frame in one of the layout's colors. */
function paperColors(
  paper: string,
  style: PictureStyle,
  part: number,
): { readonly fill: string; readonly stroke: string } {
  return { fill: mixColors(paper, style.canvas, part), stroke: mixColors(paper, style.canvas, 0.34) };
}

const noteLine = 18;
const notePadding = { x: 12, y: 10 } as const;

/** Returns a line of markdown without its syntax. Headings and lines that are entirely bold are marked as strong. */
function plainLine(line: string): { readonly text: string; readonly isStrong: boolean } {
  const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
  const text = (heading ?? line).replace(/^\s*[-*+]\s+/, '• ').replace(/\*\*|__|`/g, '');
  return { text, isStrong: heading !== undefined || /^\*\*.*\*\*$/.test(line.trim()) };
}

function noteSvg({ x, y, width, height, text, color = 'amber' }: NoteDoc, style: PictureStyle): string {
  const most = Math.floor((height - 2 * notePadding.y) / noteLine);
  const drawn: string[] = [];
  for (const line of text.split('\n').map(plainLine)) {
    if (drawn.length >= most) break;
    const room = { width: width - 2 * notePadding.x, lines: most - drawn.length };
    const wrapped = wrapParts([line.text], room, style.measure);
    for (const words of wrapped.length === 0 ? [[]] : wrapped) {
      const attributes = {
        x: x + notePadding.x,
        y: y + notePadding.y + 13 + drawn.length * noteLine,
        fill: line.isStrong ? style.text : style.textTwo,
        'font-size': 12,
        'font-weight': line.isStrong ? 600 : undefined,
      };
      drawn.push(svgText(words.map((word) => word.text).join(' '), attributes));
    }
  }
  const colors = paperColors(style.paper[color], style, 0.11);
  return svgTag('rect', { x, y, width, height, rx: 6, ...colors }) + drawn.join('');
}

function wireSvg({ triggers, wires }: FlowPicture, style: PictureStyle): readonly string[] {
  const on = new Set(triggers.flatMap(({ doc, isOn }) => (isOn ? [doc.id] : [])));
  const off = { opacity: 0.5, 'stroke-dasharray': '3 4' };
  return [
    ...wires.lines.map(({ id, path: d }) =>
      svgTag('path', { d, stroke: style.edge, 'stroke-width': 1.5, ...(on.has(id) ? {} : off) }),
    ),
    ...[...wires.heads.values()].map((d) => svgTag('path', { d, fill: style.edge })),
  ];
}

interface EdgeColors {
  readonly line: string;
  readonly width: number;
  readonly words: string;
  readonly border: string;
}

function edgeColors(state: EdgeState, style: PictureStyle): EdgeColors {
  if (state === 'taken') return { line: style.edgeTaken, width: 2, words: style.text, border: style.edgeTaken };
  if (state === 'tolerated') {
    return { line: style.states.tolerated, width: 2, words: style.text, border: style.states.tolerated };
  }
  if (state === 'live') return { line: style.edgeLive, width: 1.5, words: style.text, border: style.edgeLive };
  return { line: style.edge, width: 1.5, words: style.textTwo, border: style.line };
}

function dashOf(state: EdgeState, isFailure: boolean): string | undefined {
  if (state === 'not-taken') return '3 4';
  if (state === 'tolerated') return '5 4';
  return state === 'idle' && isFailure ? '8 4' : undefined;
}

function edgeSvg(
  { edge, state }: FlowPicture['edges'][number],
  { direction }: FlowPicture,
  style: PictureStyle,
): string {
  if (edge.data === undefined) return '';
  const { route, routedEnds: ends, label, labelSide } = edge.data;
  const drawn = { ends, route, direction };
  const colors = edgeColors(state, style);
  const isMissed = state === 'not-taken';
  const line = svgTag(
    'g',
    { opacity: isMissed && style.isFading ? 0.4 : undefined },
    svgTag('path', {
      d: edgeLine(drawn),
      stroke: colors.line,
      'stroke-width': colors.width,
      'stroke-dasharray': dashOf(state, edge.sourceHandle === failureBranch),
    }) + svgTag('path', { d: edgeHead(ends, direction), fill: colors.line }),
  );
  if (label === null) return line;
  const { width, height } = labelSize(label);
  const { x, y } = labelPlace(drawn, { width, height, side: labelSide });
  const words = label.lines.map((text, index) =>
    svgText(text, {
      x,
      y: y + lineOffset(label, index) + 3.5,
      fill: colors.words,
      'text-anchor': 'middle',
      'font-family': style.mono,
      'font-size': 11,
    }),
  );
  return (
    line +
    svgTag('rect', {
      x: x - width / 2,
      y: y - height / 2,
      width,
      height,
      rx: 9,
      fill: style.canvas,
      stroke: colors.border,
    }) +
    words.join('')
  );
}
