/**
 * Parses references to packs and files in them: `ns@name`, `ns@name/sub/path`, `ns@name$workspace/file`.
 */
import { isAbsolute, win32 } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { isPackName } from './pack-manifest.ts';

export interface PackRef {
  readonly namespace: string;
  readonly name: string;
  /** Base of the path: the pack's folder (null), or its data folder for the user or the workspace. */
  readonly scope: 'base' | 'workspace' | null;
  /** Path with forward slashes, without one at either end; empty for the pack itself. */
  readonly subPath: string;
}

const refPattern = /^([^@$/]+)@([^@$/]+)(\$[^/]*)?(?:\/(.*))?$/s;

/**
 * Returns whether a path is meant as a reference: it must contain `@`, must not be absolute and must not begin with a
 * dot.
 */
export function looksLikePackRef(path: string): boolean {
  return path.includes('@') && !path.startsWith('.') && !isAbsolute(path) && !win32.isAbsolute(path);
}

/**
 * Parses a reference.
 * @throws EngineError `pack.bad-ref`
 */
export function parsePackRef(text: string): PackRef {
  if (text.length > longestRef) throw badRef(text, `it is longer than ${longestRef} characters`);
  const [, namespace, name, scope, sub = ''] = refPattern.exec(text) ?? [];
  if (namespace === undefined || name === undefined) throw badRef(text, shapeProblem(text));
  if (!isPackName(namespace)) throw badRef(text, `${JSON.stringify(shortened(namespace))} cannot be a namespace`);
  if (!isPackName(name)) throw badRef(text, `${JSON.stringify(shortened(name))} cannot be the name of a pack`);
  if (scope !== undefined && scope !== '$base' && scope !== '$workspace') {
    throw badRef(text, `"${shortened(scope)}" is not a pack location; use $base or $workspace`);
  }
  const subPath = checkedSubPath(text, sub);
  return { namespace, name, scope: scope === undefined ? null : scope === '$base' ? 'base' : 'workspace', subPath };
}

/** Formats a reference: `ns@name`, with its path if it has one. */
export function formatPackRef({ namespace, name, scope, subPath }: PackRef): string {
  return `${namespace}@${name}${scope === null ? '' : `$${scope}`}${subPath === '' ? '' : `/${subPath}`}`;
}

/** Returns `ns@name`. */
export function identityOf({ namespace, name }: Pick<PackRef, 'namespace' | 'name'>): string {
  return `${namespace}@${name}`;
}

/** Removes empty parts and `.`. Rejects paths that lead outside the pack. */
function checkedSubPath(text: string, sub: string): string {
  if (sub.includes('@')) throw badRef(text, 'it has more than one "@"');
  if (sub.includes('$')) throw badRef(text, '"$" is only allowed directly after the name');
  if (sub.includes('\0')) throw badRef(text, 'it has a NUL character');
  const parts = sub.split(/[/\\]/);
  if (parts.includes('..')) throw badRef(text, '".." would lead out of the pack');
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

function shapeProblem(text: string): string {
  if (text.split('@').length > 2) return 'it has more than one "@"';
  if (text.startsWith('@')) return 'the namespace cannot be empty';
  if (!text.includes('@')) return 'it has no "@"';
  return 'the name of the pack cannot be empty';
}

/** Truncates text for a message. */
function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

/** Maximum length of a reference. A longer path could not exist on disk. */
const longestRef = 4_096;

function badRef(text: string, problem: string): EngineError {
  return new EngineError({
    code: 'pack.bad-ref',
    message: `"${shortened(text)}" is not a pack reference: ${problem}. Write it as namespace@name or namespace@name/path.`,
    details: { ref: shortened(text) },
  });
}
