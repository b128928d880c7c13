/**
 * Defines the format and order of pack versions, and which ones may be installed.
 */
import semver from 'semver';
import { EngineError } from '../../base/engine-error.ts';

/** Pattern of pack versions. Numbers with up to 15 digits are exact. */
export const packVersionPattern = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([a-zA-Z][\w-]{0,63})(?:\.(\d{1,15}))?)?$/;

/** Returns whether a pack may have this version: `1.2.3`, `1.2.3-word` or `1.2.3-word.4`. */
export function isPackVersion(text: string): boolean {
  return packVersionPattern.test(text);
}

/**
 * Rejects a version that can be packed but not installed: a pre-release needs a number that determines its order.
 * @throws EngineError `pack.bad-prerelease`
 */
export function checkInstallable(version: string): void {
  const [, , , , prerelease, number] = packVersionPattern.exec(version) ?? [];
  if (prerelease === undefined || number !== undefined) return;
  throw new EngineError({
    code: 'pack.bad-prerelease',
    message: `Invalid prerelease format in version ${version}. Prereleases must end with .number (e.g., -alpha.1)`,
  });
}

/** Compares two versions; negative if the first one is older. Invalid versions are compared as text. */
export function compareVersions(first: string, second: string): number {
  const [left, right] = [first, second].map((text) => plainVersion(text.replace(/^v/, '')));
  if (left === undefined || right === undefined || left === right) return 0;
  if (semver.valid(left) !== null && semver.valid(right) !== null) return semver.compare(left, right);
  return left < right ? -1 : 1;
}

/** Removes leading zeros, which pack versions may have, and adjusts the word for the comparison. */
function plainVersion(text: string): string {
  const [, major, minor, patch, word, number] = packVersionPattern.exec(text) ?? [];
  if (major === undefined) return text;
  const numbers = [major, minor, patch].map(Number).join('.');
  const more =
    word === undefined ? '' : `-${word.replaceAll('_', '-')}${number === undefined ? '' : `.${Number(number)}`}`;
  return `${numbers}${more}`;
}
