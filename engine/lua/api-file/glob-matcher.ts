/**
 * Globs as packs write them: `*` and `?` within a name, `**` over folders, `{a,b}`, `[..]`, and `!` before one that takes
 * away. Names with a dot in front match like others.
 */
import { compileGlob } from '../../base/glob.ts';

/** Tells of paths with `/`; a leading `./` does not count. */
export type PathMatcher = (path: string) => boolean;

/** Makes the matcher of one glob without `!`. */
export function globMatcher(glob: string): PathMatcher {
  return matcherOf(glob, false);
}

/** The fixed folders that a glob begins with (`''` = none), and what follows them (`''` = it is a plain path). */
export function splitGlob(glob: string): { readonly base: string; readonly pattern: string } {
  const parts = glob.split('/');
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  if (first === -1) return { base: glob, pattern: '' };
  const base = parts.slice(0, first).join('/');
  return { base: first === 1 && base === '' ? '/' : base, pattern: parts.slice(first).join('/') };
}

/** True when the path matches one glob that adds and none that takes away. */
export function matchesGlobs(path: string, globs: readonly string[]): boolean {
  const [taken, added] = [globs.filter(isNegated), globs.filter((glob) => !isNegated(glob))];
  return added.some((glob) => globMatcher(glob)(path)) && !taken.some((glob) => globMatcher(glob.slice(1))(path));
}

export function isNegated(glob: string): boolean {
  return glob.startsWith('!');
}

export interface GlobOrder {
  /** Of several globs that match, the last one counts; else the first. */
  readonly endWeighted: boolean;
  /** Where those stand that match none. */
  readonly noMatch: 'start' | 'end';
}

/**
 * Sorts by the place of the glob that matches, then by path. For this, `*` goes over folders as well: `*.md` speaks of all
 * markdown files.
 * @param pathOf the path of an item, with `/`
 */
export function sortedByGlobs<T>(
  items: readonly T[],
  globs: readonly string[],
  { pathOf, endWeighted, noMatch }: GlobOrder & { readonly pathOf: (item: T) => string },
): T[] {
  const matchers = globs.map((glob) => matcherOf(glob, true));
  const none = noMatch === 'end' ? globs.length : -1;
  const placed = items.map((item) => {
    const path = pathOf(item);
    const matches = (matcher: PathMatcher): boolean => matcher(path);
    const at = endWeighted ? matchers.findLastIndex(matches) : matchers.findIndex(matches);
    return { item, path, at: at === -1 ? none : at };
  });
  return placed.sort((a, b) => a.at - b.at || compared(a.path, b.path)).map(({ item }) => item);
}

function compared(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function matcherOf(glob: string, starsCrossFolders: boolean): PathMatcher {
  const matches = compileGlob(plain(glob), starsCrossFolders);
  return (path) => matches(plain(path));
}

function plain(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}
