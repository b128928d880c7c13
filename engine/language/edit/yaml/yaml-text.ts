/**
 * YAML text with its tree and value, and the positions of the tree's parts.
 */
import {
  type Alias,
  type CST,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type JsonValue, jsonEquals } from '../../json/json-value.ts';
import { readYaml, type SourceProblem } from '../../yaml/yaml-source.ts';
import { yamlToJson } from '../../yaml/yaml-to-json.ts';
import { classifyLine, lineEnd, lineStart, nextLine } from './source-lines.ts';

export interface YamlText {
  /** The text without a byte order mark. */
  readonly source: string;
  readonly root: ParsedNode;
  readonly value: JsonValue;
  readonly aliasTargets: ReadonlyMap<Alias, ParsedNode>;
}

export type YamlPair = Pair<ParsedNode, ParsedNode | null>;

/** Maximum length in UTF-16 units for caching the last parsed text with its tree, which uses far more memory. */
const maxKeptLength = 262_144;

/** The text that verified an edit is the start of the next edit, so each edit needs only one parse. */
let lastRead: YamlText | undefined;

/**
 * Parses text without a byte order mark; returns the first problem if it is not valid YAML. The result must not be
 * modified.
 */
export function readYamlText(source: string): YamlText | SourceProblem {
  if (lastRead?.source === source) return lastRead;
  const { root, problems } = readYaml(source);
  if (root === null)
    return problems[0] ?? { code: 'yaml.syntax', message: 'This is not valid YAML.', start: 0, end: 0 };
  const { value, aliasTargets } = yamlToJson(root);
  const read = { source, root, value, aliasTargets };
  lastRead = source.length <= maxKeptLength ? read : undefined;
  return read;
}

/**
 * Whether text without a byte order mark is YAML with exactly this value. Always uses the full parser, so that an error
 * in the fast parser cannot let an incorrect edit through.
 */
export function hasValue(source: string, value: JsonValue): boolean {
  const read = readYamlText(source);
  return !('code' in read) && jsonEquals(read.value, value);
}

/** Thrown for a part of the tree that can be changed only by rewriting its surroundings. */
export class Unpatchable extends Error {}

/** Returns a map's entries by key. The first of several equal keys counts, as in the value. */
export function pairsByKey(map: YAMLMap): ReadonlyMap<string, YamlPair> {
  const pairs = new Map<string, YamlPair>();
  for (const pair of map.items as YamlPair[]) {
    if (!isScalar(pair.key) || typeof pair.key.value !== 'string') continue;
    if (!pairs.has(pair.key.value)) pairs.set(pair.key.value, pair);
  }
  return pairs;
}

/** Returns the tokens before, in and after the key of a pair or item. */
export function tokensOf(pair: YamlPair): CST.CollectionItem {
  if (pair.srcToken === undefined) throw new Unpatchable();
  return pair.srcToken;
}

/** Returns a list's item tokens. */
export function itemTokens(list: YAMLSeq): readonly CST.CollectionItem[] {
  const { srcToken } = list;
  if (srcToken?.type === 'block-seq') return srcToken.items;
  if (srcToken?.type !== 'flow-collection') throw new Unpatchable();
  return srcToken.items.filter(({ key, sep, value }) => key !== undefined || sep !== undefined || value !== undefined);
}

const introducers: ReadonlySet<string> = new Set([
  'map-value-ind',
  'seq-item-ind',
  'anchor',
  'tag',
  'explicit-key-ind',
]);

/** Returns the end of the last token before a value: its colon or dash or, with `withProps`, its anchor or tag. */
export function introEnd(tokens: readonly CST.SourceToken[] | undefined, withProps: boolean): number | undefined {
  let end: number | undefined;
  for (const { type, offset, source } of tokens ?? []) {
    const counts = withProps ? introducers.has(type) : type === 'map-value-ind' || type === 'seq-item-ind';
    if (counts) end = offset + source.length;
  }
  return end;
}

/** Whether there is no text for the value, which makes it null. */
export function isAbsent(node: ParsedNode | null): boolean {
  return node === null || (isScalar(node) && node.range[0] === node.range[1] && node.srcToken === undefined);
}

export function isBlockText(node: ParsedNode): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
}

/** Returns the end of a value's text, without comments and meaningless blank lines. */
export function contentEnd(text: YamlText, node: ParsedNode): number {
  if (isAlias(node) || !isCollection(node)) return scalarEnd(text.source, node);
  if (node.flow === true) return node.range[1];
  if (isMap(node)) {
    const last = node.items.at(-1) as YamlPair | undefined;
    return last === undefined ? node.range[1] : pairEnd(text, last);
  }
  const last = node.items.at(-1) as ParsedNode | undefined;
  return last === undefined || isAbsent(last)
    ? (introEnd(itemTokens(node).at(-1)?.start, true) ?? node.range[1])
    : contentEnd(text, last);
}

/** Returns the end of a block map entry. */
export function pairEnd(text: YamlText, pair: YamlPair): number {
  if (pair.value !== null && !isAbsent(pair.value)) return contentEnd(text, pair.value);
  return introEnd(tokensOf(pair).sep, true) ?? pair.key.range[1];
}

function scalarEnd(source: string, node: ParsedNode): number {
  const [start, end] = node.range;
  if (!isBlockText(node)) return end;
  const header = source.slice(start, lineEnd(source, start));
  if (/^[|>]\d?\+/.test(header)) return source[end - 1] === '\n' ? lineEnd(source, lineStart(source, end - 1)) : end;
  return blockTextEnd(source, { start, end, header });
}

/** Returns the end of a block text's last line. Spaces after a line's words and after its indentation are content. */
function blockTextEnd(
  source: string,
  { start, end, header }: { readonly start: number; readonly end: number; readonly header: string },
): number {
  let last = start + header.trimEnd().length;
  let indent: number | undefined;
  for (let at = nextLine(source, start); at !== undefined && at < end; at = nextLine(source, at)) {
    const stop = Math.min(lineEnd(source, at), end);
    const line = source.slice(at, stop);
    const first = line.search(/[^ ]/);
    if (first !== -1) indent ??= first;
    if (first !== -1 || (indent !== undefined && line.length > indent)) last = stop;
  }
  return last;
}

/**
 * Returns the end of the lines of a block item or entry in `column`, before the line break. Includes the comment after
 * it and more deeply indented comments below it.
 */
export function blockEnd({ source }: YamlText, end: number, column: number): number {
  let last = lineEnd(source, end);
  for (let start = nextLine(source, last); start !== undefined; start = nextLine(source, start)) {
    const { kind, indent } = classifyLine(source, start);
    if (kind === 'comment' && indent > column) last = lineEnd(source, start);
    else if (kind !== 'blank') break;
  }
  return last;
}

/**
 * Returns the start of the lines of the content at `start`. Includes comments directly above it, unless they are
 * indented more deeply.
 */
export function blockStart({ source }: YamlText, start: number): number {
  const column = start - lineStart(source, start);
  let first = lineStart(source, start);
  while (first > 0) {
    const above = lineStart(source, first - 1);
    const { kind, indent } = classifyLine(source, above);
    if (kind !== 'comment' || indent > column) break;
    first = above;
  }
  return first;
}

/** Returns the number of lines without content directly before the line that starts at `start`. */
export function blankLinesBefore({ source }: YamlText, start: number): number {
  let count = 0;
  for (let first = start; first > 0; count++) {
    first = lineStart(source, first - 1);
    if (classifyLine(source, first).kind !== 'blank') break;
  }
  return count;
}
