/**
 * Implements the globs used by flows, searches and scripts: `*` and `?` within a name, `**` across folders, `{a,b}` and
 * `[..]`, and `\` to escape a character. The lengths of glob and path limit the matching time. As a regular expression,
 * `*a*a*a*a*b` can take minutes for a single name and would block all runs.
 */
import { EngineError } from './engine-error.ts';

interface GlobOptions {
  /** Whether names that start with a dot match only if the glob contains the dot. */
  readonly hidesDotNames?: boolean;
  /** Whether `*` also matches slashes. */
  readonly starsCrossFolders?: boolean;
}

/** Tests paths with `/`; a leading `./` is ignored. */
export type PathMatcher = (path: string) => boolean;

/**
 * Creates the matcher of one glob, in which `!` has no special meaning.
 * @throws EngineError `files.bad-glob` if it is longer than any path or expands to too many globs
 */
export function globMatcher(glob: string, options: GlobOptions = {}): PathMatcher {
  const { hidesDotNames = false, starsCrossFolders = false } = options;
  const alternatives = withoutBraces(withoutDot(glob));
  if (starsCrossFolders) {
    const signs = alternatives.map(readSigns);
    return (path) => {
      const characters = charactersOf(withoutDot(path));
      return signs.some((one) => matchesAll(one, characters, isSign));
    };
  }
  const patterns = alternatives.map(readSegments);
  const matches = hidesDotNames ? matchesShown : matchesSegment;
  const skips = hidesDotNames ? isShown : undefined;
  return (path) => {
    const names = withoutDot(path).split('/');
    return patterns.some((pattern) => matchesAll(pattern, names, matches, skips));
  };
}

/** Splits a glob into its fixed leading folders (`''` if none) and the rest (`''` for a plain path). */
export function splitGlob(glob: string): { readonly base: string; readonly pattern: string } {
  const parts = glob.split('/');
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  if (first === -1) return { base: glob, pattern: '' };
  const base = parts.slice(0, first).join('/');
  return { base: first === 1 && base === '' ? '/' : base, pattern: parts.slice(first).join('/') };
}

/**
 * Returns the maximum depth, including the file name, of the paths that a glob can match. Deeper folders need not be
 * searched.
 */
export function depthOfGlob(glob: string): number {
  return /\*\*|\{/.test(glob) ? Number.POSITIVE_INFINITY : glob.split('/').length;
}

/** Returns whether a glob starts with `!` and so excludes matches of other globs. */
export function isNegated(glob: string): boolean {
  return glob.startsWith('!');
}

/** Creates a matcher for paths that match at least one glob and none of the globs that start with `!`. */
export function globsMatcher(globs: readonly string[]): PathMatcher {
  const taken = globs.filter(isNegated).map((glob) => globMatcher(glob.slice(1)));
  const given = globs.filter((glob) => !isNegated(glob)).map((glob) => globMatcher(glob));
  return (path) => given.some((matches) => matches(path)) && !taken.some((matches) => matches(path));
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/** An element of a glob: a specific character, any character, any number of characters, or a character class. */
type Sign = string | 'any' | 'many' | CharacterClass;

interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** `**` between slashes, which matches any number of folders. */
const folders = Symbol('folders');

/** The part between two slashes; a string if it is a name without wildcards. */
type GlobSegment = string | readonly Sign[] | typeof folders;

/** Limits expansion, because `{a,b}{a,b}…` doubles with each pair. */
const maxAlternatives = 1000;

/** Maximum length of a file path. */
const maxLength = 4096;

/** Expands `{a,b}` to all alternatives. Braces can be nested. */
function withoutBraces(glob: string): readonly string[] {
  if (glob.length > maxLength) throw badGlob(glob, `is longer than ${maxLength} characters. Shorten it`);
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const pair = innermostPair(one);
    if (pair === undefined) done.push(one);
    else open.push(...pair);
    if (done.length + open.length > maxAlternatives) {
      throw badGlob(glob, `expands to more than ${maxAlternatives} globs. Use fewer braces or several globs`);
    }
  }
  return done;
}

/** Expands one innermost pair of braces; undefined if there is none. */
function innermostPair(glob: string): readonly string[] | undefined {
  const found = /(?<!\\)\{((?:\\.|[^\\{}])*)\}/s.exec(glob);
  if (found === null) return undefined;
  const [before, after] = [glob.slice(0, found.index), glob.slice(found.index + found[0].length)];
  return (found[1] ?? '').split(/(?<!\\),/).map((choice) => `${before}${choice}${after}`);
}

function badGlob(glob: string, problem: string): EngineError {
  const shown = glob.length <= 80 ? glob : `${glob.slice(0, 79)}…`;
  return new EngineError({ code: 'files.bad-glob', message: `The glob "${shown}" ${problem}.` });
}

// As the last segment, `**` matches everything inside the folder, but not the folder itself.
function readSegments(glob: string): readonly GlobSegment[] {
  const texts = glob.split('/');
  return (texts.at(-1) === '**' ? [...texts, '*'] : texts).map(readSegment);
}

function readSegment(text: string): GlobSegment {
  if (text === '**') return folders;
  const signs = readSigns(text);
  return signs.every((sign) => isLetter(sign)) ? signs.join('') : signs;
}

function readSigns(text: string): readonly Sign[] {
  const signs: Sign[] = [];
  // Matches a class, an escaped character, or any other character, including an unclosed bracket.
  for (const [found, inside] of text.matchAll(/\[((?:[!^]?\]?)[^\]]*)\]|\\.|./gsu)) {
    if (inside !== undefined) signs.push(readClass(inside));
    else if (found === '*') signs.push('many');
    else if (found === '?') signs.push('any');
    else signs.push(found.length > 1 && found.startsWith('\\') ? found.slice(1) : found);
  }
  return signs;
}

function readClass(inside: string): CharacterClass {
  const isNegated = /^[!^]/.test(inside);
  const ranges: [string, string][] = [];
  for (const [found, from, to] of inside.slice(isNegated ? 1 : 0).matchAll(/(.)-(.)|./gsu)) {
    ranges.push([from ?? found, to ?? found]);
  }
  return { isNegated, ranges };
}

/**
 * Returns whether the signs match all items; some signs match any number of items.
 * @param isSkipped whether such a sign can match an item
 */
function matchesAll<S, I>(
  signs: ArrayLike<S>,
  items: ArrayLike<I>,
  matches: (sign: S, item: I) => boolean,
  isSkipped: (item: I) => boolean = () => true,
): boolean {
  let [sign, item] = [0, 0];
  // Backtracking only has to extend the last `*`: whatever an earlier one matched, the signs after it have also
  // matched. Names with dots do not change this, because the part between two `**` has the same length and the same
  // dots wherever it matches.
  let [lastMany, takenTo] = [-1, 0];
  while (item < items.length) {
    if (sign < signs.length && isMany(signs[sign])) {
      [lastMany, takenTo] = [sign, item];
      sign += 1;
    } else if (sign < signs.length && matches(signs[sign] as S, items[item] as I)) {
      sign += 1;
      item += 1;
    } else {
      if (lastMany === -1 || !isSkipped(items[takenTo] as I)) return false;
      takenTo += 1;
      [sign, item] = [lastMany + 1, takenTo];
    }
  }
  while (sign < signs.length && isMany(signs[sign])) sign += 1;
  return sign === signs.length;
}

function isMany(sign: unknown): boolean {
  return sign === 'many' || sign === folders;
}

function isLetter(sign: Sign): boolean {
  return typeof sign === 'string' && sign !== 'many' && sign !== 'any';
}

function isSign(sign: Sign, character: string): boolean {
  if (typeof sign !== 'string') {
    return sign.ranges.some(([from, to]) => from <= character && character <= to) !== sign.isNegated;
  }
  return sign === 'any' || sign === character;
}

function matchesSegment(segment: GlobSegment, name: string): boolean {
  if (typeof segment === 'string') return segment === name;
  return segment !== folders && matchesAll(segment, charactersOf(name), isSign);
}

function matchesShown(segment: GlobSegment, name: string): boolean {
  const namesDot = typeof segment === 'object' && segment[0] === '.';
  return matchesSegment(segment, name) && (typeof segment === 'string' || namesDot || isShown(name));
}

function isShown(name: string): boolean {
  return !name.startsWith('.');
}

/** Splits text into characters. A string without surrogate pairs can be indexed directly. */
function charactersOf(text: string): ArrayLike<string> {
  return /[\ud800-\udfff]/.test(text) ? [...text] : text;
}
