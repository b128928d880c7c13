/**
 * The names around a place in a script: `aip.file.lo` before the cursor, the call that it stands in.
 */
import { type LuaToken, readLua } from '../../../engine/isomorphic.ts';

/** Names with dots between them that end at a place. */
interface NameChain {
  /** The last one is what is being written, and may be empty. */
  readonly names: readonly string[];
  /** Where the last name begins, in the code. */
  readonly start: number;
  /** The word before the chain, such as `return`; empty = none. */
  readonly wordBefore: string;
}

/** The chain that ends at an offset of the code; null inside of comments and strings, and behind a number. */
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

/** The names with dots behind them that end at a token; null where nobody can say what stands there: `f().`, `a[1].`, `a:`. */
function ownersBefore(tokens: readonly LuaToken[], end: number): string[] | null {
  const owners: string[] = [];
  let at = end;
  while (tokens[at]?.text === '.' && tokens[at - 1]?.kind === 'name') {
    owners.unshift(tokens[at - 1]?.text ?? '');
    at -= 2;
  }
  return tokens[at]?.text === '.' || tokens[at]?.text === ':' ? null : owners;
}

/** Whether an offset behind the last word is still inside of it: of a comment's line, a string without an end, a number. */
function endsInText({ kind, text, end }: LuaToken, offset: number): boolean {
  if (end < offset) return false;
  if (kind === 'number') return true;
  if (kind === 'comment') return !/\]=*\]$/.test(text);
  if (kind !== 'string' || text.startsWith('[')) return false;
  const quote = text[0] ?? '';
  return text.length < 2 || !text.endsWith(quote) || text.endsWith(`\\${quote}`);
}

/** The whole chain whose last name holds an offset, as far as that name; null = there is none. */
export function chainAt(code: string, offset: number): { names: readonly string[]; start: number; end: number } | null {
  const { tokens } = readLua(code);
  const found = tokens.find(({ kind, start, end }) => kind === 'name' && start <= offset && offset <= end);
  if (found === undefined) return null;
  const chain = chainBefore(code, found.end);
  return chain === null ? null : { names: chain.names, start: found.start, end: found.end };
}

/** A call that a place stands in. */
interface OpenCall {
  readonly names: readonly string[];
  /** Which argument, from 0. */
  readonly argument: number;
}

/** The innermost call of a chain of names whose brackets are open at an offset; null = there is none. */
export function callAround(code: string, offset: number): OpenCall | null {
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

function callOf(code: string, bracket: LuaToken, argument: number): OpenCall | null {
  const before = code.slice(0, bracket.start).trimEnd();
  const chain = chainBefore(before, before.length);
  return chain === null || chain.names.at(-1) === '' ? null : { names: chain.names, argument };
}

/** Names that the code gives to variables and functions of its own, each once. */
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
