/**
 * `aip.path`: functions for paths.
 */
import { globMatcher, globsMatcher, type PathMatcher } from '../../../base/glob.ts';
import {
  asMap,
  isLuaMap,
  isNil,
  luaSequence,
  luaTypeOf,
  optionalString,
  requiredString,
  stringList,
} from '../api-arguments.ts';
import { isAbsolutePath, nameOf, parentOf, pathInfo } from '../api-file/file-arguments.ts';
import { type ApiContext, type ApiModule, LuaResults, type LuaValue } from '../api-module.ts';
import { scriptError } from '../script-error.ts';

function kindOf(path: LuaValue, { host }: ApiContext): 'file' | 'folder' | null {
  return host('path.kind', { path: requiredString(path, 1) }).kind;
}

/** Removes inner `./` and double slashes; keeps a trailing slash. */
function tidy(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/(?!^)\/{2,}/g, '/');
  return slashed.replace(/\/(?:\.\/)+/g, '/');
}

/** Several parts are joined without a separator; the items of a list are joined with slashes. */
function join([base, ...parts]: readonly LuaValue[]): string {
  const folder = requiredString(base, 1);
  const rest = parts.map((part, at) => {
    const items = typeof part === 'object' ? luaSequence(part ?? undefined) : undefined;
    return items === undefined
      ? requiredString(part, at + 2)
      : items.map((item) => requiredString(item, at + 2)).join('/');
  });
  const below = rest.join('');
  if (below === '') return tidy(folder);
  if (isAbsolutePath(below) || folder === '') return tidy(below);
  return tidy(folder.endsWith('/') ? `${folder}${below}` : `${folder}/${below}`);
}

/** Returns the names of a path with `.` and `..` resolved as far as possible. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts;
}

/** Returns the relative path from `base` to `file`, or an empty string if there is none. */
function difference(file: string, base: string): string {
  if (isAbsolutePath(file) !== isAbsolutePath(base)) return isAbsolutePath(file) ? tidy(file) : '';
  const [to, from] = [partsOf(file), partsOf(base)];
  const differing = from.findIndex((part, at) => part !== to[at]);
  const common = differing === -1 ? from.length : differing;
  const up = from.slice(common);
  if (up.includes('..') || up.some((part) => /^[a-z]:$/i.test(part))) return '';
  return [...up.map(() => '..'), ...to.slice(common)].join('/');
}

interface GlobOrder {
  /** If several globs match, the last one decides instead of the first. */
  readonly endWeighted: boolean;
  /** Position of items that match no glob. */
  readonly noMatch: 'start' | 'end';
}

/**
 * Sorts by the position of the matching glob, then by path. Here `*` also matches across folders: `*.md` matches all
 * markdown files.
 * @param pathOf returns the path of an item, with forward slashes
 */
function sortedByGlobs<T>(
  items: readonly T[],
  globs: readonly string[],
  { pathOf, endWeighted, noMatch }: GlobOrder & { readonly pathOf: (item: T) => string },
): T[] {
  const matchers = globs.map((glob) => globMatcher(glob, { starsCrossFolders: true }));
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

const sortName = 'aip.path.sort_by_globs';

function orderOf(options: LuaValue): GlobOrder {
  if (typeof options === 'boolean') return { endWeighted: options, noMatch: 'end' };
  if (options === 'start' || options === 'end') return { endWeighted: false, noMatch: options };
  const map = isNil(options) ? {} : asMap(options);
  const noMatch = map?.['no_match_position'] ?? 'end';
  if (map === undefined || (noMatch !== 'start' && noMatch !== 'end')) {
    throw scriptError(
      `${sortName} - options must be a boolean, "start", "end", or a table with end_weighted and no_match_position`,
    );
  }
  return { endWeighted: map['end_weighted'] === true, noMatch };
}

function pathOfItem(item: LuaValue): string {
  const path = isLuaMap(item) ? item['path'] : item;
  if (typeof path === 'string') return path;
  throw scriptError(`${sortName} - each file must be a string or a table with a path, but one was ${luaTypeOf(item)}`);
}

function sortByGlobs([files, globs, options]: readonly LuaValue[]): LuaValue {
  const items = luaSequence(files);
  if (items === undefined) throw scriptError(`${sortName} - the files must be a list`);
  const order = orderOf(options);
  const sorted = sortedByGlobs(items, stringList(globs, sortName), { ...order, pathOf: pathOfItem });
  return sorted.map((item) => item ?? null);
}

export const pathApi: ApiModule = {
  name: 'path',
  reachesOut: true,
  summary: 'Handles paths. Only `resolve`, `exists`, `is_file` and `is_dir` access the file system.',
  members: [
    {
      name: 'parse',
      signature: 'parse(path: string | nil) -> FileInfo | nil',
      summary:
        'Returns the parts of a path: `path`, `dir`, `name`, `stem`, `ext` (without the dot) and `is_likely_text`. Returns nil for nil.',
      call: ([given]) => {
        const path = optionalString(given, 'aip.path.parse');
        return path === undefined ? undefined : { ...pathInfo(path.replaceAll('\\', '/')) };
      },
    },
    {
      name: 'resolve',
      signature: 'resolve(path: string) -> string',
      summary:
        'Returns the absolute path that file functions use for a given path. Raises an error if the path refers to a pack that is not installed.',
      call: ([path], { host }) => host('path.resolve', { path: requiredString(path, 1) }).path,
    },
    {
      name: 'join',
      signature: 'join(base: string, ...parts: string | string[]) -> string',
      summary:
        'Appends parts to a base path. List items are joined with `/`, but separate arguments are concatenated without one: `join("a", "b", "c")` returns `a/bc`.',
      call: (args) => join(args),
    },
    {
      name: 'exists',
      signature: 'exists(path: string) -> boolean',
      summary: 'Returns whether a file or folder exists.',
      call: ([path], context) => kindOf(path, context) !== null,
    },
    {
      name: 'is_file',
      signature: 'is_file(path: string) -> boolean',
      summary: 'Returns whether the path is an existing file.',
      call: ([path], context) => kindOf(path, context) === 'file',
    },
    {
      name: 'is_dir',
      signature: 'is_dir(path: string) -> boolean',
      summary: 'Returns whether the path is an existing folder.',
      call: ([path], context) => kindOf(path, context) === 'folder',
    },
    {
      name: 'diff',
      signature: 'diff(file: string, base: string) -> string',
      summary:
        'Returns the relative path from the folder `base` to `file`. Returns an empty string if they are the same or no relative path exists.',
      call: ([file, base]) => difference(requiredString(file, 1), requiredString(base, 2)),
    },
    {
      name: 'parent',
      signature: 'parent(path: string) -> string | nil',
      summary:
        "Returns a path's parent folder: an empty string if the path is only a name, nil for `.` and for a root.",
      call: ([path]) => parentOf(requiredString(path, 1).replaceAll('\\', '/')),
    },
    {
      name: 'split',
      signature: 'split(path: string) -> string, string',
      summary: "Returns a path's folder and name. Either can be empty.",
      call: ([given]) => {
        const path = requiredString(given, 1).replaceAll('\\', '/');
        return new LuaResults(parentOf(path) ?? '', nameOf(path));
      },
    },
    {
      name: 'matches_glob',
      signature: 'matches_glob(path: string | nil, globs: string | string[]) -> boolean | nil',
      summary:
        'Returns whether a path matches any of the globs and is not excluded by a glob that begins with `!`. Returns nil for nil.',
      call: ([given, globs]) => {
        const path = optionalString(given, 'aip.path.matches_glob');
        const list = stringList(globs, 'aip.path.matches_glob').filter((glob) => glob !== '');
        return path === undefined ? undefined : globsMatcher(list)(path);
      },
    },
    {
      name: 'sort_by_globs',
      signature:
        'sort_by_globs(files: any[], globs: string | string[], options?: boolean | "start" | "end" | { end_weighted?: boolean, no_match_position?: "start" | "end" }) -> any[]',
      summary:
        'Sorts paths, or tables with a `path`, in the order of the globs that they match, then by path. If an item matches several globs, the first one applies, or the last one with `end_weighted`. Items that match no glob come last, or first with `"start"`.',
      call: sortByGlobs,
    },
  ],
};
