/**
 * `aip.semver`: versions in the format of Semantic Versioning 2.0.0.
 */
import SemVer from 'semver/classes/semver.js';
import { requiredString } from '../api-arguments.ts';
import type { ApiModule, LuaValue } from '../api-module.ts';
import { scriptError } from '../script-error.ts';

/** Operators by symbol: whether each is true for a comparison result of -1, 0 or 1. */
const operators: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ['<', (order: number) => order < 0],
  ['<=', (order: number) => order <= 0],
  ['=', (order: number) => order === 0],
  ['==', (order: number) => order === 0],
  ['>=', (order: number) => order >= 0],
  ['>', (order: number) => order > 0],
  ['!=', (order: number) => order !== 0],
  ['~=', (order: number) => order !== 0],
]);

/**
 * Parses a version; undefined if it is invalid. The library also accepts a leading `v` or space, on which packs must
 * not rely.
 */
function tryVersion(text: string): SemVer | undefined {
  if (!/^\d.*[\w-]$/.test(text)) return undefined;
  try {
    return new SemVer(text);
  } catch {
    return undefined;
  }
}

function versionOf(text: string): SemVer {
  const version = tryVersion(text);
  if (version !== undefined) return version;
  throw scriptError(`Invalid version '${text}': expected major.minor.patch, for example 1.2.3 or 1.2.3-beta.1`);
}

/** Build metadata after `+` decides between versions that are otherwise equal. */
function orderOf(left: SemVer, right: SemVer): number {
  return left.compare(right) || left.compareBuild(right);
}

function compare([left, sign, right]: readonly LuaValue[]): boolean {
  const [first, second] = [versionOf(requiredString(left, 1)), versionOf(requiredString(right, 3))];
  const operator = requiredString(sign, 2);
  const holds = operators.get(operator);
  if (holds === undefined) throw scriptError(`Invalid operator '${operator}'`);
  return holds(orderOf(first, second));
}

function parse([text]: readonly LuaValue[]): LuaValue {
  const { major, minor, patch, prerelease, build } = versionOf(requiredString(text, 1));
  return {
    major,
    minor,
    patch,
    ...(prerelease.length > 0 && { prerelease: prerelease.join('.') }),
    ...(build.length > 0 && { build: build.join('.') }),
  };
}

export const semverApi: ApiModule = {
  name: 'semver',
  summary: 'Parses and compares versions according to Semantic Versioning 2.0.0.',
  members: [
    {
      name: 'compare',
      signature: 'compare(version: string, operator: string, other: string) -> boolean',
      summary:
        'Returns whether `version operator other` is true. The operators are `<`, `<=`, `=`, `==`, `>=`, `>`, `!=` and `~=`. A prerelease precedes its release. Raises an error if a version or the operator is invalid.',
      call: compare,
    },
    {
      name: 'parse',
      signature: 'parse(version: string) -> { major, minor, patch, prerelease?, build? }',
      summary:
        'Returns the parts of a version: three integers, and two strings that are nil if absent. Raises an error if the version is invalid.',
      call: parse,
    },
    {
      name: 'is_prerelease',
      signature: 'is_prerelease(version: string) -> boolean',
      summary:
        'Returns whether a version has a prerelease part, such as `-beta.1`. Raises an error if the version is invalid.',
      call: ([text]) => versionOf(requiredString(text, 1)).prerelease.length > 0,
    },
    {
      name: 'valid',
      signature: 'valid(version: string) -> boolean',
      summary: 'Returns whether a string is a version with three numbers and optional prerelease and build parts.',
      call: ([text]) => tryVersion(requiredString(text, 1)) !== undefined,
    },
  ],
};
