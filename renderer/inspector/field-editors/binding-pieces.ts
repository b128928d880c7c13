/**
 * Where bindings stand in a text, and how one is put in while it is typed.
 */

interface TextPiece {
  readonly start: number;
  readonly text: string;
  readonly isBinding: boolean;
}

const tokenPattern = /(\\?\{\{[^{}]*\}\})/;

/** Plain stretches and bindings as they follow each other; braces behind a backslash are plain. */
export function textPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = 0;
  for (const piece of text.split(tokenPattern)) {
    if (piece !== '') pieces.push({ start, text: piece, isBinding: piece.startsWith('{{') });
    start += piece.length;
  }
  return pieces;
}

/** A binding that is being typed. */
interface OpenBinding {
  /** Where its path begins and ends; it may reach behind the caret. */
  readonly start: number;
  readonly end: number;
  /** The path up to the caret. */
  readonly query: string;
}

/** The binding whose path the caret is in; null = it is in none. */
export function bindingAt(text: string, caret: number): OpenBinding | null {
  const before = /(?<!\\)\{\{\s*\??\s*([^\s|{}]*)$/.exec(text.slice(0, caret));
  if (before === null) return null;
  const query = before[1] ?? '';
  const rest = /^[^\s|{}]*/.exec(text.slice(caret))?.[0] ?? '';
  return { start: caret - query.length, end: caret + rest.length, query };
}

/** The end that a binding gets as soon as it is begun: when its second brace was typed just now, and has no end behind it. */
export function closeBinding(text: string, caret: number): string {
  const isBegun = /(?<!\\)(?<!\{)\{\{$/.test(text.slice(0, caret));
  return isBegun && !/^[^{]*\}\}/.test(text.slice(caret)) ? `${text.slice(0, caret)}}}${text.slice(caret)}` : text;
}

/** Whether a brace that is typed here is the one that stands here already: the end of the binding around the caret. */
export function isTypedOver(text: string, caret: number): boolean {
  return text[caret] === '}' && /(?<!\\)\{\{[^{}]*\}?$/.test(text.slice(0, caret));
}

/** The text with the path in the place of what was typed of it, closed when it was not, and the caret behind it. */
export function putBinding(text: string, { start, end }: OpenBinding, path: string): { text: string; caret: number } {
  const rest = text.slice(end);
  const closing = /^\s*(?:\|[^{}]*)?\}\}/.exec(rest)?.[0];
  const put = `${text.slice(0, start)}${path}${closing === undefined ? '}}' : ''}`;
  return { text: put + rest, caret: put.length + (closing?.length ?? 0) };
}
