/**
 * Keeps secrets out of what is written: those that are known, those that their name gives away, and those that were seen
 * under such a name before.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import { isTree, parseJsonTree } from './json-text.ts';
import { isSecretField, isSecretHeader, isSecretParameter } from './secret-names.ts';

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
const shortestSecret = 8;

/**
 * Makes a redactor that remembers what it has seen.
 * @param knownSecrets read anew for each value
 */
export function createRedactor(knownSecrets: () => readonly string[]): Redactor {
  const seen = new Set<string>();
  const known = (): string[] => knownSecrets().filter(({ length }) => length >= shortestSecret);
  return {
    redact(value) {
      // First all of it: the same token may stand in an address above the field that names it.
      rememberTokens(value, seen);
      const forms = [...known(), ...seen].flatMap(formsOf).sort((a, b) => b.length - a.length);
      return redactTree(value, forms);
    },
    isLeaking: (text) =>
      known()
        .flatMap(formsOf)
        .some((form) => text.includes(form)),
  };
}

function rememberTokens(value: JsonValue, seen: Set<string>): void {
  mapLeaves(value, (leaf, isSecret) => {
    if (isSecret) for (const token of tokensOf(leaf)) seen.add(token);
    const tree = typeof leaf === 'string' ? parseJsonTree(leaf) : undefined;
    if (tree !== undefined) rememberTokens(tree, seen);
    return leaf;
  });
}

/** What of a secret field is worth remembering: values that look random, not words that may stand anywhere. */
function tokensOf(leaf: string | number): string[] {
  return String(leaf)
    .split(/\s+/)
    .filter((word) => word.length >= 12 && /\d/.test(word) && /[a-z]/i.test(word) && word !== secretMark);
}

/** A secret as it stands in text, JSON, an address and a Basic header. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  // By way of the bytes, because half a character cannot be encoded.
  return [...new Set([secret, inJson, encodeURIComponent(bytes.toString()), bytes.toString('base64')])];
}

function redactTree(value: JsonValue, forms: readonly string[]): JsonValue {
  return mapLeaves(value, (leaf, isSecret) => {
    if (isSecret) return secretMark;
    return typeof leaf === 'string' ? redactText(leaf, forms) : leaf;
  });
}

function redactText(text: string, forms: readonly string[]): string {
  const clean = forms.reduce((rest, form) => rest.replaceAll(form, secretMark), text);
  const tree = parseJsonTree(clean);
  if (tree === undefined) return redactAddresses(redactPairs(clean));
  const before = JSON.stringify(tree);
  const after = JSON.stringify(redactTree(tree, forms));
  // Unchanged, it keeps its spaces.
  return before === after ? redactPairs(clean) : after;
}

/** `"password": "…"` in text that as a whole is no JSON, such as a list of JSON lines; and `Bearer …`. */
function redactPairs(text: string): string {
  return text
    .replace(/"([\w.-]{1,64})"(\s*:\s*)"(?:[^"\\]|\\.)+"/g, (pair, name: string, colon: string) =>
      isSecretField(name) ? `"${name}"${colon}"${secretMark}"` : pair,
    )
    .replace(/\b(Bearer|Basic) +[\w.~+/=-]{16,}/gi, `$1 ${secretMark}`);
}

function redactAddresses(text: string): string {
  return text.replace(/(?:[a-z][a-z0-9+.-]{0,20}:\/\/|[/?])[^\s"'<>]+/gi, (address) =>
    address
      .replace(/:\/\/[^/?#]*@/, `://${secretMark}@`)
      .replace(/([?&#])([^=&#?]{1,64})=([^&#]+)/g, (pair, before: string, name: string) =>
        isSecretParameter(decoded(name)) ? `${before}${name}=${secretMark}` : pair,
      ),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Leaf = string | number;

/** Puts each text and number through `change`, told whether a name above it says that it is a secret. */
function mapLeaves(
  value: JsonValue,
  change: (leaf: Leaf, isSecret: boolean) => Leaf,
  above: { readonly isSecret: boolean; readonly isHeaders: boolean } = { isSecret: false, isHeaders: false },
): JsonValue {
  if (typeof value === 'number') return change(value, above.isSecret);
  if (typeof value === 'string') return value === '' ? value : change(value, above.isSecret);
  if (!isTree(value)) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapLeaves(item, change, above));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, JsonValue]) => {
      const isSecret = above.isSecret || (above.isHeaders ? isSecretHeader(name) : isSecretField(name));
      return [name, mapLeaves(part, change, { isSecret, isHeaders: name === 'headers' })];
    }),
  );
}
