/**
 * The colours of TOML. Texts of several lines are taken for one only up to the end of a line: options have none.
 */
import type { LineToken, TokenName } from './line-token.ts';

const part =
  /(?<comment>#.*$)|(?<string>"(?:\\.|[^"\\])*"?|'[^']*'?)|(?<key>[\w.-]+(?=\s*=))|(?<table>^\s*\[\[?[^\]]*\]?\]?)|(?<number>[+-]?\d[\w.:+-]*|\b(?:true|false|inf|nan)\b)/g;

const kinds: readonly (readonly [group: string, name: TokenName])[] = [
  ['comment', 'comment'],
  ['string', 'string'],
  ['key', 'key'],
  ['table', 'heading'],
  ['number', 'number'],
];

/** The tokens of a line, without its end. */
export function tomlTokens(line: string): readonly LineToken[] {
  const tokens: LineToken[] = [{ start: 0, name: '' }];
  for (const { index, 0: found, groups = {} } of line.matchAll(part)) {
    const name = kinds.find(([group]) => groups[group] !== undefined)?.[1] ?? '';
    tokens.push({ start: index, name }, { start: index + found.length, name: '' });
  }
  return tokens;
}
