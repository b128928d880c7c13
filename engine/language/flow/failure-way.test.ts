import { describe, expect, test } from 'vitest';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { testNode } from '../../testing/test-node.ts';
import { checkFlow } from './check-flow.ts';
import { conditionTestsFailure, failureCondition, successCondition } from './failure-way.ts';
import type { WhenExpr } from './flow-doc.ts';

const failed: WhenExpr = { equals: { var: 'a.failed', value: true } };

test('BB-50 writes the condition of each branch', () => {
  expect(failureCondition('a')).toEqual({ equals: { var: 'a.failed', value: true } });
  expect(successCondition('a')).toEqual({ not: { equals: { var: 'a.failed', value: true } } });
});

describe('BB-50 recognizes a condition', () => {
  test.each<[WhenExpr | undefined, boolean | null]>([
    [failureCondition('a'), true],
    [successCondition('a'), false],
    [{ not: successCondition('a') }, true],
    [{ and: [successCondition('a'), { not: { exists: 'a["failed"]' } }] }, false],
    [{ in: { var: 'a.failed', value: [true, true] } }, true],
    [undefined, null],
    [failureCondition('b'), null],
    [{ and: [] }, null],
    [{ or: [failed, { exists: 'a.x' }] }, null],
    [{ and: [failed, successCondition('a')] }, null],
    [{ in: { var: 'a.failed', value: [true, false] } }, null],
    [{ in: { var: 'a.failed', value: [] } }, null],
    [{ equals: { var: 'a.failed', value: 'true' } }, null],
    [{ equals: { var: 'a.failed', value: false } }, null],
    [{ equals: { var: 'a.failed.x', value: true } }, null],
    [{ equals: { var: 'a.', value: true } }, null],
    [{ exists: 'a.error' }, null],
    [{ contains: { var: 'a.failed', value: true } }, null],
  ])('%j', (when, asked) => {
    expect(conditionTestsFailure('a', when)).toBe(asked);
  });
});

describe('BB-50 an edge for a failure that ends the run', () => {
  const open = testNode('open', async () => null);
  const catalog = createNodeRegistry([...builtinNodes, open]);
  const problems = ({ type = 'echo', policy = '', flow = '', when = '{ exists: a.failed }' } = {}) => {
    const text = `flow: { name: x${flow} }
nodes:
  - { id: a, type: ${type}, input: { text: x }${policy} }
  - { id: b, type: echo, input: { text: x } }
edges:
  - { from: a, to: b, when: ${when} }
`;
    return checkFlow(text, catalog).diagnostics.map(
      ({ range, severity, code, message }) => `${range.line} ${severity} ${code} ${message}`,
    );
  };
  const warning =
    '6 warning edge.never-fails The run ends when "a" fails, so this edge is never taken. Set policy.continueOnError of "a" to true, or remove the edge.';

  test('causes a warning at its condition with a fix', () => {
    expect(problems()).toEqual([warning]);
    expect(problems({ policy: ', policy: { continueOnError: false }', flow: ', policy: { failFast: false }' })).toEqual(
      [warning],
    );
  });

  test.each([
    { policy: ', policy: { continueOnError: true }' },
    { flow: ', policy: { failFast: false }' },
    { when: '{ not: { exists: a.failed } }' },
    { type: 'open' },
  ])('causes no warning with %j', (given) => {
    expect(problems(given)).toEqual([]);
  });
});
