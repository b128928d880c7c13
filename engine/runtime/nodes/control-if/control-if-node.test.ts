import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../../language/flow/check-flow.ts';
import { testRun } from '../../../testing/test-run.ts';
import { builtinNodes } from '../builtin-nodes.ts';
import { createNodeRegistry } from '../node-registry.ts';
import { controlIfType } from './control-if-type.ts';

const flow = (condition: string, score = 9): string => `
flow: { name: x, input: { least: 8 }, nodePacks: [core] }
nodes:
  - { id: ask, type: constant, input: { value: { score: ${score} } } }
  - { id: good, type: control.if, input: { condition: ${condition} } }
  - { id: yes, type: echo, input: { text: "yes" } }
  - { id: no, type: echo, input: { text: "no" } }
edges:
  - { from: ask, to: good }
  - { from: good, to: yes, when: { equals: { var: good.condition, value: true } } }
  - { from: good, to: no, when: { equals: { var: good.condition, value: false } } }`;

function problems(text: string): readonly [number, string][] {
  return checkFlow(text, createNodeRegistry(builtinNodes)).diagnostics.map(({ code, range }) => [range.line, code]);
}

describe('BB-56 control.if', () => {
  test.each([
    ['{ gte: { var: ask.value.score, value: 8 } }', true],
    ['{ lt: { var: ask.value.score, value: 8 } }', false],
    ['{ exists: flow.input.least }', true],
    // A missing path makes a comparison false.
    ['{ equals: { var: flow.input.none, value: 1 } }', false],
    ['{ not: { exists: flow.input.none } }', true],
  ])('the condition %s takes the branch %s', async (condition, holds) => {
    const text = flow(condition);
    expect(problems(text)).toEqual([]);
    const { end, state } = await testRun(text);
    expect(state.nodes.get('good')?.output).toEqual({ condition: holds });
    expect(end.output).toMatchObject(holds ? { yes: { text: 'yes' } } : { no: { text: 'no' } });
    expect(state.nodes.get(holds ? 'no' : 'yes')?.status).toBe('skipped');
  });

  test('every condition has the branches true and false', () => {
    expect(controlIfType.routes()).toEqual(['true', 'false']);
    expect(controlIfType.summary({}, { condition: { gt: { var: 'a.b', value: 1 } } })).toEqual([
      'If ',
      { chip: 'a.b > 1' },
    ]);
    expect(controlIfType.summary({}, {})).toEqual(['If ', { chip: 'nothing yet' }]);
  });

  test('reports a condition that can never be true, or that contains bindings, at its position', () => {
    expect(problems(flow('{ equals: { var: asc.value, value: 1 } }'))).toEqual([[5, 'binding.unknown-root']]);
    expect(problems(flow('{ equals: { var: ask.value, value: "{{ask.value}}" } }'))).toEqual([[5, 'when.bad-shape']]);
    expect(problems(flow('"{{ask.value}}"')).map(([, code]) => code)).toContain('when.bad-shape');
    expect(problems(flow('{ equals: 1 }'))).toEqual([[5, 'node.bad-input']]);
    expect(problems(flow('{ exists: ask }').replace('value: true }', 'value: maybe }'))).toEqual([
      [10, 'edge.unknown-route'],
    ]);
  });
});
