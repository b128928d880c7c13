/**
 * The globs of flows, searches and scripts: `*` and `?` within a name, `**` over folders, `{a,b}` and `[..]`, and `\` before a
 * sign that stands for itself. They are matched in a time that grows with the length of glob and path only: as a regular
 * expression, `*a*a*a*a*b` can take minutes for a single name, and all runs would wait for it.
 */
import { EngineError } from './engine-error.ts';

interface GlobOptions {
  /** Names that begin with a dot match only where the glob has the dot. */
  readonly hidesDotNames?: boolean;
  /** `*` goes over slashes as well. */
  readonly starsCrossFolders?: boolean;
}

/** Tells of paths with `/`; a leading `./` does not count. */
export type PathMatcher = (path: string) => boolean;

/**
 * Makes the matcher of one glob, in which `!` has no meaning.
 * @throws EngineError `files.bad-glob` for one that is longer than any path, or stands for too many globs
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

/** The fixed folders that a glob begins with (`''` = none), and what follows them (`''` = it is a plain path). */
export function splitGlob(glob: string): { readonly base: string; readonly pattern: string } {
  const parts = glob.split('/');
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  if (first === -1) return { base: glob, pattern: '' };
  const base = parts.slice(0, first).join('/');
  return { base: first === 1 && base === '' ? '/' : base, pattern: parts.slice(first).join('/') };
}

/** How many folders deep a glob can match, the name itself included: further down nothing need be searched. */
export function depthOfGlob(glob: string): number {
  return /\*\*|\{/.test(glob) ? Number.POSITIVE_INFINITY : glob.split('/').length;
}

/** True for `!glob`, where that takes away what other globs give. */
export function isNegated(glob: string): boolean {
  return glob.startsWith('!');
}

/** Makes the matcher of paths that one glob gives and none that begins with `!` takes away. */
export function globsMatcher(globs: readonly string[]): PathMatcher {
  const taken = globs.filter(isNegated).map((glob) => globMatcher(glob.slice(1)));
  const given = globs.filter((glob) => !isNegated(glob)).map((glob) => globMatcher(glob));
  return (path) => given.some((matches) => matches(path)) && !taken.some((matches) => matches(path));
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/** One sign of a glob: a character, any character, any number of them, or one of a class. */
type Sign = string | 'any' | 'many' | CharacterClass;

interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** `**` between slashes: any number of folders. */
const folders = Symbol('folders');

/** Between two slashes; a text is a name without signs. */
type Segment = string | readonly Sign[] | typeof folders;

/** `{a,b}{a,b}…` doubles with each pair. */
const maxAlternatives = 1000;

/** No path of a file is longer. */
const maxLength = 4096;

/** All texts that a glob with `{a,b}` stands for; pairs may lie in each other. */
function withoutBraces(glob: string): readonly string[] {
  if (glob.length > maxLength) throw badGlob(glob, `is longer than ${maxLength} characters. Write a shorter one`);
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const pair = innermostPair(one);
    if (pair === undefined) done.push(one);
    else open.push(...pair);
    if (done.length + open.length > maxAlternatives) {
      throw badGlob(glob, `stands for more than ${maxAlternatives} globs. Use fewer braces, or several globs`);
    }
  }
  return done;
}

/** The glob with each of the alternatives of one pair of braces that has none in it; undefined = there is no pair. */
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

// As a last part, `**` stands for all that lies below, but not for the folder itself.
function readSegments(glob: string): readonly Segment[] {
  const texts = glob.split('/');
  return (texts.at(-1) === '**' ? [...texts, '*'] : texts).map(readSegment);
}

function readSegment(text: string): Segment {
  if (text === '**') return folders;
  const signs = readSigns(text);
  return signs.every((sign) => isLetter(sign)) ? signs.join('') : signs;
}

function readSigns(text: string): readonly Sign[] {
  const signs: Sign[] = [];
  // A class, an escaped character, or any other character; an open bracket without its end is one.
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
 * Whether the signs, of which some stand for any number of items, match all items.
 * @param isSkipped whether such a sign may stand for an item
 */
function matchesAll<S, I>(
  signs: ArrayLike<S>,
  items: ArrayLike<I>,
  matches: (sign: S, item: I) => boolean,
  isSkipped: (item: I) => boolean = () => true,
): boolean {
  let [sign, item] = [0, 0];
  // Only the last `*` need ever take more: whatever an earlier one took, the rest was found behind it. Names with a dot do
  // not change that: what stands between two `**` is as long wherever it matches, and its own dots lie where theirs do.
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

function matchesSegment(segment: Segment, name: string): boolean {
  if (typeof segment === 'string') return segment === name;
  return segment !== folders && matchesAll(segment, charactersOf(name), isSign);
}

function matchesShown(segment: Segment, name: string): boolean {
  const namesDot = typeof segment === 'object' && segment[0] === '.';
  return matchesSegment(segment, name) && (typeof segment === 'string' || namesDot || isShown(name));
}

function isShown(name: string): boolean {
  return !name.startsWith('.');
}

/** A text is a list of its characters already, unless there are some of two units in it. */
function charactersOf(text: string): ArrayLike<string> {
  return /[\ud800-\udfff]/.test(text) ? [...text] : text;
}
