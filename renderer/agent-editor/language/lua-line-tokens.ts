/**
 * The colours of Lua.
 */
import type { LuaToken } from '../../../engine/isomorphic.ts';
import type { LineToken, TokenName } from './line-token.ts';

const names: Readonly<Partial<Record<LuaToken['kind'], TokenName>>> = {
  keyword: 'keyword.lua',
  string: 'string',
  number: 'number',
  comment: 'comment',
};

/** @param words of one line */
export function luaTokens(words: readonly LuaToken[]): readonly LineToken[] {
  const tokens: LineToken[] = [{ start: 0, name: '' }];
  for (const [at, word] of words.entries()) {
    const name = names[word.kind] ?? (isCalled(words, at) ? 'function' : '');
    if (name !== '') tokens.push({ start: word.start, name }, { start: word.end, name: '' });
  }
  return tokens;
}

function isCalled(words: readonly LuaToken[], at: number): boolean {
  const next = words[at + 1];
  if (words[at]?.kind !== 'name' || next === undefined) return false;
  return next.text === '(' || next.text === '{' || next.kind === 'string';
}
