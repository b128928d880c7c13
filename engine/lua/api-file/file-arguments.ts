/**
 * What functions for files make of their arguments and answers.
 */
import type { JsonMap } from '../../flowspec/json-value.ts';
import { isNil, luaTypeOf, requiredString } from '../api-arguments.ts';
import type { LuaValue } from '../api-module.ts';
import { optionsTable } from '../api-options.ts';
import type { FileInfoValue } from '../host-calls.ts';
import { scriptError } from '../script-error.ts';
import { pathInfo } from './file-info.ts';

/** A path and where it begins, as the host takes them. */
export interface PathArgument {
  readonly path: string;
  readonly baseDir?: string;
}

/** A path with the option `base_dir`. */
export function pathArgument(name: string, path: LuaValue, options: LuaValue): PathArgument {
  return { path: requiredString(path, 1), ...baseDirOf(name, optionsTable(name, options)) };
}

/** The option `base_dir`. */
export function baseDirOf(name: string, options: JsonMap): { readonly baseDir?: string } {
  const baseDir = options['base_dir'];
  if (isNil(baseDir)) return {};
  if (typeof baseDir !== 'string')
    throw scriptError(`${name} - base_dir must be a string, but was ${luaTypeOf(baseDir)}`);
  return { baseDir };
}

/** An option that is true or false; nil is false. */
export function flagOf(name: string, options: JsonMap, option: string): boolean {
  const value = options[option];
  if (isNil(value)) return false;
  if (typeof value !== 'boolean')
    throw scriptError(`${name} - ${option} must be a boolean, but was ${luaTypeOf(value)}`);
  return value;
}

/** An info as a table. */
export function infoTable(info: FileInfoValue): JsonMap {
  return { ...info };
}

/** An info whose path is the one that the script gave. */
export function infoAsGiven(info: FileInfoValue, path: string): JsonMap {
  return { ...info, ...pathInfo(path) };
}

/** A file and what is in it. */
export function recordTable(info: FileInfoValue, content: string): JsonMap {
  return { ...info, _type: 'FileRecord', content };
}
