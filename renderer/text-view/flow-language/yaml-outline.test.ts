import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFlow } from '../../../engine/isomorphic.ts';
import { testRounds } from '../../../engine/testing/test-rounds.ts';
import type { YamlEntry } from './entry.ts';
import { readOutline } from './yaml-outline.ts';

const examples = import.meta.glob<string>('../../../resources/workspace/*.flow.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Returns the outline as plain data: maps, lists, and scalars as written. */
function plain(entry: YamlEntry): unknown {
  if (entry.kind === 'map') return Object.fromEntries(entry.children.map((child) => [child.key?.text, plain(child)]));
  if (entry.kind === 'list') return entry.children.map(plain);
  return entry.kind === 'text' ? '|' : (entry.value?.text ?? null);
}

const read = (text: string): unknown => plain(readOutline(text));

describe('readOutline', () => {
  test('parses maps and lists by their columns', () => {
    expect(read('a: 1\nb:\n  c: two\n  d:\n  - x\n  - y: 1\n    z: 2\ne:\n')).toEqual({
      a: '1',
      b: { c: 'two', d: ['x', { y: '1', z: '2' }] },
      e: null,
    });
  });

  test('parses braces and brackets, even across lines', () => {
    expect(read('a: { b: 1, "c d": [x, {y: z}],\n  e: }\nf: []\n')).toEqual({
      a: { b: '1', 'c d': ['x', { y: 'z' }], e: null },
      f: [],
    });
  });

  test('parses the lines of a block as text, whatever they look like', () => {
    expect(read('a: |\n  - no: item\n\n  # no comment\nb: >-\n  x: y\n')).toEqual({ a: '|', b: '|' });
    expect(read('- a: |\n    b: c\n  d: 1\n')).toEqual([{ a: '|', d: '1' }]);
  });

  test('ignores comments, anchors, tags and document markers', () => {
    expect(read('---\na: &x !t one # two\n# b: 1\nc: "d # e" # f\n')).toEqual({ a: 'one', c: 'd # e' });
  });

  test('continues after an unclosed value', () => {
    expect(read('nodes:\n  - id: a\n    input: { text: "x\n  - id: b\nedges:\n  - { from: a, to: \n')).toEqual({
      nodes: [{ id: 'a', input: { text: 'x' } }, { id: 'b' }],
      edges: [{ from: 'a', to: null }],
    });
  });

  test('records the positions of keys and values', () => {
    const text = 'nodes:\n  - id: "a"\n    when: {exists: b.c}\n';
    const node = readOutline(text).children[0]?.children[0];
    const [id, when] = node?.children ?? [];
    expect(text.slice(id?.value?.start, id?.value?.end)).toBe('"a"');
    expect(text.slice(when?.key?.start, when?.key?.end)).toBe('when');
    expect(text.slice(when?.inline?.start, when?.inline?.end)).toBe('{exists: b.c}');
    expect(text.slice(node?.start, node?.end)).toBe('- id: "a"\n    when: {exists: b.c}');
  });

  test.each(Object.entries(examples))('agrees with the engine on %s', (_name, text) => {
    const { doc } = parseFlow(text);
    const outline = plain(readOutline(text)) as { nodes: { id: string; type: string }[]; edges: object[] };
    expect(outline.nodes.map(({ id, type }) => [id, type])).toEqual(doc?.nodes.map(({ id, type }) => [id, type]));
    expect(outline.edges).toHaveLength(doc?.edges.length ?? -1);
  });

  test('parses any text without an error, with parts that are within their parents', () => {
    const parts = ['a:', ' b', '- ', '\n', '  ', '{', '}', '[', ']', ',', '"', "'", '|', '#', ': ', 'x', '&a ', '\t'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (drawn) => {
        const text = drawn.join('');
        const check = (entry: YamlEntry): void => {
          for (const child of entry.children) {
            expect(child.start).toBeGreaterThanOrEqual(entry.start);
            expect(child.end).toBeLessThanOrEqual(entry.end);
            expect(child.end).toBeLessThanOrEqual(text.length);
            check(child);
          }
        };
        check(readOutline(text));
      }),
      { numRuns: testRounds(2_000) },
    );
  });
});
