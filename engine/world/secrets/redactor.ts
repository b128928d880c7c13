/**
 * Removes secrets from data before it is written: known secrets, values whose name identifies a secret, values seen
 * earlier under such a name, and texts with the shape of a key.
 */
import type { JsonValue } from '../../language/json/json-value.ts';
import { isJsonList, isTree, parseJsonTree } from './json-text.ts';
import { isCardNumber, replaceKeys, replaceShapes } from './private-shapes.ts';
import { formsOf } from './secret-forms.ts';
import { createMask, type SecretMask } from './secret-mask.ts';

// Names of fields that contain secrets, in any spelling: `apiKey`, `API_KEY` and `x-api-key` are equal.

const secretNames = new Set(['token', 'pwd', 'cookies', 'credentials', 'jwt', 'bearer']);

const secretEndings = [
  'authorization',
  'cookie',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'apikey',
  'accesskey',
  'secretkey',
  'privatekey',
  'subscriptionkey',
  'accesstoken',
  'authtoken',
  'bearertoken',
  'idtoken',
  'privatetoken',
  'refreshtoken',
  'securitytoken',
  'sessiontoken',
];

const parameterEndings = ['signature', 'credential'];
const parameterNames = new Set(['key', 'sig', 'auth']);

const headerWords =
  /(?:^|-)(?:auth|authorization|cookie|credentials?|key|secret|session|signature|token)s?(?:-?\d+)?$/i;

/** Whether a body field contains a secret. */
export function isSecretField(name: string): boolean {
  const plain = plainOf(name);
  return secretNames.has(plain) || secretEndings.some((ending) => plain.endsWith(ending));
}

/** Whether a header contains a secret. */
function isSecretHeader(name: string): boolean {
  return headerWords.test(name) || isSecretField(name);
}

/** Whether a URL parameter contains a secret. Such names are shorter than elsewhere. */
function isSecretParameter(name: string): boolean {
  const plain = plainOf(name);
  return parameterNames.has(plain) || parameterEndings.some((ending) => plain.endsWith(ending)) || isSecretField(name);
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Replaces a secret. */
export const secretMark = '[secret]';

export interface Redactor {
  /**
   * Returns the value without secrets. Equal values have equal results, and a redacted value is unchanged. Maps under
   * `headers` are treated as headers, and JSON text as the tree it represents.
   */
  redact(value: JsonValue): JsonValue;
  /** Whether the text still contains a known secret. */
  isLeaking(text: string): boolean;
}

/** Shorter values are words such as `none` or `ollama`, used as a key where none is needed. */
export const shortestKey = 8;

/**
 * Matches every text that may contain a secret by its name, in a URL or after an auth scheme; an escape may hide one of
 * these. Most text is harmless, and checking all of it in detail would slow down recording.
 */
const suspicious = /token|secret|pass|pwd|key|auth|cookie|credential|jwt|bearer|basic|sig|@|\\u/i;

interface RedactorOptions {
  /**
   * Also removes email addresses, card numbers, phone numbers and anything that looks like a key. IDs, hashes, dates
   * and amounts are kept.
   */
  readonly isForOthers?: true;
}

/**
 * Creates a redactor that remembers the secrets it has seen.
 * @param knownSecrets called for each value
 */
export function createRedactor(knownSecrets: () => readonly string[], { isForOthers }: RedactorOptions = {}): Redactor {
  const seen = new Set<string>();
  const known = (): SecretMask =>
    createMask(
      knownSecrets()
        .filter(({ length }) => length >= shortestKey)
        .map((value) => ({ value, mark: secretMark })),
    );
  return {
    redact(value) {
      // Collects secrets first, because a token may be in a URL above the field that names it.
      rememberTokens(value, seen);
      const forms = [...seen].flatMap(formsOf).sort((a, b) => b.length - a.length);
      const mask = known();
      const clean = redactTree(value, (text) => replaceKeys(forms.reduce(withoutForm, mask.text(text)), secretMark));
      return isForOthers === true ? mapLeaves(clean, 'open', withoutPrivate) : clean;
    },
    isLeaking: (text) => known().text(text) !== text,
  };
}

function rememberTokens(value: JsonValue, seen: Set<string>): void {
  const remember = (secret: RedactedLeaf): undefined => {
    for (const token of tokensOf(secret)) seen.add(token);
  };
  mapLeaves(value, 'open', (leaf, place) => {
    if (place === 'secret') remember(leaf);
    else if (typeof leaf === 'string' && suspicious.test(leaf)) {
      const tree = parseJsonTree(leaf);
      if (tree === undefined) redactAddresses(leaf, remember);
      else rememberTokens(tree, seen);
    }
    return leaf;
  });
}

/** Returns a secret field's values that are worth remembering: those that look random, not common words. */
function tokensOf(leaf: RedactedLeaf): string[] {
  return String(leaf)
    .split(/\s+/)
    .filter((word) => word.length >= 12 && /\d/.test(word) && /[a-z]/i.test(word) && word !== secretMark);
}

function withoutForm(text: string, form: string): string {
  return text.replaceAll(form, secretMark);
}

/** Removes known secrets from text. */
type Hide = (text: string) => string;

function redactTree(value: JsonValue, hide: Hide): JsonValue {
  return mapLeaves(value, 'open', (leaf, place) => {
    if (place === 'secret') return secretMark;
    return typeof leaf === 'string' ? redactText(leaf, hide) : leaf;
  });
}

function redactText(text: string, hide: Hide): string {
  const clean = hide(text);
  if (!suspicious.test(clean)) return clean;
  const tree = parseJsonTree(clean);
  if (tree === undefined) return redactAddresses(redactPairs(clean), () => secretMark);
  const redacted = redactTree(tree, hide);
  // Unchanged text keeps its whitespace.
  return redacted === tree ? redactPairs(clean) : JSON.stringify(redacted);
}

/** Redacts `"password": "…"` in text that is not JSON as a whole, such as JSON lines, and `Bearer …`. */
function redactPairs(text: string): string {
  const open = text.replace(/\b(Bearer|Basic) +[\w.~+/=-]{16,}/gi, `$1 ${secretMark}`);
  if (!open.includes('"')) return open;
  return open.replace(/"([\w.-]{1,64})"(\s*:\s*)"(?:[^"\\]|\\.)+"/g, (pair, name: string, colon: string) =>
    isSecretField(name) ? `"${name}"${colon}"${secretMark}"` : pair,
  );
}

/** @param markOf returns the mark for a decoded secret; undefined if it stays */
export function redactAddresses(text: string, markOf: (secret: string) => string | undefined): string {
  if (!/[/?]/.test(text)) return text;
  return text.replace(/(?::\/\/|[/?])[^\s"'<>]+/g, (address) =>
    address
      .replace(/:\/\/([^/?#]*)@/g, (whole, user: string) => {
        const mark = markOf(decoded(user.slice(user.indexOf(':') + 1)));
        return mark === undefined ? whole : `://${mark}@`;
      })
      .replace(/[?&#][^=&#?]{1,64}=[^&#]+/g, (pair) => {
        const [name = '', ...value] = pair.split('=');
        const mark = isSecretParameter(decoded(name)) ? markOf(decoded(value.join('='))) : undefined;
        return mark === undefined ? pair : `${name}=${mark}`;
      }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Also applies to the raw text of JSON: none of these shapes contains a quote. */
function withoutPrivate(leaf: RedactedLeaf): RedactedLeaf {
  if (typeof leaf === 'number') return isCardNumber(String(leaf)) ? shapeMarks.card : leaf;
  return replaceShapes(leaf, (shape) => shapeMarks[shape]);
}

/** What replaces private data that is recognized by its shape. */
export const shapeMarks = { key: secretMark, email: '[email]', card: '[card]', phone: '[phone]' } as const;

type RedactedLeaf = string | number;

/** Information about a value from the names above it. */
export type RedactionContext = 'open' | 'headers' | 'secret';

/**
 * Applies `change` to each text and number. Returns the same value if nothing changes, because most values are large
 * and harmless.
 */
function mapLeaves(
  value: JsonValue,
  place: RedactionContext,
  change: (leaf: RedactedLeaf, place: RedactionContext) => RedactedLeaf,
): JsonValue {
  if (typeof value === 'number') return change(value, place);
  if (typeof value === 'string') return value === '' ? value : change(value, place);
  if (!isTree(value)) return value;
  if (isJsonList(value)) {
    const items = value.map((item) => mapLeaves(item, place, change));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const changes: [string, JsonValue][] = [];
  for (const name of Object.keys(value)) {
    const before = value[name] ?? null;
    const after = mapLeaves(before, placeOf(name, place), change);
    if (after !== before) changes.push([name, after]);
  }
  // Built from entries, because a name may be `__proto__`.
  return changes.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changes]);
}

/** Returns what a name says about its value. @param above what the names above it say */
export function placeOf(name: string, above: RedactionContext): RedactionContext {
  if (above === 'secret') return 'secret';
  const isSecret = above === 'headers' ? isSecretHeader(name) : suspicious.test(name) && isSecretField(name);
  if (isSecret) return 'secret';
  return name === 'headers' ? 'headers' : 'open';
}
