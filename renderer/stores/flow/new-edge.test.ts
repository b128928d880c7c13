import { expect, test } from 'vitest';
import type { EdgeDoc, FlowDoc } from '../../../engine/isomorphic.ts';
import { branchCondition, branchOf, wayName, wayOfRoute } from './branches.ts';
import { newEdge, waysOut } from './new-edge.ts';

function flowWith(...edges: EdgeDoc[]): FlowDoc {
  const cases = ['minor', 'major'].map((route) => ({ when: { and: [] }, route }));
  return {
    flow: { name: 'f' },
    nodes: [
      { id: 'route', type: 'control.switch', input: { value: 1, cases } },
      { id: 'a', type: 'echo', input: {} },
    ],
    edges,
  };
}

function by(route: string): EdgeDoc {
  return { from: 'route', to: 'a', when: branchCondition('route', route) };
}

test('branches without an edge come first', () => {
  expect(waysOut(flowWith(), 'route')).toEqual(['minor', 'major', 'default']);
  expect(waysOut(flowWith(by('minor')), 'route')).toEqual(['major', 'default', 'minor']);
  expect(waysOut(flowWith(), 'a')).toEqual([]);
});

test('a new edge uses the requested branch, or else the first free one', () => {
  const doc = flowWith(by('minor'));
  expect(newEdge(doc, { nodeId: 'route', route: 'minor' }, 'a')).toEqual(by('minor'));
  expect(newEdge(doc, 'route', 'a')).toEqual(by('major'));
  const full = flowWith(by('minor'), by('major'), by('default'));
  expect(newEdge(full, 'route', 'a')).toEqual({ from: 'route', to: 'a' });
  expect(newEdge(doc, 'a', 'route')).toEqual({ from: 'a', to: 'route' });
});

test('an if has two branches that test a boolean', () => {
  const doc: FlowDoc = {
    flow: { name: 'f' },
    nodes: [
      { id: 'good', type: 'control.if', input: {} },
      { id: 'a', type: 'echo', input: {} },
    ],
    edges: [],
  };
  const truth = (value: boolean): EdgeDoc => ({
    from: 'good',
    to: 'a',
    when: { equals: { var: 'good.condition', value } },
  });
  expect(newEdge(doc, 'good', 'a')).toEqual(truth(true));
  expect(newEdge({ ...doc, edges: [truth(true)] }, 'good', 'a')).toEqual(truth(false));
  expect(waysOut({ ...doc, edges: [truth(true)] }, 'good').map(wayName)).toEqual(['false', 'true']);
  expect(branchOf('good', truth(false).when)).toBe('if:false');
  // A route of a switch may have that name.
  expect(wayName(wayOfRoute('if:true'))).toBe('if:true');
  expect(branchOf('x', branchCondition('x', wayOfRoute('if:true')))).toBe(wayOfRoute('if:true'));
});

test('a condition that tests more than a branch does not belong to one', () => {
  const more: EdgeDoc = { from: 'route', to: 'a', when: { and: [branchCondition('route', 'minor')] } };
  expect(newEdge(flowWith(more), 'route', 'a')).toEqual(by('minor'));
});
