/**
 * Reads and validates a settings file. Other programs may store their own settings in it.
 */
import { readFileSync } from 'node:fs';
import { EngineError } from '../../base/engine-error.ts';
import { explainSystemError } from '../../base/system-trouble.ts';
import { readToml } from '../../language/yaml/toml-source.ts';
import { isMissing } from '../files/file-error.ts';
import { lineOfPath } from './toml-edit.ts';

export interface ConfigFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** Empty if the file does not exist. */
  readonly text: string;
  readonly table: Readonly<Record<string, unknown>>;
}

/**
 * Reads a file. A missing file is treated as empty.
 * @throws EngineError `model.bad-config`
 */
export function readConfigFile(path: string): ConfigFile {
  const text = readText(path);
  return { path, text, table: parseConfig(path, text) };
}

/**
 * Parses a settings file's text.
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
    throw badConfig(path, explainSystemError(error) ?? firstLineOf(error));
  }
}

/** Returns the error for an invalid value in a file. */
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
