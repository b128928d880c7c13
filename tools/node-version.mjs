/**
 * The check that runs before anything else. An old Node reads only this file and `run.mjs`, so both use only syntax
 * that Node 14 can parse.
 */

/** The oldest Node that can install and build this program. */
const minimum = { major: 20, minor: 19 };

/**
 * @param {string} version such as `20.19.0`
 * @returns {string | undefined} a message for the user; undefined if the version is supported
 */
export function nodeVersionProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > minimum.major || (major === minimum.major && minor >= minimum.minor)) return undefined;
  return `Millrace needs Node ${minimum.major}.${minimum.minor} or newer; this is ${version}. Download a newer version from https://nodejs.org.`;
}
