/**
 * Finds private values in data and text, so that a person can see and choose what is replaced. One walk both finds
 * and replaces them: whatever is listed is what is replaced.
 */
import { gunzipSync, inflateSync } from 'node:zlib';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { isJsonList, isTree, parseJsonTree } from './json-text.ts';
import { isCardNumber, type PrivateShape, replaceShapes } from './private-shapes.ts';
import { isSecretField, placeOf, type RedactionContext, redactAddresses } from './redactor.ts';

/**
 * Why a value is private: `secret` by the name of its field, header or parameter, `known` because it is a secret of
 * this workspace, `home` as the path of a home folder, `word` because a person named it; otherwise by its shape.
 */
export type PrivateKind = PrivateShape | 'secret' | 'known' | 'home' | 'word';

export interface PrivateValue {
  readonly kind: PrivateKind;
  readonly value: string;
}

/** Returns the replacement of a private value; the value itself if it stays. */
export type ReplaceValue = (found: PrivateValue) => string;

/** Returns the value with its private values replaced, also in names; the same value if there are none. */
export function replacePrivate(value: JsonValue, replace: ReplaceValue): JsonValue {
  return walk(value, 'open', replace);
}

function walk(value: JsonValue, place: RedactionContext, replace: ReplaceValue): JsonValue {
  if (typeof value === 'string') return place === 'secret' ? bySecretName(value, replace) : inText(value, replace);
  if (typeof value === 'number') return numberLeaf(value, place, replace);
  if (!isTree(value)) return value;
  if (isJsonList(value)) {
    const items = value.map((item) => walk(item, place, replace));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return walkMap(value, place, replace);
}

function walkMap(map: JsonMap, place: RedactionContext, replace: ReplaceValue): JsonMap {
  let isChanged = false;
  const entries = Object.entries(map).map(([name, before]): [string, JsonValue] => {
    const after = walk(before, placeOf(name, place), replace);
    const shown = inText(name, replace);
    if (after !== before || shown !== name) isChanged = true;
    return [shown, after];
  });
  return isChanged ? Object.fromEntries(entries) : map;
}

function bySecretName(text: string, replace: ReplaceValue): string {
  if (isReference(text)) return text;
  const [, scheme, value = ''] = /^((?:Bearer|Basic|Token) +)(\S+)$/i.exec(text) ?? [];
  if (scheme === undefined) return replace({ kind: 'secret', value: text });
  if (isReference(value)) return text;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? [];
  if (/^Basic/i.test(scheme) && password !== '') replace({ kind: 'secret', value: password });
  return scheme + replace({ kind: 'secret', value });
}

function numberLeaf(value: number, place: RedactionContext, replace: ReplaceValue): JsonValue {
  const text = String(value);
  if (place !== 'secret' && !isCardNumber(text)) return value;
  const replaced = replace({ kind: place === 'secret' ? 'secret' : 'card', value: text });
  return replaced === text ? value : replaced;
}

/** Whether a text under a secret's name is empty, already replaced, or a template or reference that holds no secret. */
export function isReference(text: string): boolean {
  return text.trim() === '' || /^\s*(?:\[[^\s[\]]+\]|\{\{.*\}\}|\$\{?[\w.]+\}?|secrets?\.[\w.]+)\s*$/s.test(text);
}

const assignment = /\b([A-Za-z][\w.-]{2,63})(\s*=\s*["']?)([^\s"'&;,]{6,})/g;
const pair = /"([\w.-]{1,64})"(\s*:\s*)"((?:[^"\\]|\\.)+)"/g;
const authorization = /\b(Bearer|Basic)( +)([\w.~+/=-]{16,})/gi;
const homeFolder = /(?:\/(?:home|Users)\/|\b[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))[^\s/\\"'<>:;,|?*()[\]{}]+/g;
const base64Run = /(?<![\w+/=-])(?:[A-Za-z0-9+/]{24,}|[\w-]{24,})={0,2}(?![\w+/=-])/g;

/** Replaces the private parts of text. Text that is JSON as a whole is treated as the value that it represents. */
function inText(text: string, replace: ReplaceValue): string {
  if (text.length < 3) return text;
  const tree = parseJsonTree(text);
  if (tree !== undefined) {
    const replaced = walk(tree, 'open', replace);
    return replaced === tree ? text : JSON.stringify(replaced);
  }
  const secret = (value: string): string => bySecretName(value, replace);
  const named = redactAddresses(text, (value) => {
    const mark = secret(value);
    return mark === value ? undefined : mark;
  })
    .replace(authorization, (_, scheme: string, space: string, value: string) => `${scheme}${space}${secret(value)}`)
    .replace(pair, (whole, name: string, colon: string, value: string) =>
      isSecretField(name) ? `"${name}"${colon}"${secret(value)}"` : whole,
    )
    .replace(assignment, (whole, name: string, equals: string, value: string) =>
      isSecretField(name) ? `${name}${equals}${secret(value)}` : whole,
    )
    .replace(homeFolder, (value) => replace({ kind: 'home', value }));
  const shaped = replaceShapes(named, (kind, value) => replace({ kind, value }));
  return shaped.length < 24 ? shaped : shaped.replace(base64Run, (run) => inBase64(run, replace));
}

/** Replaces encoded text as a whole if it contains private values, also if it is compressed. */
function inBase64(run: string, replace: ReplaceValue): string {
  // Hexadecimal digits are hashes and IDs.
  if (/^[0-9a-f-]+$/i.test(run)) return run;
  const text = decodedText(Buffer.from(run, 'base64'));
  if (text === undefined) return run;
  let mark: string | undefined;
  inText(text, (found) => {
    const replaced = replace(found);
    if (replaced !== found.value) mark ??= replaced;
    return replaced;
  });
  return mark ?? run;
}

/** A longer text is not examined when it is compressed. In bytes. */
const longestUnpacked = 16 * 1024 * 1024;

/** Returns the text in bytes, unpacked if they are compressed; undefined if they are not text. */
export function decodedText(bytes: Buffer): string | undefined {
  const plain = unpacked(bytes);
  const text = plain.toString('utf8');
  return text.includes('\ufffd') || /\p{Cc}(?<![\n\r\t])/u.test(text) ? undefined : text;
}

function unpacked(bytes: Buffer): Buffer {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, { maxOutputLength: longestUnpacked });
    // The header of a zlib stream is divisible by 31 (RFC 1950).
    const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) + (bytes[1] ?? 0)) % 31 === 0;
    return isZlib ? inflateSync(bytes, { maxOutputLength: longestUnpacked }) : bytes;
  } catch {
    return bytes;
  }
}
