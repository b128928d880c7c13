/**
 * Text of tables for spreadsheets (RFC 4180).
 */

const formula = /^[=+\-@\t\r]/;
const plainNumber = /^[+-]?\d+(?:[.,]\d+)?$/;

/**
 * Values often come from a model or a server. Text that a spreadsheet would run as a formula gets an apostrophe in
 * front.
 */
function fieldText(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Converts rows to CSV. Cells without a value are empty. */
export function csvText(rows: readonly (readonly (string | number | null | undefined)[])[]): string {
  const cellText = (cell: string | number | null | undefined): string =>
    typeof cell === 'string' ? fieldText(cell) : String(cell ?? '');
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}
