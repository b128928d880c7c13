/**
 * `aip.file` functions that find and read files.
 */
import type { JsonMap } from '../../../language/json/json-value.ts';
import { isNil, optionalString, optionsTable, stringList } from '../api-arguments.ts';
import type { ApiContext, LuaValue, NativeFunction } from '../api-module.ts';
import type { FileInfoValue } from '../host-calls.ts';
import { baseDirOf, flagOf, infoTable, isAbsolutePath, pathArgument, recordTable } from './file-arguments.ts';

function listed(name: string, [globs, given]: readonly LuaValue[], { host }: ApiContext): readonly FileInfoValue[] {
  const options = optionsTable(name, given);
  return host('file.list', {
    globs: stringList(globs, name),
    ...baseDirOf(name, options),
    absolute: flagOf(name, options, 'absolute'),
    hasDefaultExcludes: name !== 'aip.file.first',
  }).files;
}

function listLoad(args: readonly LuaValue[], context: ApiContext): LuaValue {
  const name = 'aip.file.list_load';
  const base = baseDirOf(name, optionsTable(name, args[1]));
  return listed(name, args, context).map((info) => {
    // Without `./`, a name that contains `@` would look like a pack reference.
    const isPlain = isAbsolutePath(info.path) || info.path.startsWith('~/');
    const path = isPlain ? info.path : `./${info.path}`;
    return recordTable(info, context.host('file.readText', { path, ...base }).text);
  });
}

/** Returns zeros for an empty list of files. */
function statsTable(files: readonly FileInfoValue[]): JsonMap {
  const times = (key: 'ctime' | 'mtime'): number[] => files.map((file) => file[key] ?? 0);
  const first = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
  const last = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
  return {
    _type: 'FileStats',
    total_size: files.reduce((sum, { size = 0 }) => sum + size, 0),
    number_of_files: files.length,
    ctime_first: first(times('ctime')),
    ctime_last: last(times('ctime')),
    mtime_first: first(times('mtime')),
    mtime_last: last(times('mtime')),
  };
}

export const fileReadMembers: readonly NativeFunction[] = [
  {
    name: 'load',
    signature: 'load(path: string, options?: { base_dir?: string }) -> FileRecord',
    summary:
      'Reads a text file. `path` in the result is the path as passed. Raises an error if the file does not exist, is not UTF-8 text, or is larger than 64 MiB.',
    call: ([path, options], { host }) => {
      const { text, info } = host('file.readText', pathArgument('aip.file.load', path, options));
      return recordTable(info, text);
    },
  },
  {
    name: 'exists',
    signature: 'exists(path: string) -> boolean',
    summary: 'Returns whether a file or folder exists. Also false for a reference to a pack that is not installed.',
    call: ([path], { host }) => host('path.kind', pathArgument('aip.file.exists', path, undefined)).kind !== null,
  },
  {
    name: 'info',
    signature: 'info(path: string | nil) -> FileInfo | nil',
    summary:
      'Returns information about a file, without its content. Returns nil for nil, for a blank path, and if the path is not a file.',
    call: ([given], { host }) => {
      const path = optionalString(given, 'aip.file.info');
      if (path === undefined || path.trim() === '') return undefined;
      const { info } = host('file.info', { path });
      return info === null ? undefined : infoTable(info);
    },
  },
  {
    name: 'list',
    signature: `list(globs: string | string[], options?: { base_dir?: string, absolute?: boolean }) -> FileInfo[]`,
    summary: `Returns the matching files, in the order of the globs (if a file matches several, the last one applies), then by path. \`!glob\` excludes files. Paths are relative to \`base_dir\` or the workspace; they are absolute with \`absolute\`, and for files outside of it. Skips folders such as \`node_modules/\`, \`target/\` and \`.git/\` unless a glob names them. Raises an error for a glob that begins with \`../\`.`,
    call: (args, context) => listed('aip.file.list', args, context).map(infoTable),
  },
  {
    name: 'list_load',
    signature:
      'list_load(globs: string | string[], options?: { base_dir?: string, absolute?: boolean }) -> FileRecord[]',
    summary: `Like \`list\`, but includes the content of each file.`,
    call: listLoad,
  },
  {
    name: 'first',
    signature: 'first(globs: string | string[], options?: { base_dir?: string, absolute?: boolean }) -> FileInfo | nil',
    summary: 'Returns the first file that matches as in `list`, or nil. Unlike `list`, does not skip any folders.',
    call: (args, context) => {
      const [first] = listed('aip.file.first', args, context);
      return first === undefined ? undefined : infoTable(first);
    },
  },
  {
    name: 'stats',
    signature:
      'stats(globs: string | string[] | nil, options?: { base_dir?: string, absolute?: boolean }) -> FileStats | nil',
    summary:
      'Returns the number of matching files, their total size, and their earliest and latest times (microseconds since 1970): `{ total_size, number_of_files, ctime_first, ctime_last, mtime_first, mtime_last }`. Returns nil for nil.',
    call: (args, context) => (isNil(args[0]) ? undefined : statsTable(listed('aip.file.stats', args, context))),
  },
];
