/**
 * Finds the reason in a server's error response: in JSON of any shape, in plain text, or in an HTML page.
 */

/** Maximum number of characters of a body that are read. */
export const maxErrorBody = 64 * 1024;
const maxDepth = 6;
const maxParts = 5;

/** Keys under which servers store the reason, best first. */
const reasonKeys = [
  ...['message', 'msg', 'error', 'detail', 'details', 'errors', 'error_description', 'error_message', 'errorMessage'],
  ...['error_msg', 'err_msg', 'errmsg', 'status_msg', 'reason', 'description', 'fault', 'faultstring', 'title'],
  ...['base_resp', 'response', 'body', 'data'],
];

/** Returns the reason in a response body, on one line; empty if it has none. */
export function wordsOfBody(body: string): string {
  return wordsOfText(body.slice(0, maxErrorBody).replace(/^\uFEFF/, ''), 0);
}

/** Returns the reason in a value, such as the data of an event within a stream; empty if it has none. */
export function wordsOfValue(value: unknown): string {
  return wordsIn(value, 0);
}

function wordsOfText(text: string, depth: number): string {
  const trimmed = text.trim().replace(/^data:\s*/, '');
  if (/^[{[]/.test(trimmed)) {
    const value = parsed(trimmed);
    if (value !== undefined) return wordsIn(value, depth) || inOneLine(trimmed);
  }
  return /^<[!?a-z]/i.test(trimmed) ? wordsOfMarkup(trimmed) : inOneLine(trimmed);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Control characters could change a terminal's output. */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

function wordsIn(value: unknown, depth: number): string {
  if (depth > maxDepth) return '';
  if (typeof value === 'string') return wordsOfText(value, depth + 1);
  if (Array.isArray(value)) {
    const parts = value.slice(0, maxParts).map((part) => wordsIn(part, depth + 1));
    return [...new Set(parts.filter((part) => part !== ''))].join('; ');
  }
  return isRecord(value) ? wordsOfRecord(value, depth) : '';
}

function wordsOfRecord(record: Readonly<Record<string, unknown>>, depth: number): string {
  const reasons = reasonKeys.map((key) => wordsIn(record[key], depth + 1));
  const reason = reasons.find((words) => words !== '') ?? wordsOfFields(record, depth);
  const { metadata, param } = record;
  // Routers wrap the error of the provider that they called.
  const inner = isRecord(metadata) ? wordsIn(metadata['raw'], depth + 1) : '';
  const field = placeOf(record) ?? (typeof param === 'string' ? param : '');
  const whole = inner === '' || reason.includes(inner) ? reason : `${reason}: ${inner}`;
  return field === '' || whole === '' || whole.includes(field) ? whole : `${field}: ${whole}`;
}

/** Returns the position of a validation error, as in `{ loc: ['body', 'stream_options'], msg }`. */
function placeOf({ loc }: Readonly<Record<string, unknown>>): string | undefined {
  return Array.isArray(loc) ? loc.map(String).join('.') : undefined;
}

/** Returns errors by field, as in `{ temperature: ['is not supported'] }`. */
function wordsOfFields(record: Readonly<Record<string, unknown>>, depth: number): string {
  if (depth === 0) return '';
  const parts = Object.entries(record)
    .map(([key, value]) => [key, Array.isArray(value) || isRecord(value) ? wordsIn(value, depth + 1) : ''] as const)
    .filter(([, words]) => words !== '')
    .map(([key, words]) => `${key}: ${words}`);
  return parts.slice(0, maxParts).join('; ');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Returns a page's text without duplicates. */
function wordsOfMarkup(page: string): string {
  const texts = page
    .replace(/<(script|style)\b[^<>]*>[^<]*/gi, ' ')
    .split(/<[^<>]*>/)
    .map((text) => inOneLine(text.replace(/&(?:#(\d{1,6})|([a-z]+));/gi, decoded)))
    .filter((text) => text !== '');
  return [...new Set(texts)].join(' ');
}

function decoded(entity: string, code: string | undefined, name: string | undefined): string {
  if (code !== undefined) return String.fromCodePoint(Math.min(Number(code), 0x10_ffff));
  return entities[(name ?? '').toLowerCase()] ?? entity;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
