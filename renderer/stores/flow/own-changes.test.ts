import { expect, test } from 'vitest';
import type { FlowDoc, NodeDoc } from '../../../engine/isomorphic.ts';
import { ownChanges } from './own-changes.ts';

const node = (id: string, more: Partial<NodeDoc> = {}): NodeDoc => ({ id, type: 'echo', input: {}, ...more });
const loop = node('loop', { type: 'control.foreach', input: { body: ['a'] } });
const doc: FlowDoc = { flow: { name: 'F' }, nodes: [node('a'), loop, node('b')], edges: [{ from: 'a', to: 'b' }] };

function withNode(index: number, changed: NodeDoc): FlowDoc {
  return { ...doc, nodes: doc.nodes.with(index, changed) };
}

test('finds the nodes with internal changes', () => {
  expect(ownChanges(doc, { ...doc })).toEqual([]);
  expect(ownChanges(doc, withNode(2, node('b', { input: { text: 'x' } })))).toEqual([2]);
  expect(ownChanges(doc, withNode(0, node('a', { policy: { continueOnError: true }, disabled: true })))).toEqual([0]);
});

test('finds none if something else depends on the change', () => {
  const others: FlowDoc[] = [
    withNode(0, node('c')),
    withNode(0, node('a', { name: 'A' })),
    withNode(0, node('a', { type: 'http' })),
    withNode(1, { ...loop, input: { body: ['b'] } }),
    withNode(0, { ...loop, id: 'a' }),
    { ...doc, nodes: doc.nodes.slice(1) },
    { ...doc, edges: [] },
    { ...doc, flow: { name: 'F', policy: { failFast: false } } },
    { ...doc, layout: { direction: 'down' } },
    { ...doc, steps: { steps: [] } as unknown as NonNullable<FlowDoc['steps']> },
  ];
  for (const other of others) expect(ownChanges(doc, other)).toBeNull();
});
