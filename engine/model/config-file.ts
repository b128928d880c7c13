/**
 * One file of settings, read and checked. Other programs may keep settings of their own in it.
 */
import { readFileSync } from 'node:fs';
import { EngineError } from '../base/engine-error.ts';
import { systemTrouble } from '../base/system-trouble.ts';
import { isMissing } from '../files/file-error.ts';
import { readToml } from '../flowspec/toml-source.ts';
import { lineOfPath } from './toml-edit.ts';

export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** Empty when there is no such file. */
  readonly text: string;
  readonly table: Readonly<Record<string, unknown>>;
}

/**
 * Reads a file; a missing one is the same as an empty one.
 * @throws EngineError `model.bad-config`
 */
export function readConfigFile(path: string): ConfigFile {
  const text = readText(path);
  return { path, text, table: parseConfig(path, text) };
}

/**
 * Parses the text of a file of settings.
 * @throws EngineError `model.bad-config`
 */
function parseConfig(path: string, text: string): Readonly<Record<string, unknown>> {
  const read = readToml(text);
  if ('table' in read) return read.table;
  const { line, column, reason } = read.problem;
  throw badConfig(`${path}:${line}:${column}`, reason);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw badConfig(path, systemTrouble(error) ?? firstLineOf(error));
  }
}

/** The error about a value of a file. */
export function badValue({ path, text }: ConfigFile, keys: readonly string[], reason: string): EngineError {
  const line = lineOfPath(text, keys);
  return badConfig(line === undefined ? path : `${path}:${line}`, `${keys.join('.')} ${reason}`);
}

function badConfig(place: string, reason: string): EngineError {
  return new EngineError({
    code: 'model.bad-config',
    message: `Config invalid (config path: ${place})\n  reason: ${reason}`,
  });
}

function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
