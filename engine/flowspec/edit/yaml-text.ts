/**
 * A YAML text with its tree and value, and where in the text the parts of the tree stand.
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
import { type JsonValue, jsonEquals } from '../json-value.ts';
import { readYaml, type SourceProblem } from '../yaml-source.ts';
import { yamlToJson } from '../yaml-to-json.ts';
import { lineEnd, lineStart, lookAtLine, nextLine } from './source-lines.ts';

export interface YamlText {
  /** Without a byte order mark. */
  readonly source: string;
  readonly root: ParsedNode;
  readonly value: JsonValue;
  readonly aliasTargets: ReadonlyMap<Alias, ParsedNode>;
}

export type YamlPair = Pair<ParsedNode, ParsedNode | null>;

/** Length in UTF-16 units up to which the text that was read last is kept with its tree, which takes far more memory. */
const maxKeptLength = 262_144;

/** What an edit was proven with is what the next edit begins with, so that each edit costs one reading. */
let lastRead: YamlText | undefined;

/** Reads a text that has no byte order mark; gives the first problem when it is no YAML. Nobody may change what it gives. */
export function readYamlText(source: string): YamlText | SourceProblem {
  if (lastRead?.source === source) return lastRead;
  const { root, problems } = readYaml(source);
  if (root === null) return problems[0] ?? { code: 'yaml.syntax', message: 'This is no YAML.', start: 0, end: 0 };
  const { value, aliasTargets } = yamlToJson(root);
  const read = { source, root, value, aliasTargets };
  lastRead = source.length <= maxKeptLength ? read : undefined;
  return read;
}

/**
 * Whether a text without a byte order mark is YAML of just this value. Always asked of the full parser: an edit is as safe
 * as what it is proven with, and a mistake of the quick reader must not let one through.
 */
export function hasValue(source: string, value: JsonValue): boolean {
  const read = readYamlText(source);
  return !('code' in read) && jsonEquals(read.value, value);
}

/** Part of the tree that only rewriting what stands around it can change. */
export class Unpatchable extends Error {}

/** The entries of a map by key; of equal keys the first counts, as in the value. */
export function pairsByKey(map: YAMLMap): ReadonlyMap<string, YamlPair> {
  const pairs = new Map<string, YamlPair>();
  for (const pair of map.items as YamlPair[]) {
    if (!isScalar(pair.key) || typeof pair.key.value !== 'string') continue;
    if (!pairs.has(pair.key.value)) pairs.set(pair.key.value, pair);
  }
  return pairs;
}

/** The tokens before a pair or item, of it, and behind its key. */
export function tokensOf(pair: YamlPair): CST.CollectionItem {
  if (pair.srcToken === undefined) throw new Unpatchable();
  return pair.srcToken;
}

/** The tokens of the items of a list. */
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

/** Where the last sign ends that stands before a value: its colon or dash, or with `withProps` its anchor or tag. */
export function introEnd(tokens: readonly CST.SourceToken[] | undefined, withProps: boolean): number | undefined {
  let end: number | undefined;
  for (const { type, offset, source } of tokens ?? []) {
    const counts = withProps ? introducers.has(type) : type === 'map-value-ind' || type === 'seq-item-ind';
    if (counts) end = offset + source.length;
  }
  return end;
}

/** Nothing stands where the value would: it is null. */
export function isAbsent(node: ParsedNode | null): boolean {
  return node === null || (isScalar(node) && node.range[0] === node.range[1] && node.srcToken === undefined);
}

export function isBlockText(node: ParsedNode): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
}

/** Where the text of a value ends: without comments, and without empty lines that mean nothing. */
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

/** Where an entry of a block map ends. */
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

/** Where the last line ends that is part of a block text: spaces behind the words of a line, and behind its indent, are content. */
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
 * Where the lines of a block item or entry in `column` end, before the line ending: with the comment behind it, and those
 * below it that stand deeper than it.
 */
export function blockEnd({ source }: YamlText, end: number, column: number): number {
  let last = lineEnd(source, end);
  for (let start = nextLine(source, last); start !== undefined; start = nextLine(source, start)) {
    const { kind, indent } = lookAtLine(source, start);
    if (kind === 'comment' && indent > column) last = lineEnd(source, start);
    else if (kind !== 'blank') break;
  }
  return last;
}

/** Where the lines of what begins at `start` begin: with the comment directly above it, but not what is deeper than it. */
export function blockStart({ source }: YamlText, start: number): number {
  const column = start - lineStart(source, start);
  let first = lineStart(source, start);
  while (first > 0) {
    const above = lineStart(source, first - 1);
    const { kind, indent } = lookAtLine(source, above);
    if (kind !== 'comment' || indent > column) break;
    first = above;
  }
  return first;
}

/** How many lines without content stand directly before the line that begins at `start`. */
export function blankLinesBefore({ source }: YamlText, start: number): number {
  let count = 0;
  for (let first = start; first > 0; count++) {
    first = lineStart(source, first - 1);
    if (lookAtLine(source, first).kind !== 'blank') break;
  }
  return count;
}
