/**
 * Globs, matched in a time that grows with the length of glob and path only. As a regular expression, `*a*a*a*a*b` can
 * take minutes for a single name, and the globs of scripts are matched where other runs wait for it.
 */
import { EngineError } from './engine-error.ts';

/** One sign of a glob: a character, any character, any number of them, or one of a class. */
type Sign = string | 'any' | 'many' | CharacterClass;

interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** `**` between slashes: any number of folders. */
const folders = Symbol('folders');

/** Between two slashes. */
type Segment = readonly Sign[] | typeof folders;

/** `{a,b}{a,b}…` doubles with each pair. */
const maxAlternatives = 1000;

/**
 * Makes a function that tells whether a path, with `/`, matches.
 * @param starsCrossFolders `*` goes over slashes as well
 * @throws EngineError `files.bad-glob` for too many alternatives
 */
export function compileGlob(glob: string, starsCrossFolders: boolean): (path: string) => boolean {
  const alternatives = withoutBraces(glob);
  if (starsCrossFolders) {
    const signs = alternatives.map(readSigns);
    return (path) => signs.some((one) => matchesAll(one, [...path], isSign));
  }
  const patterns = alternatives.map((one) => one.split('/').map(readSegment));
  return (path) => {
    const parts = path.split('/').map((part) => [...part]);
    return patterns.some((pattern) => matchesAll(pattern, parts, matchesSegment));
  };
}

/** All texts that a glob with `{a,b}` stands for; pairs may lie in each other. */
function withoutBraces(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const pair = innermostPair(one);
    if (pair === undefined) done.push(one);
    else open.push(...pair);
    if (done.length + open.length > maxAlternatives) throw tooManyAlternatives(glob);
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

function tooManyAlternatives(glob: string): EngineError {
  const shown = glob.length <= 80 ? glob : `${glob.slice(0, 79)}…`;
  return new EngineError({
    code: 'files.bad-glob',
    message: `The glob "${shown}" stands for more than ${maxAlternatives} globs. Use fewer braces, or several globs.`,
  });
}

function readSegment(text: string): Segment {
  return text === '**' ? folders : readSigns(text);
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

/** Whether the signs, of which some stand for any number of items, match all items. */
function matchesAll<S, I>(signs: readonly S[], items: readonly I[], matches: (sign: S, item: I) => boolean): boolean {
  let [sign, item] = [0, 0];
  // Only the last `*` need ever take more: whatever an earlier one took, the rest was found behind it.
  let [lastMany, takenTo] = [-1, 0];
  while (item < items.length) {
    if (sign < signs.length && isMany(signs[sign])) {
      [lastMany, takenTo] = [sign, item];
      sign += 1;
    } else if (sign < signs.length && matches(signs[sign] as S, items[item] as I)) {
      sign += 1;
      item += 1;
    } else {
      if (lastMany === -1) return false;
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

function isSign(sign: Sign, character: string): boolean {
  if (typeof sign !== 'string') {
    return sign.ranges.some(([from, to]) => from <= character && character <= to) !== sign.isNegated;
  }
  return sign === 'any' || sign === character;
}

function matchesSegment(segment: Segment, part: readonly string[]): boolean {
  return segment !== folders && matchesAll(segment, part, isSign);
}
