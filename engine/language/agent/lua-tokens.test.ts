import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLua } from './lua-tokens.ts';

const shown = (text: string): string[] => readLua(text).tokens.map(({ kind, text: word }) => `${kind} ${word}`);

describe('Lua tokens', () => {
  test('distinguishes keywords, names, numbers, strings and symbols', () => {
    expect(shown('local n = 0x1F .. "a\\"b" -- why')).toEqual([
      'keyword local',
      'name n',
      'symbol =',
      'number 0x1F',
      'symbol ..',
      'string "a\\"b"',
      'comment -- why',
    ]);
    expect(shown('1e3 .5 a.b:c(...)')).toEqual([
      'number 1e3',
      'number .5',
      ...['name a', 'symbol .', 'name b', 'symbol :', 'name c', 'symbol (', 'symbol ...', 'symbol )'],
    ]);
  });

  test('reads long brackets to their end, across lines', () => {
    expect(shown('x = [==[ ]] ]=] ]==] y')).toEqual(['name x', 'symbol =', 'string [==[ ]] ]=] ]==]', 'name y']);
    expect(shown('--[[ a\nb ]] c')).toEqual(['comment --[[ a\nb ]]', 'name c']);
  });

  test('continues a token left open by an earlier line', () => {
    const first = readLua('x = [=[ text');
    expect(first.open).toEqual({ kind: 'string', level: 1 });
    const second = readLua('more ]] ]=] y', first.open);
    expect(second.open).toBeNull();
    expect(second.tokens.map(({ kind, text }) => [kind, text])).toEqual([
      ['string', 'more ]] ]=]'],
      ['name', 'y'],
    ]);
    expect(readLua('', { kind: 'comment', level: 0 })).toEqual({ tokens: [], open: { kind: 'comment', level: 0 } });
  });

  test('ends an unterminated string at the end of its line', () => {
    expect(shown('a = "open\nb')).toEqual(['name a', 'symbol =', 'string "open', 'name b']);
  });

  test('tokens are in order and omit only white space', () => {
    const text = fc.string({ unit: fc.constantFrom(...'-[]=\'"\\\n a1.'.split('')), maxLength: 40 });
    fc.assert(
      fc.property(text, (code) => {
        let end = 0;
        for (const token of readLua(code).tokens) {
          expect(code.slice(end, token.start).trim()).toBe('');
          expect(code.slice(token.start, token.end)).toBe(token.text);
          expect(token.end).toBeGreaterThan(token.start);
          end = token.end;
        }
        expect(code.slice(end).trim()).toBe('');
      }),
    );
  });
});
