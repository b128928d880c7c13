import { describe, expect, test } from 'vitest';
import { applyEdits, editFlow, type FlowChange, hasErrors } from '../../engine/isomorphic.ts';
import { checkText } from '../stores/text/check.ts';
import type { FlowContent, MadeChange } from './outline-changes.ts';
import { bodyMove, dropMove, loopsToJoin, orderMove, outsideOf } from './outline-moves.ts';
import { outlineRows } from './outline-rows.ts';

const text = `flow: { name: F }
nodes:
  # The way in
  - { id: a, type: echo, input: { text: hi } }
  - { id: left, type: echo, input: { text: hi } } # minor
  - { id: right, type: echo, input: { text: hi } }
  - { id: each, type: control.foreach, input: { items: [1], as: item, body: [one, two] } }
  - { id: one, type: echo, input: { text: "{{item}}" } }
  # The last of them
  - { id: two, type: echo, input: { text: "{{item}}" } }
  - { id: more, type: control.foreach, input: { items: [1], as: thing, body: [] } }
edges:
  - { from: a, to: left }
  - { from: a, to: right }
`;

function partsOf(source: string): FlowContent {
  const { doc, nesting } = checkText(source);
  if (doc === null) throw new Error('The test has no flow');
  return { doc, nesting };
}

function changed(made: MadeChange | string | null, source = text): string {
  const edit = editFlow(source, (typeof made === 'object' ? made?.change : null) as FlowChange);
  if (!edit.ok) throw new Error(edit.error.message);
  return applyEdits(source, edit.edits);
}

/** Returns the outline as text. */
function tree(source: string): readonly string[] {
  const rows = outlineRows({ ...partsOf(source), folded: new Set() });
  return rows.map(({ id, level }) => '  '.repeat(level - 1) + id);
}

const before = ['a', '  left', '  right', 'each', '  one', '  two', 'more'];

function moved(step: 'up' | 'down', ...ids: string[]): readonly string[] | null {
  const made = orderMove(partsOf(text), new Set(ids), step);
  return made === null ? null : tree(changed(made));
}

describe('up and down', () => {
  test('past the neighbor in the tree, with all nodes below', () => {
    expect(tree(text)).toEqual(before);
    expect(moved('down', 'left')).toEqual(['a', '  right', '  left', 'each', '  one', '  two', 'more']);
    expect(moved('down', 'a')).toEqual(['each', '  one', '  two', 'a', '  left', '  right', 'more']);
    expect(moved('up', 'more')).toEqual(['a', '  left', '  right', 'more', 'each', '  one', '  two']);
    expect(moved('up', 'each', 'more', 'one')).toEqual(['each', '  one', '  two', 'more', 'a', '  left', '  right']);
  });

  test('within a body, including in the list of the loop, together with comments', () => {
    const next = changed(orderMove(partsOf(text), new Set(['two']), 'up'));
    expect(next).toContain('body: [two, one]');
    expect(next).toContain('  # The last of them\n  - { id: two,');
    expect(tree(next)).toEqual(['a', '  left', '  right', 'each', '  two', '  one', 'more']);
  });

  test('not beyond the first and the last position', () => {
    expect([moved('up', 'a'), moved('up', 'one'), moved('down', 'two'), moved('up')]).toEqual([null, null, null, null]);
  });
});

describe('into loops and out of them', () => {
  test('into another loop, and out of all loops', () => {
    const next = changed(bodyMove(partsOf(text), new Set(['two']), 'more'));
    expect(tree(next)).toEqual(['a', '  left', '  right', 'each', '  one', 'more', '  two']);
    const ids = new Set(['one']);
    const out = bodyMove(partsOf(text), ids, outsideOf(partsOf(text), ids));
    expect(out).toMatchObject({ change: { label: 'Move one out of each' } });
    expect(changed(out)).toContain('body: [two]');
  });

  test('a loop moved into another one takes its body along and is positioned by the layout', () => {
    const placed = `${text}layout:\n  nodes:\n    each: { x: 900, y: 0 }\n`;
    expect(loopsToJoin(partsOf(placed), new Set(['each']))).toEqual(['more']);
    const next = changed(bodyMove(partsOf(placed), new Set(['each']), 'more'), placed);
    expect(next).not.toContain('layout');
    expect(tree(next).slice(3)).toEqual(['more', '  each', '    one', '    two']);
    expect(hasErrors(checkText(next.replace('{{item}}', '').replace('{{item}}', '')).diagnostics)).toBe(false);
  });

  test('not if an edge would cross the border', () => {
    expect(bodyMove(partsOf(text), new Set(['left']), 'each')).toContain('crosses');
    expect(bodyMove(partsOf(text), new Set(['left', 'one']), 'more')).toContain('same loop');
  });
});

describe('dragging', () => {
  const drop = (ids: readonly string[], id: string, side: 'before' | 'behind' | 'inside') =>
    dropMove(partsOf(text), new Set(ids), { id, side });

  test('beside a row, even in another loop', () => {
    expect(tree(changed(drop(['more'], 'a', 'before')))[0]).toBe('more');
    const next = changed(drop(['more'], 'one', 'behind'));
    expect(tree(next)).toEqual(['a', '  left', '  right', 'each', '  one', '  more', '  two']);
    expect(tree(changed(drop(['two'], 'more', 'inside'))).at(-1)).toBe('  two');
  });

  test('not below itself', () => {
    expect([drop(['each'], 'two', 'before'), drop(['a'], 'a', 'behind'), drop(['one'], 'each', 'inside')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
