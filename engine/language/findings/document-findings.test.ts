import { describe, expect, test } from 'vitest';
import { parseProblems } from '../../testing/flow-problems.ts';
import { parseFlow } from '../flow/parse-flow.ts';

const header = 'flow: { name: test }\n';
const minimal = `${header}nodes: []\nedges: []\n`;

function withNode(rest: string): string {
  return `${header}nodes:\n  - { id: a, type: echo, input: {}${rest} }\nedges: []\n`;
}

describe('a file that violates the schema', () => {
  test('FE-02 reports all problems at once, each with its position', () => {
    const text = `flow: { name: 5, polcy: {} }
nodes:
  - id: a-b
    type: echo
    input: [1]
  - id: flow
    typ: echo
  - just text
  - { id: c, type: echo, input: {}, disabled: maybe }
edges:
  - { from: c, to: nowhere }
  - { from: c }
edegs: []
`;
    expect(parseProblems(text)).toEqual([
      '1:15 error flow.wrong-type',
      '1:18 error flow.unknown-key',
      '3:9 error node.bad-id',
      '5:12 error flow.wrong-type',
      '6:5 error flow.missing-key',
      '6:5 error flow.missing-key',
      '6:9 error node.reserved-id',
      '7:5 error flow.unknown-key',
      '8:5 error flow.wrong-type',
      '9:47 error flow.wrong-type',
      '11:20 error edge.unknown-node',
      '12:5 error flow.missing-key',
      '13:1 error flow.unknown-key',
    ]);
  });

  test.each([
    ['flow is not a map', 'flow: x\nnodes: []\nedges: []\n', '1:7 error flow.wrong-type'],
    ['nodes is a map', `${header}nodes: {}\nedges: []\n`, '2:8 error flow.wrong-type'],
    ['edges is left blank', `${header}nodes: []\nedges:\n`, '3:7 error flow.wrong-type'],
    ['the type is empty', `${header}nodes: [{ id: a, type: "", input: {} }]\nedges: []\n`, '2:24 error flow.bad-value'],
    ['version is 0', 'flow: { name: x, version: 0 }\nnodes: []\nedges: []\n', '1:27 error flow.bad-value'],
    ['version is text', 'flow: { name: x, version: "1" }\nnodes: []\nedges: []\n', '1:27 error flow.bad-value'],
    ['version is 2', 'flow: { name: x, version: 2 }\nnodes: []\nedges: []\n', '1:27 error flow.newer-version'],
    [
      'failFast is text',
      'flow: { name: x, policy: { failFast: "no" } }\nnodes: []\nedges: []\n',
      '1:38 error flow.wrong-type',
    ],
    [
      'maxParallel is 0',
      'flow: { name: x, policy: { maxParallel: 0 } }\nnodes: []\nedges: []\n',
      '1:41 error flow.bad-value',
    ],
    ['a position has no y', `${minimal}layout: { nodes: { a: { x: 1 } } }\n`, '4:23 warning flow.missing-key'],
    ['timeoutMs is negative', withNode(', policy: { timeoutMs: -1 }'), '3:58 error flow.bad-value'],
    [
      'backoffMs is a fraction',
      withNode(', policy: { retry: { maxAttempts: 2, backoffMs: 0.5 } }'),
      '3:83 error flow.bad-value',
    ],
  ])('%s', (_, text, problem) => {
    expect(parseProblems(text)).toEqual([problem]);
  });

  test.each([
    ['timeoutMs', 'policy: { timeoutMs: MS }'],
    ['backoffMs', 'policy: { retry: { maxAttempts: 2, backoffMs: MS } }'],
  ])('%s is limited to the maximum delay of timers, and the message explains it', (key, policy) => {
    const messages = (ms: string): readonly string[] =>
      parseFlow(withNode(`, ${policy.replace('MS', ms)}`)).diagnostics.map(({ message }) => message);
    expect(messages('2147483647')).toEqual([]);
    expect(messages('2147483648')).toEqual([`"${key}" must be at most 2147483647 ms, which is over 24 days.`]);
  });

  test.each([
    ['maxAttempts: 0', '3:69'],
    ['maxAttempts: -1', '3:69'],
    ['maxAttempts: 1.5', '3:69'],
    ['maxAttempts: many', '3:69'],
    ['backoffMs: 5', '3:54'],
  ])('FE-50 rejects retry with %s', (retry, place) => {
    const [problem, ...others] = parseProblems(withNode(`, policy: { retry: { ${retry} } }`));
    expect(problem).toMatch(new RegExp(`^${place} error flow\\.(bad-value|wrong-type|missing-key)$`));
    expect(others).toEqual([]);
  });

  test('FE-51 maxAttempts of 1 is accepted', () => {
    expect(parseProblems(withNode(', policy: { retry: { maxAttempts: 1 } }'))).toEqual([]);
  });

  test.each([
    'yes',
    '{}',
    '{ equal: { var: a, value: 1 } }',
    '{ not: { and: [] }, or: [] }',
    '{ equals: { var: a } }',
    '{ equals: { var: 1, value: 1 } }',
    '{ equals: { var: a, value: 1, also: 2 } }',
    '{ exists: { var: a } }',
    '{ lt: { var: a, value: true } }',
    '{ lte: { var: a, value: [1] } }',
    '{ gt: { value: 1 } }',
    '{ gte: 5 }',
    '{ contains: { var: a } }',
    '{ in: { var: a, value: 1 } }',
    '{ lt: { var: a, value: 1 }, gt: { var: a, value: 0 } }',
    '{ and: { not: 1 } }',
    '{ or: [{ not: { maybe: 1 } }] }',
  ])('%s is an invalid condition of a node and of an edge', (when) => {
    const codesOf = (text: string): readonly (string | undefined)[] =>
      parseProblems(text).map((problem) => problem.split(' ').at(-1));
    expect(codesOf(withNode(`, when: ${when}`))).toEqual(['when.bad-shape']);
    expect(codesOf(withNode('').replace('[]', `[{ from: a, to: a, when: ${when} }]`))).toEqual(['when.bad-shape']);
  });

  test.each([
    '{ exists: flow.input.a }',
    '{ lt: { var: a.n, value: 1.5 } }',
    '{ lte: { var: a.n, value: b } }',
    '{ gt: { var: a.n, value: -1 } }',
    '{ gte: { var: a.n, value: "" } }',
    '{ contains: { var: a.list, value: { x-kept: null } } }',
    '{ in: { var: a.x, value: [1, null, [x]] } }',
    '{ or: [{ not: { exists: a.x } }, { and: [] }] }',
  ])('%s is a valid condition of a node and of an edge', (when) => {
    expect(parseProblems(withNode(`, when: ${when}`))).toEqual([]);
    const text = withNode('').replace('[]', `[{ from: a, to: a, when: ${when} }]`);
    expect([parseProblems(text), parseFlow(text).doc?.edges[0]?.when]).toEqual([[], expect.any(Object)]);
  });

  test('reports an invalid condition at the part that is wrong', () => {
    expect(parseProblems(withNode(', when: { and: [{ or: [] }, { not: { equals: { var: a, valu: 1 } } }] }'))).toEqual([
      '3:80 error when.bad-shape',
      '3:90 error when.bad-shape',
    ]);
    const edge = '[{ from: a, to: a, when: { and: [{ exists: a }, { lt: { var: a, value: [] } }] } }]';
    expect(parseProblems(withNode('').replace('[]', edge))).toEqual(['4:79 error when.bad-shape']);
  });

  test('suggests the most similar known key', () => {
    const text = `flow: { nmae: x, name: y }\nnods: []\nnodes: [{ id: a, type: t, input: {}, polciy: {}, zzz: 1 }]\nedges: []\n`;
    expect(parseFlow(text).diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('Did you mean "name"?'),
      expect.stringContaining('Did you mean "policy"?'),
      expect.stringContaining('Known keys: id, type, input'),
      expect.stringContaining('Did you mean "nodes"?'),
    ]);
  });
});

describe('ids', () => {
  test.each(['a-b', '1a', 'a b', 'ä', 'a.b', '""', '__proto__'])('FE-08 rejects the ID %s', (id) => {
    const problems = parseProblems(`${header}nodes: [{ id: ${id}, type: t, input: {} }]\nedges: []\n`);
    expect(problems).toEqual([expect.stringMatching(/^2:15 error node\.(bad|reserved)-id$/)]);
  });

  test.each(['flow', 'payload', 'artifacts', 'state', 'item', 'loop', 'secret', 'run'])(
    'FE-08 the ID %s is reserved',
    (id) => {
      const problems = parseProblems(`${header}nodes: [{ id: ${id}, type: t, input: {} }]\nedges: []\n`);
      expect(problems).toEqual(['2:15 error node.reserved-id']);
    },
  );

  test.each(['a', '_', 'A_1', 'flows', 'constructor', 'toString'])('FE-08 accepts the ID %s', (id) => {
    expect(parseProblems(`${header}nodes: [{ id: ${id}, type: t, input: {} }]\nedges: []\n`)).toEqual([]);
  });

  test('FE-08 rejects the second of two nodes with one ID, and draws only the first', () => {
    const text = `${header}nodes:\n  - { id: a, type: one, input: {} }\n  - { id: a, type: two, input: {} }\n  - { id: b, type: t, input: {} }\nedges: []\n`;
    expect(parseProblems(text)).toEqual(['4:11 error node.duplicate-id']);
    expect(parseFlow(text).doc?.nodes.map(({ id, type }) => [id, type])).toEqual([
      ['a', 'one'],
      ['b', 't'],
    ]);
  });

  test('rejects the second of two edges with one ID', () => {
    const text = `${header}nodes: [{ id: a, type: t, input: {} }]\nedges:\n  - { from: a, to: a, id: e }\n  - { from: a, to: a, id: e }\n`;
    expect(parseProblems(text)).toEqual(['5:27 error edge.duplicate-id']);
  });
});

test('FE-06 rejects an edge to an unknown node at that end, and suggests the most similar ID', () => {
  const text = `${header}nodes: [{ id: fetch, type: t, input: {} }]\nedges: [{ from: fetch, to: fecth }]\n`;
  expect(parseProblems(text)).toEqual(['3:28 error edge.unknown-node']);
  expect(parseFlow(text).diagnostics[0]?.message).toContain('Did you mean "fetch"?');
  expect(parseFlow(text).doc?.edges).toEqual([{ from: 'fetch', to: 'fecth' }]);
});
