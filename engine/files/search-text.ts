/**
 * What a person looks for in the texts of a workspace: what finds it in a line, where it stands in a text, and which files are
 * meant.
 */
import { EngineError } from '../base/engine-error.ts';
import { globMatcher, type PathMatcher } from '../base/glob.ts';

export interface SearchQuery {
  /** Looked for within single lines. */
  readonly text: string;
  /** `A` and `a` differ. */
  readonly isCaseSensitive: boolean;
  /** Neither a letter nor a digit nor `_` stands right beside a match. */
  readonly isWholeWord: boolean;
  /** The text is a regular expression of JavaScript. */
  readonly isRegExp: boolean;
  /** Globs with commas between them; `''` = all files. One without `/` means names in any folder. */
  readonly include: string;
  /** As `include`; `''` = none. */
  readonly exclude: string;
}

interface LineSearch {
  /** Places in a line; both count UTF-16 units from 0. */
  find(line: string): Iterable<{ readonly start: number; readonly end: number }>;
  /** False for a text that has no match in any of its lines; true when only a look at each line can tell. */
  mayBeIn(text: string): boolean;
}

type LineQuery = Omit<SearchQuery, 'include' | 'exclude'>;

/** @throws EngineError `files.bad-pattern` with what is wrong with the regular expression */
export function createLineSearch(query: LineQuery): LineSearch {
  const body = query.isRegExp ? query.text : query.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const source = query.isWholeWord ? `(?<![\\p{L}\\p{N}_])(?:${body})(?![\\p{L}\\p{N}_])` : body;
  const expression = compile(source, query);
  function* find(line: string): ReturnType<LineSearch['find']> {
    expression.lastIndex = 0;
    for (let match = expression.exec(line); match !== null; match = expression.exec(line)) {
      const start = match.index;
      const end = start + match[0].length;
      // `a*` matches nothing between all letters, which is of no use to anybody.
      if (end > start) yield { start, end };
      else expression.lastIndex += (line.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    }
  }
  // Words without signs match in a line or nowhere; what an expression means may depend on where lines end.
  return { find, mayBeIn: (text) => query.isRegExp || text.search(expression) !== -1 };
}

function compile(source: string, { text, isCaseSensitive, isRegExp, isWholeWord }: LineQuery): RegExp {
  const flags = isCaseSensitive ? 'gu' : 'giu';
  try {
    return new RegExp(source, flags);
  } catch (error) {
    // Without `u` a lone `{` is a brace, which is much looked for in bindings; whole words need `u`.
    const loose = isRegExp && !isWholeWord ? compileLoosely(source, flags.replace('u', '')) : undefined;
    if (loose !== undefined) return loose;
    throw badPattern(text, error);
  }
}

function compileLoosely(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

function badPattern(text: string, error: unknown): EngineError {
  const reason = (error instanceof Error ? error.message : String(error)).split(': ').at(-1);
  return new EngineError({
    code: 'files.bad-pattern',
    message: `${JSON.stringify(text)} is no regular expression: ${reason}. Mend it, or switch regular expressions off.`,
    cause: error,
  });
}

/**
 * Which files are searched: those that `include` names, or all, without those that `exclude` names.
 * @returns tells it of a path relative to the workspace, with `/`
 * @throws EngineError `files.bad-pattern` for globs that cannot be read
 */
export function createFileFilter({ include, exclude }: Pick<SearchQuery, 'include' | 'exclude'>): PathMatcher {
  const isIncluded = matcherOf(include);
  const isExcluded = matcherOf(exclude);
  return (path) => isIncluded?.(path) !== false && isExcluded?.(path) !== true;
}

/** Undefined for no globs at all. */
function matcherOf(globs: string): PathMatcher | undefined {
  const patterns = splitGlobs(globs).flatMap(patternsOf);
  if (patterns.length === 0) return undefined;
  try {
    const matchers = patterns.map((pattern) => globMatcher(pattern));
    return (path) => matchers.some((matches) => matches(path));
  } catch (error) {
    throw new EngineError({
      code: 'files.bad-pattern',
      message: `${JSON.stringify(globs)} names no files. Write names with * and ?, and commas between them.`,
      cause: error,
    });
  }
}

/** At commas, but not at those in braces: `*.{md,txt}` is one. */
function splitGlobs(globs: string): string[] {
  return (globs.match(/(?:\{[^{}]*\}|[^,])+/g) ?? []).map((glob) => glob.trim()).filter((glob) => glob !== '');
}

/** A folder stands for all below it. */
function patternsOf(glob: string): string[] {
  const bare = glob.replace(/^\.?\//, '').replace(/\/+$/, '');
  const placed = bare.includes('/') || glob.startsWith('./') || glob.startsWith('/') ? bare : `**/${bare}`;
  return [placed, `${placed}/**`];
}

/** A match, with as much of its line as a list shows. */
export interface SearchMatch {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units of the file's own line; a byte order mark counts. */
  readonly column: number;
  /** UTF-16 units. */
  readonly length: number;
  /** A piece of the line, at most 300 units: from its first sign, or from shortly before the match. */
  readonly text: string;
  /** Where the match begins in `text`, and where it ends there, which may be earlier than it really does. */
  readonly start: number;
  readonly end: number;
}

/** UTF-16 units. */
const longestPiece = 300;
const longestBefore = 60;
const mark = '\uFEFF';

/** The matches of a text, in its order; at most `most`. */
export function searchText(text: string, search: LineSearch, most: number): readonly SearchMatch[] {
  if (!search.mayBeIn(text)) return [];
  const found: SearchMatch[] = [];
  let lineNumber = 0;
  for (const written of linesOf(text)) {
    lineNumber += 1;
    const before = lineNumber === 1 && written.startsWith(mark) ? 1 : 0;
    const line = written.slice(before);
    for (const { start, end } of search.find(line)) {
      if (found.length === most) return found;
      const column = start + before + 1;
      found.push({ line: lineNumber, column, length: end - start, ...pieceOf(line, start, end) });
    }
  }
  return found;
}

/** As editors count them: after `\n`, `\r\n` and `\r`. */
function* linesOf(text: string): Iterable<string> {
  const ends = /\r\n|\n|\r/g;
  let start = 0;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(start, end.index);
    start = ends.lastIndex;
  }
  yield text.slice(start);
}

function pieceOf(line: string, start: number, end: number): Pick<SearchMatch, 'text' | 'start' | 'end'> {
  const indent = line.length - line.trimStart().length;
  const from = whole(line, Math.max(Math.min(indent, start), start - longestBefore));
  const to = whole(line, Math.min(line.length, from + longestPiece));
  return { text: line.slice(from, to), start: start - from, end: Math.min(end, to) - from };
}

/** The place, or the one before when it lies between the two halves of a character. */
function whole(line: string, at: number): number {
  const isBetween = /[\uDC00-\uDFFF]/.test(line[at] ?? '') && /[\uD800-\uDBFF]/.test(line[at - 1] ?? '');
  return isBetween ? at - 1 : at;
}
