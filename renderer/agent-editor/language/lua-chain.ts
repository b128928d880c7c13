/**
 * Finds the names around a position in a script: `aip.file.lo` before the cursor, and the call that contains it.
 */
import { type LuaToken, readLua } from '../../../engine/isomorphic.ts';

/** Dotted names that end at a position. */
interface NameChain {
  /** The last one is incomplete and may be empty. */
  readonly names: readonly string[];
  /** Start of the last name in the code. */
  readonly start: number;
  /** The word before the chain, such as `return`; empty if there is none. */
  readonly wordBefore: string;
}

/** Returns the chain that ends at an offset of the code; null inside comments and strings, and after a number. */
export function chainBefore(code: string, offset: number): NameChain | null {
  const { tokens, open } = readLua(code.slice(0, offset));
  const last = tokens.at(-1);
  if (open !== null || (last !== undefined && endsInText(last, offset))) return null;
  const isWord = last?.end === offset && (last.kind === 'name' || last.kind === 'keyword');
  const owners = ownersBefore(tokens, tokens.length - (isWord ? 2 : 1));
  if (owners === null) return null;
  const before = tokens[tokens.length - (isWord ? 2 : 1) - 2 * owners.length];
  const isCode = before !== undefined && before.kind !== 'string' && before.kind !== 'comment';
  return {
    names: [...owners, isWord ? last.text : ''],
    start: isWord ? last.start : offset,
    wordBefore: isCode ? before.text : '',
  };
}

/**
 * Returns the names with a dot after them that end at a token; null if the value before them is unknown: `f().`,
 * `a[1].`, `a:`.
 */
function ownersBefore(tokens: readonly LuaToken[], end: number): string[] | null {
  const owners: string[] = [];
  let at = end;
  while (tokens[at]?.text === '.' && tokens[at - 1]?.kind === 'name') {
    owners.unshift(tokens[at - 1]?.text ?? '');
    at -= 2;
  }
  return tokens[at]?.text === '.' || tokens[at]?.text === ':' ? null : owners;
}

/** Whether an offset after the last token is still inside it: a line comment, an unclosed string, or a number. */
function endsInText({ kind, text, end }: LuaToken, offset: number): boolean {
  if (end < offset) return false;
  if (kind === 'number') return true;
  if (kind === 'comment') return !/\]=*\]$/.test(text);
  if (kind !== 'string' || text.startsWith('[')) return false;
  const quote = text[0] ?? '';
  return text.length < 2 || !text.endsWith(quote) || text.endsWith(`\\${quote}`);
}

/** Returns the chain up to the name that contains an offset; null if there is none. */
export function chainAt(code: string, offset: number): { names: readonly string[]; start: number; end: number } | null {
  const { tokens } = readLua(code);
  const found = tokens.find(({ kind, start, end }) => kind === 'name' && start <= offset && offset <= end);
  if (found === undefined) return null;
  const chain = chainBefore(code, found.end);
  return chain === null ? null : { names: chain.names, start: found.start, end: found.end };
}

/** The call around a position. */
interface EnclosingLuaCall {
  readonly names: readonly string[];
  /** Index of the argument, from 0. */
  readonly argument: number;
}

/** Returns the innermost call of a chain of names with an open parenthesis at an offset; null if there is none. */
export function callAround(code: string, offset: number): EnclosingLuaCall | null {
  const symbols = readLua(code.slice(0, offset)).tokens.filter(({ kind }) => kind === 'symbol');
  const open: { readonly bracket: LuaToken; commas: number }[] = [];
  for (const symbol of symbols) {
    const around = open.at(-1);
    if (/^[({[]$/.test(symbol.text)) open.push({ bracket: symbol, commas: 0 });
    else if (/^[)}\]]$/.test(symbol.text)) open.pop();
    else if (symbol.text === ',' && around !== undefined) around.commas += 1;
  }
  const call = open.findLast(({ bracket }) => bracket.text === '(');
  return call === undefined ? null : callOf(code, call.bracket, call.commas);
}

function callOf(code: string, bracket: LuaToken, argument: number): EnclosingLuaCall | null {
  const before = code.slice(0, bracket.start).trimEnd();
  const chain = chainBefore(before, before.length);
  return chain === null || chain.names.at(-1) === '' ? null : { names: chain.names, argument };
}

/** Returns the names of variables and functions defined in the code, each once. */
export function localNames(code: string): readonly string[] {
  const { tokens } = readLua(code);
  const names = new Set<string>();
  let isDeclaring = false;
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'keyword') isDeclaring = text === 'local' || text === 'for' || text === 'function';
    else if (kind === 'name' && isDeclaring && tokens[at - 1]?.text !== '.') names.add(text);
    else if (text === '=' || text === ')') isDeclaring = false;
  }
  return [...names];
}
