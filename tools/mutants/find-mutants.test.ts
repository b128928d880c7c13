import { describe, expect, test } from 'vitest';
import { findMutants, sampleOf, withSwitches } from './find-mutants.mjs';

const told = (text: string) => findMutants('a.ts', text).map(({ kind, mutated }) => [kind, mutated]);

describe('findMutants', () => {
  test.each([
    [
      'a === b;',
      [
        ['statement removed', ''],
        ['=== → !==', '(a) !== (b)'],
      ],
    ],
    [
      'const x = a < 2;',
      [
        ['< → <=', '(a) <= (2)'],
        ['< → >=', '(a) >= (2)'],
        ['number + 1', '(2 + 1)'],
      ],
    ],
    ['const x = a ?? b;', [['?? → its left side', 'a']]],
    ['const x = a && b;', [['&& → ||', '(a) || (b)']]],
    ['const x = !a;', [['! removed', 'a']]],
    ['const x = [a];', [['list is empty', '[]']]],
    ['const x = [];', []],
    ['const x = true;', [['true → false', 'false']]],
    ['const x = list.some(f);', [['some → every', 'list.every(f)']]],
    ['const x = list?.some(f);', []],
    [
      'const x = a ? b : c;',
      [
        ['condition → true', 'true'],
        ['condition → false', 'false'],
      ],
    ],
    ['while (a) {}', [['condition → false', 'false']]],
    [
      'if (a) f();',
      [
        ['condition → true', 'true'],
        ['condition → false', 'false'],
        ['statement removed', ''],
      ],
    ],
    ['function f() { return; }', [['return removed', '']]],
    ['function f() { return a; }', []],
    ['class A extends B { constructor() { super(); } }', []],
  ])('%s', (text, expected) => {
    expect(told(text)).toEqual(expected);
  });

  test('finds nothing in code that only the compiler reads, or in names of properties', () => {
    expect(told('import a from "a"; type T = 1 | true; interface I { a: 1 } const x = { 1: a } as T;')).toEqual([]);
    expect(told('const x = (a as 1) === b!;')).toEqual([['=== → !==', '(a as 1) !== (b!)']]);
  });

  test('contains the position of each mutant', () => {
    const [mutant] = findMutants('a.ts', '\n\nconst x = !a;');
    expect(mutant).toEqual({
      ...{ file: 'a.ts', line: 3, kind: '! removed', start: 12, end: 14 },
      ...{ shape: 'expression', mutated: 'a' },
    });
  });
});

describe('sampleOf', () => {
  const all = findMutants('a.ts', 'const x = [1, 2, 3, 4, 5, 6, 7, 8, 9];');

  test('depends only on the seed, and keeps the source order', () => {
    const sample = sampleOf(all, { count: 4, seed: 1 });
    expect(sample).toEqual(sampleOf(all, { count: 4, seed: 1 }));
    expect(sample).not.toEqual(sampleOf(all, { count: 4, seed: 2 }));
    expect(sample.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(sample.map(({ start }) => start)).toEqual(sample.map(({ start }) => start).sort((a, b) => a - b));
  });

  test('returns all mutants if there are fewer', () => {
    expect(sampleOf(all, { count: 100, seed: 1 })).toHaveLength(all.length);
  });
});

describe('withSwitches', () => {
  const text = 'let seen = 0; if (given < 2 && given !== 0) { seen = 1; } return seen;';

  /** Returns the result of the text for each active mutant, by kind. */
  function outcomes(given: number): Record<string, unknown> {
    const mutants = sampleOf(findMutants('a.ts', `function f() {${text}}`), { count: 100, seed: 1 });
    const code = withSwitches(`function f() {${text}}`, mutants);
    const results = [{ id: 0, kind: 'none' }, ...mutants].map(({ id, kind }, index) => {
      const isMutant = (other: number) => other === id;
      const run = new Function('given', 'globalThis', `${code}; return f();`);
      return [`${index} ${kind}`, run(given, { __isMutant: isMutant })];
    });
    return Object.fromEntries(results);
  }

  test('behaves like the original text if none is active, and like a mutant if that one is', () => {
    expect(outcomes(1)).toEqual({
      '0 none': 1,
      '1 number + 1': 1,
      '2 condition → true': 1,
      '3 condition → false': 0,
      '4 && → ||': 1,
      '5 < → <=': 1,
      '6 < → >=': 0,
      '7 number + 1': 1,
      '8 !== → ===': 0,
      '9 number + 1': 0,
      '10 statement removed': 0,
      '11 number + 1': 2,
    });
  });
});
