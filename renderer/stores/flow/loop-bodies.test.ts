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

test('bodies keep the order of the file, and loops stand around their nodes from the outside in', () => {
  const nesting = loopNesting(docOf({ outer: ['inner', 'first'], inner: ['leaf'] }, 'leaf', 'first', 'free'));
  expect(nesting.bodyOf.get('outer')).toEqual(['inner', 'first']);
  expect(loopsAround(nesting, 'leaf')).toEqual(['outer', 'inner']);
  expect(loopsAround(nesting, 'free')).toEqual([]);
});

test.each([{ a: ['a'] }, { a: ['b'], b: ['a'] }, { a: ['b'], b: ['c'], c: ['a'] }])(
  'loops that hold each other are cut open: %j',
  (bodies) => {
    const nesting = loopNesting(docOf(bodies));
    for (const id of Object.keys(bodies)) expect(loopsAround(nesting, id)).not.toContain(id);
  },
);
