/**
 * The text of a page about a run: words, durations, and values as escaped text.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { NodeStatus } from '../../runtime/kernel/events/run-state.ts';

/** Longer values are cut, and the page says so. In UTF-16 units. */
const longestValue = 20_000;
/** Number of rows of a table. */
const mostRows = 200;
/** Number of columns of a table. */
const mostColumns = 24;

/** Escapes text for content and for attributes in quotes. Characters that a page cannot contain are replaced. */
export function escapeHtml(text: string): string {
  return text
    .replace(/\p{Cc}(?<![\n\t])|[\ud800-\udfff](?<!\p{L})/gu, '\ufffd')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Returns a text for a line with room for `most` characters. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

export function stateOf(status: NodeStatus | undefined): string {
  return status === 'cancelled' ? 'canceled' : (status ?? '');
}

/** Returns a duration for display; empty if it is unknown. */
export function durationOf(ms: number | null | undefined): string {
  if (ms === undefined || ms === null) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Returns the markup of a value: a table for a list of records, otherwise text. */
export function markupOf(value: JsonValue): string {
  const rows =
    isJsonList(value) && value.length > 0 && value.every(isJsonMap) ? (value as readonly JsonMap[]) : undefined;
  return rows === undefined ? textOf(value) : tableOf(rows);
}

function textOf(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const shown = text.slice(0, longestValue);
  const rest =
    text.length > shown.length ? `<p class="cut">Cut after ${longestValue} of ${text.length} characters.</p>` : '';
  return `<pre>${escapeHtml(shown)}</pre>${rest}`;
}

function tableOf(rows: readonly JsonMap[]): string {
  const shown = rows.slice(0, mostRows);
  const all = [...new Set(shown.flatMap((row) => Object.keys(row)))];
  const columns = all.slice(0, mostColumns);
  const cells = (row: JsonMap): string => columns.map((name) => `<td>${escapeHtml(cellOf(row, name))}</td>`).join('');
  const left = [
    ...(rows.length > shown.length ? [`${rows.length - shown.length} more rows`] : []),
    ...(all.length > columns.length ? [`${all.length - columns.length} more columns`] : []),
  ];
  return (
    `<div class="wide"><table><thead><tr>${columns.map((name) => `<th>${escapeHtml(name)}</th>`).join('')}</tr></thead>` +
    `<tbody>${shown.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table></div>` +
    (left.length === 0 ? '' : `<p class="cut">Not shown: ${left.join(', ')}.</p>`)
  );
}

function cellOf(row: JsonMap, name: string): string {
  const value = Object.hasOwn(row, name) ? (row[name] ?? '') : '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 2_000);
}
