import { describe, expect, test } from 'vitest';
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import { newNode } from './new-node.ts';

function flowWith(type: string, input: FlowDoc['nodes'][number]['input']): FlowDoc {
  return { flow: { name: 'Test' }, nodes: [{ id: 'a', type, input }], edges: [] } as unknown as FlowDoc;
}

const alone = { loopId: null, models: null };

describe('a new node', () => {
  test('has a name that does not conflict with names in bindings', () => {
    const doc = flowWith('echo', { text: 'Hello' });
    const idOf = (type: string) => newNode(doc, type, alone)?.node.id;
    expect(['flow', 'control.loop', 'control.if', 'file.read'].map(idOf)).toEqual([
      'call',
      'repeat',
      'if',
      'file_read',
    ]);
  });

  test('uses the item of a loop over items, and no item in a loop without items', () => {
    const inLoop = (type: string) =>
      newNode(flowWith(type, { items: ['x'], body: [] }), 'echo', { ...alone, loopId: 'a' })?.node.input;
    expect(inLoop('control.foreach')).toEqual({ text: '{{item}}' });
    expect(inLoop('control.loop')).toEqual({ text: 'Hello' });
  });
});
