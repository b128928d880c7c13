import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oddJson, oddYaml, usualJson, usualYaml } from '../../testing/random-yaml.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { readQuickly } from './quick-yaml.ts';
import { YamlPlaces } from './yaml-places.ts';
import { readYaml } from './yaml-source.ts';
import { yamlToJson } from './yaml-to-json.ts';

interface Item {
  readonly path: readonly [list: string, index: number];
  readonly span: readonly [start: number, end: number];
}

/**
 * Returns the result of the full parser as text that also shows the order of keys, and the source of items without
 * trailing comments; undefined if it reports problems.
 */
function readFully(text: string, items: readonly Item[]) {
  const { root } = readYaml(text);
  if (root === null) return undefined;
  const { value, problems, aliasTargets } = yamlToJson(root);
  if (problems.length > 0) return undefined;
  const places = new YamlPlaces({ text, root, aliasTargets });
  const lines = text.split('\n');
  const offsetOf = (line: number, column: number): number =>
    lines.slice(0, line - 1).join('\n').length + (line > 1 ? column : column - 1);
  const found = items.map(({ path, span: [, end] }) => {
    const range = places.valueRange(path);
    const last = offsetOf(range.endLine, range.endColumn);
    const isSame = /^(?:\s|#.*)*$/.test(text.slice(end, last)) && last >= end;
    return [offsetOf(range.line, range.column), isSame ? end : last];
  });
  return { value: JSON.stringify(value), places: found };
}

/** Returns whether the fast parser accepts a text. Its result must be that of the full parser. */
function isReadAlike(text: string): boolean {
  const items: Item[] = [];
  const value = readQuickly(text, (list, index, span) => items.push({ path: [list, index], span }));
  if (value === undefined) return false;
  const read = { value: JSON.stringify(value), places: items.map(({ span }) => span) };
  const full = readFully(text.replaceAll('\r\n', '\n'), items);
  expect([text, read]).toEqual([text, full]);
  if (text.includes('\r')) expect(readFully(text, [])?.value).toBe(full?.value);
  return true;
}

describe('the fast parser has the same result as the full parser', () => {
  test('for typical files, many of which it accepts', () => {
    let taken = 0;
    fc.assert(
      fc.property(usualYaml, (text) => {
        if (isReadAlike(text)) taken++;
      }),
      { numRuns: testRounds(200) },
    );
    expect(taken).toBeGreaterThan(50);
  });

  test('for files with a single map in flow style, many of which it accepts', () => {
    let taken = 0;
    fc.assert(
      fc.property(usualJson, (text) => {
        if (isReadAlike(text)) taken++;
      }),
      { numRuns: testRounds(200) },
    );
    expect(taken).toBeGreaterThan(50);
  });

  test('for files of any kind', () => {
    fc.assert(
      fc.property(fc.oneof(oddYaml, oddJson), (text) => void isReadAlike(text)),
      { numRuns: testRounds(600) },
    );
  });

  test('for Windows line endings', () => {
    fc.assert(
      fc.property(fc.oneof(usualYaml, usualJson), (text) => void isReadAlike(text.replaceAll('\n', '\r\n'))),
      { numRuns: testRounds(300) },
    );
  });

  test('for files with a replaced part', () => {
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
      fc.property(fc.oneof(usualYaml, usualJson), fc.tuple(fc.nat(), fc.nat(3), patch), (text, [at, length, part]) => {
        const start = at % (text.length + 1);
        isReadAlike(text.slice(0, start) + part + text.slice(start + length));
      }),
      { numRuns: testRounds(400), examples: [['a: {b: {c: 1}\n# x\n , d: 2}\n', [0, 0, '']]] },
    );
  });
});

const workspace = path.resolve(import.meta.dirname, '../../../resources/workspace');
const examples = readdirSync(workspace).filter((file) => file.endsWith('.yaml'));

test.each(examples)('parses the example %s with the fast parser', (file) => {
  expect(isReadAlike(readFileSync(path.join(workspace, file), 'utf8'))).toBe(true);
});

test.each([
  [
    'JSON',
    '{"flow":{"name":"x"},"nodes":[{"id":"a","type":"echo","input":{"text":"{{b.c}}: \\u00e9\\n"}}],"edges":[]}',
  ],
  ['JSON indented with tabs', '{\n\t"nodes": [\n\t\t{\n\t\t\t"id": "a"\n\t\t}\n\t]\n}\n'],
  ['JSON in lines', 'nodes:\n  - {"id":"a","n":[1,-2.5,true,null]}\n  - {"id" : "b"}\n'],
  [
    'brackets over several lines',
    'nodes: [\n  { id: a, input: { url: http://x.y/z#1, },\n  }, # note\n  # note\n  [1,\n 2],\n]\n',
  ],
  ['brackets below their key', 'nodes:\n  [\n    { id: a },\n  ]\n'],
  ['a value below its key', 'a:\n  "long text"\nb:\n  word\n'],
  ['a mark before the document', '# note\n---\na: 1\n'],
  ['tabs in text', 'a: "x\ty" #\tnote\nb: |\n  x\ty\n'],
])('parses %s with the fast parser', (_, text) => {
  expect(isReadAlike(text)).toBe(true);
});

test.each([
  ['a list', '- a\n'],
  ['an empty file', ''],
  ['an anchor', 'a: &x 1\nb: *x\n'],
  ['a tag', 'a: !!str 1\n'],
  ['a second document', 'a: 1\n---\nb: 1\n'],
  ['a key that occurs twice', 'a: 1\na: 2\n'],
  ['a key that occurs twice in a line', 'a: { b: 1, b: 2 }\n'],
  ['the key __proto__', 'a: { "__proto__": 1 }\n'],
  ['text over two lines', 'a: one\n  two\n'],
  ['a tab', 'a:\t1\n'],
  ['a number without end', 'a: 1e999\n'],
  ['great depth', `a: ${'['.repeat(60)}${']'.repeat(60)}\n`],
  ['a mistake', 'a: [\nb: 1\n'],
  ['a pair in a list', 'a: [b: 1, "c":2]\n'],
  ['two commas', '{"a":[1,,2]}'],
  ['a comma at first', '{,"a":1}'],
  ['a comment that touches', '{"a":1,# note\n"b":2}'],
  ['the end of a document in brackets', '{"a":[1,\n... , 2]}'],
  ['text after brackets', '{"a":1} b'],
  ['brackets that are not indented enough', 'a:\n  b: [\n  1]\n'],
  ['a number in JSON that would be rounded', '{"a":12345678901234567890}'],
  ['a key that occurs twice in JSON', '{"a":1,"a":2}'],
])('leaves %s to the full parser', (_, text) => {
  expect(readQuickly(text)).toBeUndefined();
});
