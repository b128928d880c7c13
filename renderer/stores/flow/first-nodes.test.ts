import { describe, expect, test } from 'vitest';
import { checkText } from '../text/check.ts';
import { firstNodes } from './first-nodes.ts';
import { loopNesting } from './loop-bodies.ts';

/** Returns the ids of the first nodes of a flow, from ids in file order and edges such as `a>b`. */
function order(ids: string, edges: string, count = 8): string {
  const [loop, body] = /(\w+)\[(.*)\]/.exec(ids)?.slice(1) ?? [];
  const nodes = ids.replace(/\[.*\]/, '').split(' ');
  const lines = nodes.map((id) =>
    id === loop
      ? `  - { id: ${id}, type: control.foreach, input: { items: [1], body: [${body}] } }`
      : `  - { id: ${id}, type: echo, input: { text: hi } }`,
  );
  const drawn = edges.split(' ').flatMap((edge) => (edge === '' ? [] : [`{ from: ${edge.replace('>', ', to: ')} }`]));
  const { doc } = checkText(`flow: { name: x }\nnodes:\n${lines.join('\n')}\nedges: [${drawn.join(', ')}]\n`);
  return firstNodes(doc!, loopNesting(doc!), count)
    .map(({ id }) => id)
    .join(' ');
}

describe('firstNodes', () => {
  test.each([
    ['the file decides without edges', 'c a b', '', 'c a b'],
    ['a node comes after its sources', 'd b a c', 'a>b b>d a>c c>d', 'a b c d'],
    [
      'a body comes after its loop, and before what follows the loop',
      'end x y each[x,y]',
      'each>end y>x',
      'each y x end',
    ],
    ['a cycle starts with its first node in the file', 'a b c', 'a>b b>a b>c', 'a b c'],
  ])('%s', (_rule, ids, edges, expected) => {
    expect(order(ids, edges)).toBe(expected);
  });

  test('returns only as many as requested', () => {
    expect(order('d b a c', 'a>b', 2)).toBe('d a');
  });
});
