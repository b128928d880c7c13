/**
 * The spellings of a secret in text.
 */
import { neverEscaped, textUnescaped } from './escaped-text.ts';
import type { SearchPattern } from './text-search.ts';

/** Shorter values are parts of common words: searching for them would make text unreadable and protect nothing. */
export const shortestHidden = 6;
/** Minimum length of values that are also found in hexadecimal and with any escapes. */
const shortestInAnySpelling = 8;
/** Minimum length of values that are also found regardless of case. */
const shortestFolded = 12;

/**
 * Returns the spellings of a secret: unchanged, in JSON, in a URL or a form, in hexadecimal, and in Base64 (RFC 4648,
 * both alphabets), including when surrounded by other bytes, as in a Basic header.
 */
export function formsOf(secret: string): readonly string[] {
  const { plain, encoded } = spellings(secret);
  return [...new Set([...plain, ...encoded])];
}

/** Returns the strings to search for in unmodified text. */
export function plainSearchForms(secret: string): readonly SearchPattern[] {
  const { plain, encoded } = spellings(secret);
  return distinct([...plain.map((text) => ownSpelling(text, secret)), ...encoded.map(encodedSpelling)]);
}

/** A string to search for after removing escapes. */
export interface UnescapedSearchForm extends SearchPattern {
  /** The longest part that common escapes do not change; absent if all such parts are short. */
  readonly anchor?: SearchPattern;
}

const shortestAnchor = 4;

/** Returns the strings to search for after removing escapes; empty for a short secret. */
export function unescapedSearchForms(secret: string, isPlusBlank: boolean): readonly UnescapedSearchForm[] {
  if (secret.length < shortestInAnySpelling) return [];
  const meant = (text: string): string => textUnescaped(text, { isPlusBlank }).replace(/[\\%&]+$/, '');
  const { encoded } = spellings(secret);
  const plain = [secret, Buffer.from(secret).toString('latin1')];
  return distinct([
    ...plain.map((spelling) => withAnchor(ownSpelling(meant(spelling), secret), spelling)),
    ...encoded.map((spelling) => withAnchor(encodedSpelling(meant(spelling)), spelling)),
  ]).filter(({ text }) => text.length >= shortestInAnySpelling);
}

function withAnchor(sought: SearchPattern, spelling: string): UnescapedSearchForm {
  const parts = sought.text.match(neverEscaped) ?? [];
  const kept = sought.isFolded === true ? spelling.toLowerCase() : spelling;
  // An escape in the secret itself changes when it is escaped again.
  const [text = ''] = parts.filter((part) => kept.includes(part)).sort((a, b) => b.length - a.length);
  return text.length < shortestAnchor ? sought : { ...sought, anchor: { ...sought, text } };
}

function ownSpelling(text: string, secret: string): SearchPattern {
  return secret.length >= shortestFolded ? folded(text) : { text };
}

/** Hexadecimal digits may be lowercase or uppercase. */
function encodedSpelling(text: string): SearchPattern {
  return /^[0-9a-f]+$/.test(text) ? folded(text) : { text };
}

function folded(text: string): SearchPattern {
  const small = text.toLowerCase();
  // For a few characters, the lowercase and uppercase forms differ in length.
  return small.length === text.length ? { text: small, isFolded: true } : { text };
}

function distinct<One extends SearchPattern>(sought: readonly One[]): readonly One[] {
  return [...new Map(sought.map((one) => [one.text, one])).values()];
}

interface Spellings {
  /** Forms derived from the characters. */
  readonly plain: readonly string[];
  /** Forms derived from the bytes. */
  readonly encoded: readonly string[];
}

function spellings(secret: string): Spellings {
  if (secret === '') return { plain: [], encoded: [] };
  const bytes = Buffer.from(secret);
  // Converting to bytes replaces lone surrogates, which encodeURIComponent rejects.
  const inAddress = encodeURIComponent(bytes.toString());
  const plain = [secret, JSON.stringify(secret).slice(1, -1)];
  const inBase64 = [0, 1, 2].map((before) => alignedBase64(bytes, before)).filter((form) => form !== '');
  return {
    // Also as bytes, for data of unknown encoding.
    plain: [
      ...plain,
      ...plain.map((form) => Buffer.from(form).toString('latin1')),
      inAddress,
      inAddress.replaceAll('%20', '+'),
    ],
    encoded: [
      ...inBase64,
      ...inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
      ...(secret.length >= shortestInAnySpelling ? [bytes.toString('hex')] : []),
    ],
  };
}

/** Returns the Base64 characters that depend only on `bytes` when `before` other bytes precede them in a group of three. */
function alignedBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + bytes.byteLength) * 8) / 6);
  return text.slice(first, end);
}
