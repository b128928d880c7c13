/**
 * The name of a card in the lines that it may have.
 */
export interface TitleRoom {
  /** Of the letters, in pixels at 100 %. */
  readonly size: number;
  /** Width of a line. */
  readonly room: number;
  readonly most: number;
}

/** What measures text in the font that is set. */
export interface TextMeasure {
  measureText(text: string): { readonly width: number };
}

const known = new Map<string, readonly string[]>();
const mostKnown = 20_000;

/** Breaks a name between words, or within one that is too long, and cuts what does not fit. Each is measured once. */
export function fitTitle(measure: TextMeasure, title: string, { size, room, most }: TitleRoom): readonly string[] {
  const key = `${size} ${room} ${title}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const lines = breakTitle(measure, title, { size, room, most });
  known.set(key, lines);
  return lines;
}

function breakTitle(measure: TextMeasure, title: string, { room, most }: TitleRoom): string[] {
  const fits = (text: string): boolean => measure.measureText(text).width <= room;
  const lines: string[] = [];
  let rest = title;
  while (rest !== '' && lines.length < most) {
    const isLast = lines.length === most - 1;
    if (fits(rest)) {
      lines.push(rest);
      break;
    }
    const length = longestFitting(rest, isLast ? (text) => fits(`${text}…`) : fits);
    const space = isLast ? -1 : rest.lastIndexOf(' ', length);
    const end = space > 0 ? space : length;
    lines.push(isLast ? `${rest.slice(0, end)}…` : rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

/** At least one letter. */
function longestFitting(text: string, fits: (part: string) => boolean): number {
  let [from, to] = [1, text.length];
  while (from < to) {
    const half = Math.ceil((from + to) / 2);
    if (fits(text.slice(0, half))) from = half;
    else to = half - 1;
  }
  return from;
}
