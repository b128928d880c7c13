import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oddYaml, usualYaml } from '../testing/random-yaml.ts';
import { testRounds } from '../testing/test-rounds.ts';
import { readQuickly } from './quick-yaml.ts';
import { readYaml } from './yaml-source.ts';
import { yamlToJson } from './yaml-to-json.ts';

/** What the full reader makes of a text, as text that also shows the order of keys; undefined when it has problems. */
function readFully(text: string): string | undefined {
  const { root } = readYaml(text);
  const read = root === null ? undefined : yamlToJson(root);
  return read === undefined || read.problems.length > 0 ? undefined : JSON.stringify(read.value);
}

/** Whether the quick reader takes a text; what it gives must be what the full reader gives. */
function isReadAlike(text: string): boolean {
  const value = readQuickly(text);
  if (value === undefined) return false;
  expect([text, JSON.stringify(value)]).toEqual([text, readFully(text)]);
  return true;
}

describe('what the quick reader takes, the full reader reads alike', () => {
  test('in files of the usual kind, of which it takes many', () => {
    let taken = 0;
    fc.assert(
      fc.property(usualYaml, (text) => {
        if (isReadAlike(text)) taken++;
      }),
      { numRuns: testRounds(200) },
    );
    expect(taken).toBeGreaterThan(50);
  });

  test('in files of any kind', () => {
    fc.assert(
      fc.property(oddYaml, (text) => void isReadAlike(text)),
      { numRuns: testRounds(400) },
    );
  });

  test('with the line ends of Windows', () => {
    fc.assert(
      fc.property(usualYaml, (text) => void isReadAlike(text.replaceAll('\n', '\r\n'))),
      { numRuns: testRounds(300) },
    );
  });

  test('in files where a part was replaced', () => {
    const patch = fc.constantFrom(
      '',
      ' ',
      '\n',
      '\n ',
      ':',
      ': ',
      '- ',
      '#',
      ' #',
      '"',
      "'",
      '{',
      ']',
      ',',
      '\t',
      '\r',
      'x',
      '\\',
    );
    fc.assert(
      fc.property(usualYaml, fc.tuple(fc.nat(), fc.nat(3), patch), (text, [at, length, part]) => {
        const start = at % (text.length + 1);
        isReadAlike(text.slice(0, start) + part + text.slice(start + length));
      }),
      { numRuns: testRounds(400) },
    );
  });
});

const workspace = path.resolve(import.meta.dirname, '../../resources/workspace');
const examples = readdirSync(workspace).filter((file) => file.endsWith('.yaml'));

test.each(examples)('the example %s is read quickly', (file) => {
  expect(isReadAlike(readFileSync(path.join(workspace, file), 'utf8'))).toBe(true);
});

test.each([
  ['a list', '- a\n'],
  ['an empty file', ''],
  ['an anchor', 'a: &x 1\nb: *x\n'],
  ['a tag', 'a: !!str 1\n'],
  ['a second document', 'a: 1\n---\nb: 1\n'],
  ['a key that stands twice', 'a: 1\na: 2\n'],
  ['a key that stands twice in a line', 'a: { b: 1, b: 2 }\n'],
  ['the key __proto__', 'a: { "__proto__": 1 }\n'],
  ['text over two lines', 'a: one\n  two\n'],
  ['a tab', 'a:\t1\n'],
  ['a number without end', 'a: 1e999\n'],
  ['great depth', `a: ${'['.repeat(60)}${']'.repeat(60)}\n`],
  ['a mistake', 'a: [\nb: 1\n'],
])('%s is left to the full reader', (_, text) => {
  expect(readQuickly(text)).toBeUndefined();
});
