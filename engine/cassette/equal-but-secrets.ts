/**
 * Requests that differ only where one of them has a secret left out. What is known to be a secret can differ from run to run:
 * a key may not be set where it is replayed, or of two parallel calls the one that gives a token away comes later.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import { isTree } from './json-text.ts';
import { secretMark } from './redactor.ts';

/** True when the values are equal, where a secret's mark in either stands for any text. The order of keys does not count. */
export function equalButSecrets(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === 'string' && typeof right === 'string') return fits(left, right) || fits(right, left);
  if (!isTree(left) || !isTree(right)) return left === right;
  const parts = new Map<string, JsonValue>(Object.entries(right));
  const entries: [string, JsonValue][] = Object.entries(left);
  if (Array.isArray(left) !== Array.isArray(right) || entries.length !== parts.size) return false;
  return entries.every(([name, part]) => {
    const other = parts.get(name);
    return other !== undefined && equalButSecrets(part, other);
  });
}

/** Looks for the parts between the marks one after the other: a regular expression could take for ever on long texts. */
function fits(text: string, pattern: string): boolean {
  if (text === pattern) return true;
  const [first = '', ...others] = pattern.split(secretMark);
  const last = others.pop();
  if (last === undefined || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
