/**
 * How the quick reading of YAML gives up.
 */

/** Text that the quick reader leaves to the full one. */
export class Unusual extends Error {}

/** @throws Unusual always */
export function leaveToFullReader(): never {
  throw new Unusual();
}
