/**
 * Converts the arguments and results of file functions, and splits paths into the parts that scripts see.
 */
import type { JsonMap } from '../../../language/json/json-value.ts';
import { isNil, luaTypeOf, optionsTable, requiredString } from '../api-arguments.ts';
import type { LuaMap, LuaValue } from '../api-module.ts';
import type { FileInfoValue } from '../host-calls.ts';
import { scriptError } from '../script-error.ts';

/** A path and its base folder, in the form that the host expects. */
interface PathArgument {
  readonly path: string;
  readonly baseDir?: string;
}

/** Reads a path and the option `base_dir`. */
export function pathArgument(name: string, path: LuaValue, options: LuaValue): PathArgument {
  return { path: requiredString(path, 1), ...baseDirOf(name, optionsTable(name, options)) };
}

/** Reads the option `base_dir`. */
export function baseDirOf(name: string, options: LuaMap): { readonly baseDir?: string } {
  const baseDir = options['base_dir'];
  if (isNil(baseDir)) return {};
  if (typeof baseDir !== 'string')
    throw scriptError(`${name} - base_dir must be a string, but was ${luaTypeOf(baseDir)}`);
  return { baseDir };
}

/** Reads a boolean option; nil means false. */
export function flagOf(name: string, options: LuaMap, option: string): boolean {
  const value = options[option];
  if (isNil(value)) return false;
  if (typeof value !== 'boolean')
    throw scriptError(`${name} - ${option} must be a boolean, but was ${luaTypeOf(value)}`);
  return value;
}

/** Converts a file info to a table. */
export function infoTable(info: FileInfoValue): JsonMap {
  return { ...info };
}

/** Returns a file info with the path exactly as the script passed it. */
export function infoWithScriptPath(info: FileInfoValue, path: string): JsonMap {
  return { ...info, ...pathInfo(path) };
}

/** Converts a file's info and content to a table. */
export function recordTable(info: FileInfoValue, content: string): JsonMap {
  return { ...info, _type: 'FileRecord', content };
}

/** The part of a file's info that depends only on the path. */
type PathInfo = Omit<FileInfoValue, 'ctime' | 'mtime' | 'size'>;

/**
 * Extensions of binary files. Everything else is assumed to be text, because source and settings files have too many
 * extensions to list.
 */
const binaryExtensions = new Set(
  [
    '7z a aac ai avi avif bin bmp bz2 class cur dat db dll dmg doc docm docx dylib eot epub exe flac flv gif gz heic icns',
    'ico iso jar jpeg jpg key lib lz4 lzma m4a m4v mkv mov mp3 mp4 mpeg mpg msi node numbers o obj odp ods odt ogg ogv opus',
    'otf pages parquet pdb pdf png ppt pptx psd pyc pyd rar rlib sketch so sqlite sqlite3 swf tar tgz tif tiff ttf war wasm',
    'wav webm webp wma wmv woff woff2 xls xlsm xlsx xz zip zst aipack',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Returns the folder before the last name: `''` for a name without a folder, undefined for paths without a name (`.`,
 * `/`, `C:/`, an empty string).
 */
export function parentOf(path: string): string | undefined {
  const trimmed = withoutEndSlash(path);
  // The parent folder of `./` has no name in the path.
  if (path === './') return '';
  if (trimmed === '' || trimmed === '.' || isRoot(trimmed)) return undefined;
  const at = trimmed.lastIndexOf('/');
  if (at <= 0) return at === 0 ? '/' : '';
  const parent = trimmed.slice(0, at);
  return isRoot(`${parent}/`) ? `${parent}/` : parent;
}

/** Returns the last name of a path, or an empty string if there is none. */
export function nameOf(path: string): string {
  const trimmed = withoutEndSlash(path);
  const name = isRoot(trimmed) ? '' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
  return name === '.' || name === '..' ? '' : name;
}

/** Splits a path into its parts. Uses only the text and does not access the file system. */
export function pathInfo(path: string): PathInfo {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  const hasExtension = dot > 0;
  const ext = hasExtension ? name.slice(dot + 1) : '';
  return {
    _type: 'FileInfo',
    path,
    dir: parentOf(path) ?? '',
    name,
    stem: hasExtension ? name.slice(0, dot) : name,
    ext,
    is_likely_text: !binaryExtensions.has(ext.toLowerCase()),
  };
}

/** Whether the path is `/x`, `C:/x` or a Windows network path. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || path.startsWith('\\\\') || /^[a-z]:[/\\]/i.test(path);
}

function isRoot(path: string): boolean {
  return path === '/' || /^[a-z]:\/?$/i.test(path);
}

function withoutEndSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') && !isRoot(path) ? path.replace(/\/+$/, '') || '/' : path;
}
