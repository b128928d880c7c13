/**
 * Sizes in bytes for people: nine characters, so that they stand under each other.
 */
const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/**
 * Six characters for the number, a space, two for the unit: `   777 B `, `  8.78 KB`. A unit is 1000 of the one before
 * it; all but bytes have two decimals.
 * @param bytes rounded; below 0 counts as 0
 * @param lowestUnit smaller units are not used; a name that is none counts as `MB`
 */
export function formatSize(bytes: number, lowestUnit = 'B'): string {
  const size = Math.max(0, Math.round(bytes));
  const known = units.indexOf(lowestUnit);
  let at = known === -1 ? units.indexOf('MB') : known;
  let scaled = size / 1000 ** at;
  for (; scaled >= 1000 && at < units.length - 1; at++) scaled /= 1000;
  const number = at === 0 ? String(size) : scaled.toFixed(2);
  return `${number.padStart(6)} ${(units[at] ?? '').padEnd(2)}`;
}
