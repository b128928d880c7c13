import { expect, test } from 'vitest';
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import { loopNesting, loopsAround } from './loop-bodies.ts';

function docOf(bodies: Readonly<Record<string, readonly string[]>>, ...others: string[]): FlowDoc {
  const loops = Object.entries(bodies).map(([id, body]) => ({
    id,
    type: 'control.foreach',
    input: { items: [], body },
  }));
  return {
    flow: { name: 'Loops' },
    nodes: [...loops, ...others.map((id) => ({ id, type: 'echo', input: {} }))],
    edges: [],
  };
}

test('bodies are in file order, and loops around a node are listed from the outside in', () => {
  const nesting = loopNesting(docOf({ outer: ['inner', 'first'], inner: ['leaf'] }, 'leaf', 'first', 'free'));
  expect(nesting.bodyOf.get('outer')).toEqual(['inner', 'first']);
  expect(loopsAround(nesting, 'leaf')).toEqual(['outer', 'inner']);
  expect(loopsAround(nesting, 'free')).toEqual([]);
});

test.each([{ a: ['a'] }, { a: ['b'], b: ['a'] }, { a: ['b'], b: ['c'], c: ['a'] }])(
  'cycles of loops are broken: %j',
  (bodies) => {
    const nesting = loopNesting(docOf(bodies));
    for (const id of Object.keys(bodies)) expect(loopsAround(nesting, id)).not.toContain(id);
  },
);
