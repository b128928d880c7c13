import { expect, test } from 'vitest';
import { checkText } from '../stores/text/check.ts';
import { outlineRows, outlineTree } from './outline-rows.ts';

function rowsOf(text: string, folded: readonly string[] = []): string[] {
  const { doc, nesting } = checkText(text);
  if (doc === null) throw new Error('The test has no flow');
  return outlineRows({ doc, nesting, folded: new Set(folded) }).map(
    ({ id, level, route, position, size }) =>
      `${'  '.repeat(level - 1)}${id}${route === '' ? '' : ` (${route})`} ${position}/${size}`,
  );
}

function flowOf(nodes: readonly string[], edges: readonly string[]): string {
  const list = (items: readonly string[]): string => items.map((item) => `  - ${item}\n`).join('');
  return `flow: { name: F }\nnodes:\n${list(nodes)}edges:\n${list(edges)}`;
}

function noops(...ids: string[]): string[] {
  return ids.map((id) => `{ id: ${id}, type: control.noop }`);
}

function edges(...ends: [string, string][]): string[] {
  return ends.map(([from, to]) => `{ from: ${from}, to: ${to} }`);
}

test('a chain stays at one level, in file order', () => {
  expect(rowsOf(flowOf(noops('a', 'b', 'c'), edges(['a', 'b'], ['b', 'c'])))).toEqual(['a 1/3', 'b 2/3', 'c 3/3']);
});

test('branches of a node are below it with all successors, until they join', () => {
  const text = flowOf(noops('a', 'left', 'more', 'right', 'end'), [
    '{ from: a, to: left, when: { equals: { var: a.x, value: minor } } }',
    '{ from: a, to: right, when: { exists: a.y } }',
    ...edges(['left', 'more'], ['more', 'end'], ['right', 'end']),
  ]);
  expect(rowsOf(text)).toEqual(['a 1/2', '  left (minor) 1/3', '  more 2/3', '  right (if) 3/3', 'end 2/2']);
  expect(rowsOf(text, ['a'])).toEqual(['a 1/2', 'end 2/2']);
});

test('bodies are below their loops, but the nodes after a loop are not', () => {
  const text = flowOf(
    [
      '{ id: each, type: control.foreach, input: { items: [1], as: item, body: [inner, last] } }',
      ...noops('inner', 'last', 'after', 'other'),
    ],
    edges(['inner', 'last'], ['each', 'after'], ['each', 'other']),
  );
  expect(rowsOf(text)).toEqual(['each 1/3', '  inner 1/2', '  last 2/2', 'after 2/3', 'other 3/3']);
});

test('tolerates cycles and edges to missing nodes', () => {
  expect(rowsOf(flowOf(noops('a', 'b'), edges(['a', 'b'], ['b', 'a'], ['a', 'gone'])))).toHaveLength(2);
});

test('BB-50 the failure branch is labeled in any notation, and so is the success branch', () => {
  const text = flowOf(noops('a', 'bad', 'worse', 'good'), [
    '{ from: a, to: bad, when: { equals: { var: a.failed, value: true } } }',
    '{ from: a, to: worse, when: { exists: \'a["failed"]\' } }',
    '{ from: a, to: good, when: { not: { equals: { var: a.failed, value: true } } } }',
  ]);
  expect(rowsOf(text)).toEqual(['a 1/1', '  bad (failed) 1/3', '  worse (failed) 2/3', '  good (succeeded) 3/3']);
});

test('rows of unchanged nodes stay the same objects, and all rows match the new text', () => {
  const { doc, nesting } = checkText(flowOf(noops('a', 'b', 'c'), edges(['a', 'b'], ['a', 'c'])));
  if (doc === null) throw new Error('The test has no flow');
  const folded = new Set<string>();
  const first = outlineTree({ doc, nesting, folded }, null);
  const [a, b, c] = doc.nodes;
  if (a === undefined || b === undefined || c === undefined) throw new Error('The test has too few nodes');
  const typed = { ...doc, nodes: [a, { ...b, disabled: true }, c] };
  const second = outlineTree({ doc: typed, nesting, folded }, first);
  expect(second.rows).toEqual(outlineRows({ doc: typed, nesting, folded }));
  expect(second.rows.map((row, index) => row === first.rows[index])).toEqual([true, false, true]);
  const named = { ...typed, nodes: [a, { ...b, name: 'Bee' }, c] };
  expect(outlineTree({ doc: named, nesting, folded }, second).rows[1]?.label).toBe('Bee');
  expect(outlineTree({ doc, nesting, folded: new Set(['a']) }, first).rows).toHaveLength(1);
});
