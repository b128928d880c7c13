/**
 * The order in which people expect names: `note 9` comes before `note 10`, and capitals do not part what belongs together.
 */

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Negative when the first name comes first; never 0 for two names that differ. */
export function compareNaturally(left: string, right: string): number {
  return collator.compare(left, right) || (left < right ? -1 : Number(left > right));
}
