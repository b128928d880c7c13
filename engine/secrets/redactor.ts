/**
 * Keeps secrets out of what is written: those that are known, those that their name gives away, and those that were seen
 * under such a name before.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import { isJsonList, isTree, parseJsonTree } from './json-text.ts';
import { formsOf } from './secret-forms.ts';
import { createMask, type SecretMask } from './secret-mask.ts';

// Names under which secrets travel, however they are spelled: `apiKey`, `API_KEY` and `x-api-key` are one.

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

/** True for a field of a body that holds a secret. */
function isSecretField(name: string): boolean {
  const plain = plainOf(name);
  return secretNames.has(plain) || secretEndings.some((ending) => plain.endsWith(ending));
}

/** True for a header that holds a secret. */
function isSecretHeader(name: string): boolean {
  return headerWords.test(name) || isSecretField(name);
}

/** True for a parameter of a URL that holds a secret; such names are shorter than elsewhere. */
function isSecretParameter(name: string): boolean {
  const plain = plainOf(name);
  return parameterNames.has(plain) || parameterEndings.some((ending) => plain.endsWith(ending)) || isSecretField(name);
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** What stands in a secret's place. */
export const secretMark = '[secret]';

export interface Redactor {
  /**
   * The value without secrets; the same for equal values, and unchanged for what went through it before. Maps under
   * `headers` are looked at as headers, text that is JSON as the tree it is.
   */
  redact(value: JsonValue): JsonValue;
  /** True when the text holds one of the known secrets nevertheless. */
  isLeaking(text: string): boolean;
}

/** Shorter values are words like `none` or `ollama`, which stand in for a key where none is needed. */
export const shortestKey = 8;

/**
 * In every text that can hold a secret by its name, in an address or behind a scheme; an escape may hide one of these.
 * Most texts are harmless, and looking closely at each would make recording slow.
 */
const suspicious = /token|secret|pass|pwd|key|auth|cookie|credential|jwt|bearer|basic|sig|@|\\u/i;

interface RedactorOptions {
  /**
   * Takes out as well what looks like a key whatever it is called, mail addresses, and numbers of cards and telephones. Ids, hashes, dates
   * and amounts stay.
   */
  readonly isForOthers?: true;
}

/**
 * Makes a redactor that remembers what it has seen.
 * @param knownSecrets read anew for each value
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
      // First all of it: the same token may stand in an address above the field that names it.
      rememberTokens(value, seen);
      const forms = [...seen].flatMap(formsOf).sort((a, b) => b.length - a.length);
      const mask = known();
      const clean = redactTree(value, (text) => forms.reduce(withoutForm, mask.text(text)));
      return isForOthers === true ? mapLeaves(clean, 'open', withoutPrivate) : clean;
    },
    isLeaking: (text) => known().text(text) !== text,
  };
}

function rememberTokens(value: JsonValue, seen: Set<string>): void {
  const remember = (secret: Leaf): void => {
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

/** What of a secret field is worth remembering: values that look random, not words that may stand anywhere. */
function tokensOf(leaf: Leaf): string[] {
  return String(leaf)
    .split(/\s+/)
    .filter((word) => word.length >= 12 && /\d/.test(word) && /[a-z]/i.test(word) && word !== secretMark);
}

function withoutForm(text: string, form: string): string {
  return text.replaceAll(form, secretMark);
}

/** Takes known secrets out of a text. */
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
  if (tree === undefined) return redactAddresses(redactPairs(clean), () => {});
  const redacted = redactTree(tree, hide);
  // Unchanged, it keeps its spaces.
  return redacted === tree ? redactPairs(clean) : JSON.stringify(redacted);
}

/** `"password": "…"` in text that as a whole is no JSON, such as a list of JSON lines; and `Bearer …`. */
function redactPairs(text: string): string {
  const open = text.replace(/\b(Bearer|Basic) +[\w.~+/=-]{16,}/gi, `$1 ${secretMark}`);
  if (!open.includes('"')) return open;
  return open.replace(/"([\w.-]{1,64})"(\s*:\s*)"(?:[^"\\]|\\.)+"/g, (pair, name: string, colon: string) =>
    isSecretField(name) ? `"${name}"${colon}"${secretMark}"` : pair,
  );
}

/** @param found gets each secret, decoded, before it is replaced */
function redactAddresses(text: string, found: (secret: string) => void): string {
  if (!/[/?]/.test(text)) return text;
  return text.replace(/(?::\/\/|[/?])[^\s"'<>]+/g, (address) =>
    address
      .replace(/:\/\/([^/?#]*)@/g, (_, user: string) => {
        found(decoded(user.slice(user.indexOf(':') + 1)));
        return `://${secretMark}@`;
      })
      .replace(/[?&#][^=&#?]{1,64}=[^&#]+/g, (pair) => {
        const [name = '', ...value] = pair.split('=');
        if (!isSecretParameter(decoded(name))) return pair;
        found(decoded(value.join('=')));
        return `${name}=${secretMark}`;
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

/** Of texts that are JSON, what stands in them goes as well: none of these has a quote in it. */
function withoutPrivate(leaf: Leaf): Leaf {
  if (typeof leaf === 'number') return isCardNumber(String(leaf)) ? '[card]' : leaf;
  return leaf
    .replace(keyShape, secretMark)
    .replace(mailAddress, '[email]')
    .replace(longNumber, (digits) => (isCardNumber(digits) ? '[card]' : digits))
    .replace(phoneNumber, '[phone]');
}

/** Keys of providers, code hosts and clouds by their own beginnings, signed tokens, and private keys in PEM. */
const keyShape =
  /\b(?:(?:sk|pk|rk)[-_][\w-]{16,}|(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|hf_|npm_|AIza|AKIA|ASIA|gsk_|r8_|xai-|pplx-)[\w-]{12,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;

/** An address of RFC 5322 as people write it, with a domain that has a dot. */
const mailAddress = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])/gi;

/** Alone, or in groups of four or so; part of no id. */
const longNumber = /(?<![\w.-])\d(?:[ -]?\d){13,18}(?![\w-]|\.\d)/g;

/**
 * With the sign of a country, with a leading zero and gaps, or as in North America. Digits without gaps may be anything, and so may dates.
 */
const phoneNumber =
  /(?<![\w.+-])(?:\+\d{1,3}(?:[ ./-]?\(?\d{1,5}\)?){2,6}|\(?0\d{1,4}\)?[ /-]\d{3,8}(?:[ -]?\d{1,5}){0,3}|\(?\d{3}\)?[ -]\d{3}-\d{4})(?![\w-]|\.\d)/g;

/** As issuers give them (ISO/IEC 7812): 14 to 19 digits that begin with 2 to 6, the last of which checks the others. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^(?:2[2-7]|[3-6])\d{12,17}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

type Leaf = string | number;

/** What the names above a value say of it. */
type Place = 'open' | 'headers' | 'secret';

/** Puts each text and number through `change`. What holds no change comes back itself: most values are large and harmless. */
function mapLeaves(value: JsonValue, place: Place, change: (leaf: Leaf, place: Place) => Leaf): JsonValue {
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
  // Put together from pairs, because a name may be `__proto__`.
  return changes.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changes]);
}

function placeOf(name: string, above: Place): Place {
  if (above === 'secret') return 'secret';
  const isSecret = above === 'headers' ? isSecretHeader(name) : suspicious.test(name) && isSecretField(name);
  if (isSecret) return 'secret';
  return name === 'headers' ? 'headers' : 'open';
}
