/**
 * Searches workspace text: finds matches in lines and their positions in the text, and selects the files to search.
 */
import { EngineError } from '../../base/engine-error.ts';
import { globMatcher, type PathMatcher } from '../../base/glob.ts';

export interface SearchQuery {
  /** The text to find within single lines. */
  readonly text: string;
  /** Whether matching is case-sensitive. */
  readonly isCaseSensitive: boolean;
  /** Whether a match must not be next to a letter, a digit or `_`. */
  readonly isWholeWord: boolean;
  /** Whether the text is a JavaScript regular expression. */
  readonly isRegExp: boolean;
  /** Globs separated by commas; `''` for all files. A glob without `/` matches names in any folder. */
  readonly include: string;
  /** Like `include`; `''` for none. */
  readonly exclude: string;
}

interface LineSearch {
  /** Yields ranges in a line; both offsets count UTF-16 units from 0. */
  find(line: string): Iterable<{ readonly start: number; readonly end: number }>;
  /** Returns false if no line of the text can match; true if each line must be checked. */
  mayBeIn(text: string): boolean;
}

type LineQuery = Omit<SearchQuery, 'include' | 'exclude'>;

/** @throws EngineError `files.bad-pattern` with the error in the regular expression */
export function createLineSearch(query: LineQuery): LineSearch {
  const body = query.isRegExp ? query.text : query.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const source = query.isWholeWord ? `(?<![\\p{L}\\p{N}_])(?:${body})(?![\\p{L}\\p{N}_])` : body;
  const expression = compile(source, query);
  function* find(line: string): ReturnType<LineSearch['find']> {
    expression.lastIndex = 0;
    for (let match = expression.exec(line); match !== null; match = expression.exec(line)) {
      const start = match.index;
      const end = start + match[0].length;
      // Skips empty matches: `a*` matches between all letters, which is useless in a search.
      if (end > start) yield { start, end };
      else expression.lastIndex += (line.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    }
  }
  // Plain text can be searched in the entire text first. An expression's meaning may depend on line boundaries.
  return { find, mayBeIn: (text) => query.isRegExp || text.search(expression) !== -1 };
}

function compile(source: string, { text, isCaseSensitive, isRegExp, isWholeWord }: LineQuery): RegExp {
  const flags = isCaseSensitive ? 'gu' : 'giu';
  try {
    return new RegExp(source, flags);
  } catch (error) {
    // Without `u`, a lone `{` is a literal brace, which people often search for in bindings. Whole words require `u`.
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
    message: `${JSON.stringify(text)} is not a valid regular expression: ${reason}. Fix it, or turn off regular expressions.`,
    cause: error,
  });
}

/**
 * Selects the files that match `include`, or all files, without those that match `exclude`.
 * @returns a function that tests a path relative to the workspace, with `/`
 * @throws EngineError `files.bad-pattern` for invalid globs
 */
export function createFileFilter({ include, exclude }: Pick<SearchQuery, 'include' | 'exclude'>): PathMatcher {
  const isIncluded = matcherOf(include);
  const isExcluded = matcherOf(exclude);
  return (path) => isIncluded?.(path) !== false && isExcluded?.(path) !== true;
}

/** Returns undefined without globs. */
function matcherOf(globs: string): PathMatcher | undefined {
  const patterns = splitGlobs(globs).flatMap(patternsOf);
  if (patterns.length === 0) return undefined;
  try {
    const matchers = patterns.map((pattern) => globMatcher(pattern));
    return (path) => matchers.some((matches) => matches(path));
  } catch (error) {
    throw new EngineError({
      code: 'files.bad-pattern',
      message: `${JSON.stringify(globs)} is not a valid file filter. Write names with * and ?, separated by commas.`,
      cause: error,
    });
  }
}

/** Splits at commas outside braces: `*.{md,txt}` is one glob. */
function splitGlobs(globs: string): string[] {
  return (globs.match(/(?:\{[^{}]*\}|[^,])+/g) ?? []).map((glob) => glob.trim()).filter((glob) => glob !== '');
}

/** A folder matches everything in it. */
function patternsOf(glob: string): string[] {
  const bare = glob.replace(/^\.?\//, '').replace(/\/+$/, '');
  const placed = bare.includes('/') || glob.startsWith('./') || glob.startsWith('/') ? bare : `**/${bare}`;
  return [placed, `${placed}/**`];
}

/** A match with an excerpt of its line. */
export interface SearchMatch {
  /** Line number, starting from 1. */
  readonly line: number;
  /** Column, starting from 1, in UTF-16 units of the line in the file; a byte order mark counts. */
  readonly column: number;
  /** Length in UTF-16 units. */
  readonly length: number;
  /** Excerpt of the line, at most 300 units. Starts at the first non-blank character, or shortly before the match. */
  readonly text: string;
  /** Start and end of the match in `text`; the match may be truncated. */
  readonly start: number;
  readonly end: number;
}

/** Maximum length of an excerpt in UTF-16 units. */
const longestPiece = 300;
const longestBefore = 60;
const mark = '\uFEFF';

/** Returns up to `most` matches in a text, in order. */
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

/** Splits lines as editors do: after `\n`, `\r\n` and `\r`. */
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

/** Returns the offset, or the preceding one if the offset would split a surrogate pair. */
function whole(line: string, at: number): number {
  const isBetween = /[\uDC00-\uDFFF]/.test(line[at] ?? '') && /[\uD800-\uDBFF]/.test(line[at - 1] ?? '');
  return isBetween ? at - 1 : at;
}
