import { describe, expect, test } from 'vitest';
import { entryPath } from './entry.ts';
import { cursorAt } from './yaml-cursor.ts';
import { readOutline } from './yaml-outline.ts';

/** Returns the cursor at the bar in a text. */
function at(marked: string) {
  const offset = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const cursor = cursorAt(readOutline(text), text, offset);
  if (cursor === undefined) return undefined;
  return [cursor.role, entryPath(cursor.entry).join('.'), cursor.word.text, ...(cursor.hasColon ? ['colon'] : [])];
}

const head = 'nodes:\n  - id: a\n    type: echo\n';

describe('cursorAt', () => {
  test.each([
    ['¦', 'key', '', ''],
    ['no¦', 'key', '', 'no'],
    [`${head}    ¦`, 'key', 'nodes.0', ''],
    [`${head}    inp¦`, 'key', 'nodes.0', 'inp'],
    [`${head}    input:\n      te¦`, 'key', 'nodes.0.input', 'te'],
    [`${head}    input:\n      ¦\nedges: []\n`, 'key', 'nodes.0.input', ''],
    [`${head}  ¦`, 'key', 'nodes', ''],
    [`${head}  - ¦`, 'either', 'nodes.1', ''],
    [`${head}  - i¦`, 'either', 'nodes.1', 'i'],
    [`${head}¦`, 'key', '', ''],
    ['nodes:\n  - id: a\n    type: ¦', 'value', 'nodes.0.type', ''],
    ['nodes:\n  - id: a\n    type: ec¦ho', 'value', 'nodes.0.type', 'echo'],
    ['nodes:\n  - type: e¦', 'value', 'nodes.0.type', 'e'],
    ['edges:\n  - { from: ¦ }', 'value', 'edges.0.from', ''],
    ['edges:\n  - { from: a¦ }', 'value', 'edges.0.from', 'a'],
    ['edges:\n  - { from: a, ¦ }', 'key', 'edges.0', ''],
    ['edges:\n  - { from: a, t¦ }', 'key', 'edges.0', 't'],
    ['edges:\n  - { ¦', 'key', 'edges.0', ''],
    ['edges:\n  - { from: a, to: ¦', 'value', 'edges.0.to', ''],
    ['body: [¦]', 'either', 'body', ''],
    ['body: [a, b¦]', 'either', 'body.1', 'b'],
    ['body:\n  - a¦', 'either', 'body.0', 'a'],
    ['a: |\n  some ¦\n', 'value', 'a', ''],
  ])('%j', (marked, ...expected) => {
    expect(at(marked)).toEqual(expected);
  });

  test('reports whether the key already has its colon', () => {
    expect(at('nodes:\n  - i¦: a')).toEqual(['either', 'nodes.0', 'i', 'colon']);
    expect(at('edges: [{ fr¦om: a }]')).toEqual(['key', 'edges.0', 'from', 'colon']);
  });

  test('returns nothing inside a comment', () => {
    expect(at(`${head}    # a ¦`)).toBeUndefined();
    expect(at('a: b # c¦')).toBeUndefined();
  });
});
