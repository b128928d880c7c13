/**
 * Parses `pack.toml`, the manifest of a pack.
 */

import { join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { readToml } from '../../language/yaml/toml-source.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { isPackVersion } from './pack-version.ts';

/** The section that the installer, not the author, adds. */
export interface InstalledRecord {
  /** Local time of the installation, in RFC 3339 format. */
  readonly time?: string;
  /** `aipack.ai`, the URL or Git reference that the user entered, or an absolute path. */
  readonly source?: string;
  /** Commit of a cloned pack. */
  readonly commit?: string;
}

export interface PackManifest {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly repo?: string;
  readonly author?: string;
  readonly email?: string;
  readonly installed?: InstalledRecord;
}

export const manifestName = 'pack.toml';
/** Maximum size of a manifest, in bytes. Manifests have only a few lines. */
export const maxManifestBytes = 256 * 1024;

/** Pattern of valid pack namespaces and names. */
export const packNamePattern = /^[a-zA-Z_][a-zA-Z0-9_-]{0,99}$/;
const shownLength = 100;
/** Maximum length of a version. */
const longestVersion = 128;
/** Maximum length of a value in a manifest, in characters. */
export const maxManifestValue = 2_000;
const freeFields = ['license', 'homepage', 'repo', 'author', 'email'] as const;

/** Returns whether text is a valid pack namespace or name. */
export function isPackName(text: string): boolean {
  return packNamePattern.test(text);
}

/**
 * Reads and validates the manifest in a pack's folder.
 * @param folder absolute
 * @throws EngineError `pack.no-manifest` | `pack.bad-manifest`
 */
export async function readPackManifest(folder: string): Promise<PackManifest> {
  const file = join(folder, manifestName);
  try {
    return parsePackManifest(await readTextFile(file, { maxBytes: maxManifestBytes, shownPath: file }), file);
  } catch (error) {
    if (EngineError.is(error) && error.code === 'files.not-found') throw noManifest(folder, error);
    throw error;
  }
}

/**
 * Parses and validates a manifest.
 * @param shownPath path for messages
 * @throws EngineError `pack.bad-manifest`
 */
export function parsePackManifest(text: string, shownPath: string): PackManifest {
  const table = parseToml(text, shownPath);
  const pack = table['pack'];
  if (!isTable(pack)) throw bad(`Missing [pack] section in ${shownPath}`);
  const version = requiredText(pack, 'version', shownPath);
  if (!isPackVersion(version)) {
    if (version.length > longestVersion)
      throw bad(`The version in ${shownPath} is longer than ${longestVersion} characters.`);
    throw bad(`Invalid version format in ${shownPath}. Version must follow semver format (e.g., 1.0.0, 1.0.0-alpha.1)`);
  }
  const namespace = checkedName(requiredText(pack, 'namespace', shownPath), 'namespace', shownPath);
  const name = checkedName(requiredText(pack, 'name', shownPath), 'name', shownPath);
  const free = freeFields.flatMap((field) => (typeof pack[field] === 'string' ? [[field, pack[field]]] : []));
  const installed = installedOf(table['installed']);
  for (const [field, value] of [...free, ...Object.entries(installed ?? {})]) {
    if (value.length <= maxManifestValue) continue;
    throw bad(`${field} in '${shownPath}' is longer than ${maxManifestValue} characters. Shorten it.`);
  }
  return { namespace, name, version, ...Object.fromEntries(free), ...(installed === null ? {} : { installed }) };
}

function parseToml(text: string, shownPath: string): Readonly<Record<string, unknown>> {
  const read = readToml(text);
  if ('table' in read) return read.table;
  const { line, reason } = read.problem;
  throw new EngineError({
    code: 'pack.bad-manifest',
    message: `${shownPath} is not valid TOML: ${reason} (line ${line}).`,
    line,
  });
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requiredText(pack: Record<string, unknown>, field: string, shownPath: string): string {
  const value = pack[field];
  if (typeof value !== 'string' || value.trim() === '') {
    throw bad(`${field} field is missing or empty in '${shownPath}'`);
  }
  return value;
}

function checkedName(value: string, field: string, shownPath: string): string {
  if (isPackName(value)) return value;
  throw bad(
    `The ${field} ${shortened(value)} in '${shownPath}' must start with a letter or "_" and contain only letters, digits, "_" and "-", at most 100 characters.`,
  );
}

/** Returns the value in quotes, truncated for a message. */
function shortened(value: string): string {
  return JSON.stringify(value.length <= shownLength ? value : `${value.slice(0, shownLength - 1)}…`);
}

function installedOf(value: unknown): InstalledRecord | null {
  if (!isTable(value)) return null;
  const { time, source, commit } = value;
  return {
    ...(typeof time === 'string' ? { time } : time instanceof Date ? { time: time.toISOString() } : {}),
    ...(typeof source === 'string' ? { source } : {}),
    ...(typeof commit === 'string' ? { commit } : {}),
  };
}

function bad(message: string): EngineError {
  return new EngineError({ code: 'pack.bad-manifest', message });
}

/** Creates the error for a folder that is not a pack. With `details.folder`, programs can offer to make it one. */
function noManifest(folder: string, cause: unknown): EngineError {
  return new EngineError({
    code: 'pack.no-manifest',
    message: `${folder} has no ${manifestName}, so it is not a pack. Create one with the pack's namespace, name and version.`,
    details: { folder },
    cause,
  });
}

const header = /^\s*\[\s*installed\s*\]/;
const anyHeader = /^\s*\[/;

/**
 * Returns the manifest's text with this installation record, which replaces an earlier one. All other text is
 * unchanged.
 */
export function withInstalledRecord(manifest: string, record: InstalledRecord): string {
  const fields = Object.entries(record).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  const kept = withoutInstalledRecord(manifest).trimEnd();
  return `${kept}\n\n[installed]\n${fields.join('')}`;
}

/** Returns the manifest's text without the installation record, as its author wrote it. */
export function withoutInstalledRecord(manifest: string): string {
  let isInRecord = false;
  const kept = manifest.split('\n').filter((line) => {
    if (anyHeader.test(line)) isInRecord = header.test(line);
    return !isInRecord;
  });
  return kept.join('\n');
}

/** Formats a local time with seconds in RFC 3339 format: `2026-08-05T10:00:00-07:00`. */
export function localTimestamp(now: number): string {
  const minutes = -new Date(now).getTimezoneOffset();
  const local = new Date(now + minutes * 60_000).toISOString().slice(0, 19);
  const pad = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`;
}
