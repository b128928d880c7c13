import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folders = ['..', '../../renderer'].map((folder) => path.resolve(import.meta.dirname, folder));

/** First and last rule of each conformance group that this version fulfills. */
const groups = [
  ['FE', 1, 8],
  ['FE', 10, 18],
  ['FE', 20, 25],
  ['FE', 30, 36],
  ['FE', 40, 47],
  ['FE', 50, 57],
  ['FE', 60, 65],
  ['FE', 70, 72],
  ['FE', 80, 84],
  ['FE', 90, 92],
  ['AP', 1, 32],
  ['X', 1, 14],
  ['BB', 1, 9],
  ['BB', 10, 17],
  ['BB', 20, 24],
  ['BB', 30, 34],
  ['BB', 36, 37],
  ['BB', 40, 40],
  ['BB', 42, 43],
  ['BB', 45, 48],
  ['BB', 50, 51],
  ['BB', 52, 59],
  ['FS', 1, 12],
  ['FS', 20, 26],
  ['FS', 30, 35],
  ['FS', 40, 44],
  ['FS', 50, 57],
  ['FS', 60, 63],
  ['FS', 70, 73],
  ['FS', 80, 86],
  ['FS', 90, 94],
  ['FS', 100, 107],
  ['MF', 1, 5],
  ['MF', 10, 13],
  ['MF', 20, 23],
  ['MF', 30, 35],
  ['MF', 40, 45],
  ['MF', 50, 53],
  ['MF', 60, 66],
  ['MF', 70, 76],
  ['MF', 80, 84],
  ['MF', 90, 94],
  ['MF', 100, 105],
  ['MF', 110, 113],
  ['MF', 120, 128],
  ['MF', 130, 133],
  ['MF', 140, 142],
  ['MF', 150, 153],
  ['MF', 160, 162],
  ['MF', 170, 173],
  ['MF', 180, 181],
] as const;

/** Minimum number of digits in rule numbers. */
const digits = { FE: 2, AP: 1, X: 2, BB: 2, FS: 2, MF: 3 } as const;

const rules = groups.flatMap(([kind, first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => {
    const number = String(first + index);
    return `${kind}-${number.padStart(digits[kind], '0')}`;
  }),
);

/** Returns the rules at the start of titles, including those in the tables of `test.each`. */
function rulesTested(): ReadonlySet<string> {
  const texts = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => readFileSync(path.join(folder, file), 'utf8')),
  );
  return new Set(
    texts.flatMap((text) =>
      Array.from(text.matchAll(/['`"]((?:FE|X|BB)-\d\d|FS-\d{2,3}|AP-\d\d?|MF-\d{3}) /g), ([, rule]) => rule ?? ''),
    ),
  );
}

test('every conformance rule has a test title that begins with its number', () => {
  const tested = rulesTested();
  expect(rules.filter((rule) => !tested.has(rule))).toEqual([]);
});
