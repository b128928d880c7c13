import { describe, expect, test } from 'vitest';
import { checkProblems, specCatalog } from '../../testing/flow-problems.ts';
import { checkFlow } from '../flow/check-flow.ts';
import { MAX_NESTING_DEPTH } from '../flow/flow-limits.ts';

/**
 * Returns a flow with nodes named by the letters of `ids`, starting at line 3; then the loops, one per line; then the
 * edges.
 */
function flowWith(ids: string, loops: readonly string[], edges: readonly string[] = []): string {
  const nodes = [...ids].map((id) => `  - { id: ${id}, type: open, input: {} }`);
  const loopLines = loops.map((loop) => `  - { type: control.foreach, ${loop} }`);
  const edgeLines = edges.map((edge) => {
    const [from, to] = edge.split('->');
    return `  - { from: ${from}, to: ${to} }`;
  });
  const lines = ['flow: { name: test }', 'nodes:', ...nodes, ...loopLines, 'edges:', ...edgeLines];
  return `${lines.join('\n')}${edges.length === 0 ? ' []' : ''}\n`;
}

function each(body: string, more = ''): string {
  return `id: each, input: { items: [1, 2], body: ${body}${more} }`;
}

/** Returns `line:column` of the first `part` in a text. */
function placeOf(part: string, text: string): string {
  const before = text.slice(0, text.indexOf(part)).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function messagesOf(text: string): readonly string[] {
  return checkFlow(text, specCatalog).diagnostics.map(({ message }) => message);
}

describe('the body of a loop', () => {
  test('becomes a separate graph with its edges, in the order of the nodes it contains', () => {
    const { diagnostics, flow } = checkFlow(flowWith('abcd', [each('[b, a]')], ['b->a', 'c->each']), specCatalog);
    expect([diagnostics, flow?.nodes.map(({ id }) => id), flow?.edges.map(({ id }) => id)]).toEqual([
      [],
      ['c', 'd', 'each'],
      ['c->each'],
    ]);
    const body = flow?.nodes.at(-1)?.body;
    expect([body?.nodes.map(({ id, position }) => [id, position]), body?.edges.map(({ id }) => id)]).toEqual([
      [
        ['b', 1],
        ['a', 0],
      ],
      ['b->a'],
    ]);
  });

  test('may contain loops', () => {
    const inner = 'id: inner, input: { items: [1], body: [a] }';
    const { diagnostics, flow } = checkFlow(flowWith('ab', [each('[inner, b]'), inner], ['inner->b']), specCatalog);
    const body = flow?.nodes[0]?.body;
    expect([diagnostics, flow?.nodes.length, body?.nodes.map(({ id }) => id)]).toEqual([[], 1, ['inner', 'b']]);
    expect(body?.nodes[0]?.body?.nodes.map(({ id }) => id)).toEqual(['a']);
  });

  test.each([
    { body: '"{{a.list}}"', place: '"{{', problem: 'error loop.not-literal' },
    { body: '[a, "{{flow.input.id}}"]', place: '"{{', problem: 'error loop.not-literal' },
    { body: '[b]', place: 'b]', problem: 'error loop.unknown-node' },
    { body: '[11]', place: '11]', problem: 'error loop.unknown-node' },
    { body: '[a, a]', place: 'a]', problem: 'error loop.shared-node' },
    { body: '[a, each]', place: 'each]', problem: 'error loop.holds-itself' },
    { body: '[]', place: '[]', problem: 'warning loop.empty-body' },
    { body: 'a', place: 'a } }', problem: 'error node.bad-input' },
    { body: '[{ a: 1 }]', place: '{ a: 1 }', problem: 'error node.bad-input' },
  ])('rejects $body at its position', ({ body, place, problem }) => {
    const text = flowWith('a', [each(body)]);
    expect(checkProblems(text)).toEqual([`${placeOf(place, text)} ${problem}`]);
  });

  test('must not be missing', () => {
    expect(checkProblems(flowWith('a', ['id: each, input: { items: [] }']))).toEqual(['4:5 error node.missing-input']);
  });

  test('suggests the most similar ID for a mistyped one', () => {
    const text = flowWith('', ['id: fetch_all, input: { items: [], body: [fecth] }']).replace(
      'nodes:\n',
      'nodes:\n  - { id: fetch, type: open, input: {} }\n',
    );
    expect(messagesOf(text)).toEqual([expect.stringContaining('Did you mean "fetch"?')]);
  });

  test('cannot share a node with another body', () => {
    const text = flowWith('a', [each('[a]'), 'id: other, input: { items: [], body: [a] }']);
    expect(checkProblems(text)).toEqual([`${placeOf('a] } }\nedges', text)} error loop.shared-node`]);
    expect(messagesOf(text)).toEqual([expect.stringContaining('the body of "each"')]);
  });

  test('cannot contain a loop that encloses it', () => {
    const text = flowWith('a', [each('[other]'), 'id: other, input: { items: [], body: [a, each] }']);
    expect(checkProblems(text)).toEqual([
      `${placeOf('other] }', text)} error loop.holds-itself`,
      `${placeOf('each] }', text)} error loop.holds-itself`,
    ]);
    expect(checkFlow(text, specCatalog).flow).toBeNull();
  });

  test('may be nested only up to the limit', () => {
    const nested = (levels: number): string => {
      const ids = [...Array(levels).keys()].map((level) => `l${level}`);
      const body = (level: number): string => ids[level + 1] ?? 'a';
      return flowWith(
        'a',
        ids.map((id, level) => `id: ${id}, input: { items: [], body: [${body(level)}] }`),
      );
    };
    expect(checkProblems(nested(MAX_NESTING_DEPTH))).toEqual([]);
    expect(checkProblems(nested(MAX_NESTING_DEPTH + 1))).toEqual([expect.stringMatching(/error loop\.too-deep$/)]);
  });
});

describe('an edge across the boundary of a body', () => {
  const inner = 'id: inner, input: { items: [], body: [c] }';

  test.each([
    ['into it', 'a->b', 'Connect "a" to "each" instead.'],
    ['out of it', 'b->a', 'Connect "each" to "a" instead.'],
    ['from the loop itself', 'each->b', 'Remove it'],
    ['to the loop itself', 'b->each', 'Remove it'],
    ['over two borders', 'a->c', 'Connect "a" to "each" instead.'],
    ['into a body within the body', 'b->c', 'Connect "b" to "inner" instead.'],
    ['out of a body within the body', 'c->b', 'Connect "inner" to "b" instead.'],
    ['to the loop around its loop', 'c->each', 'Remove it'],
  ])('rejects %s, and suggests the right edge', (_, edge, remedy) => {
    const text = flowWith('abc', [each('[b, inner]'), inner], [edge]);
    expect(checkProblems(text)).toEqual(['9:5 error loop.crossing-edge']);
    expect(messagesOf(text)).toEqual([expect.stringContaining(remedy)]);
  });

  test('is rejected between two bodies', () => {
    const text = flowWith('ab', [each('[a]'), 'id: other, input: { items: [], body: [b] }'], ['a->b']);
    expect(messagesOf(text)).toEqual([expect.stringContaining('Connect "each" to "other" instead.')]);
  });

  test('does not form a cycle', () => {
    const text = flowWith('ab', [each('[a]')], ['a->b', 'b->a', 'b->b']);
    expect(checkProblems(text)).toEqual([
      '7:5 error loop.crossing-edge',
      '8:5 error loop.crossing-edge',
      '9:5 error edge.cycle',
    ]);
  });
});

test('FE-05 rejects a cycle inside a body', () => {
  expect(checkProblems(flowWith('ab', [each('[a, b]')], ['a->b', 'b->a']))).toEqual(['7:5 error edge.cycle']);
});

describe('the name of the item', () => {
  test('cannot be the ID of a node', () => {
    const text = flowWith('ab', [each('[b]', ', as: a')]);
    expect(checkProblems(text)).toEqual([`${placeOf('a } }\nedges', text)} error loop.bad-name`]);
  });

  test('cannot come from a binding', () => {
    const text = flowWith('ab', [each('[b]', ', as: "{{a.x}}"')]);
    expect(checkProblems(text)).toEqual([`${placeOf('"{{', text)} error loop.not-literal`]);
  });

  test('may be the default, written explicitly', () => {
    expect(checkProblems(flowWith('b', [each('[b]', ', as: item')]))).toEqual([]);
  });
});

test('rejects a retry on a loop, because it belongs to the nodes of its body', () => {
  const text = flowWith('a', [`${each('[a]')}, policy: { timeoutMs: 5, retry: { maxAttempts: 2 } }`]);
  expect(checkProblems(text)).toEqual([`${placeOf('{ maxAttempts', text)} error loop.retry`]);
  expect(messagesOf(text)).toEqual([expect.stringContaining('nodes of its body')]);
});

describe('valid roots of paths', () => {
  /** Returns two nested loops, a node with `text` in one of the bodies, and a node outside. */
  function withText(place: 'outside' | 'outer' | 'inner', text: string): readonly string[] {
    const input = (here: typeof place): string => (place === here ? `{ x: "${text}" }` : '{}');
    return checkProblems(`flow: { name: test }
nodes:
  - { id: out, type: open, input: ${input('outside')} }
  - { id: a, type: open, input: ${input('outer')} }
  - { id: b, type: open, input: ${input('inner')} }
  - { id: each, type: control.foreach, input: { items: "{{out.list}}", as: row, body: [a, inner] } }
  - { id: inner, type: control.foreach, input: { items: ["{{row.cells}}", "{{a.list}}"], body: [b] } }
edges: []
`);
  }

  test('in a body: its item, its loop, its nodes and everything around it', () => {
    expect(withText('outer', '{{row.x}} {{loop.index}} {{inner.iterations}} {{out.x}} {{flow.input.x}}')).toEqual([]);
    expect(withText('inner', '{{row.x}} {{item.x}} {{loop.index}} {{a.x}} {{out.x}} {{each.x}}')).toEqual([]);
  });

  test('outside a body, none of these', () => {
    expect(withText('outside', '{{row.x}}')).toEqual(['3:41 warning binding.unknown-root']);
    expect(withText('outside', '{{loop.index}}')).toEqual(['3:41 warning binding.unknown-root']);
    expect(withText('outer', '{{item.x}}')).toEqual(['4:39 warning binding.unknown-root']);
  });

  test('a node of a body cannot be read outside, except in the output of its loop', () => {
    expect(withText('outside', '{{a.x}} {{b.x}}')).toEqual([
      '3:41 warning loop.hidden-output',
      '3:49 warning loop.hidden-output',
    ]);
    expect(withText('outer', '{{b.x}}')).toEqual(['4:39 warning loop.hidden-output']);
    const text = flowWith('a', [each('[a]'), 'id: other, input: { items: "{{a.x}}", body: [] }']);
    expect(messagesOf(text)).toContainEqual(expect.stringContaining('Read each.iterations instead.'));
  });

  test('apply to conditions as well, including those of edges in a body', () => {
    const when = '{ not: { exists: VAR } }';
    const text = (variable: string): string =>
      flowWith('ab', [each('[a, b]')], ['a->b']).replace('to: b', `to: b, when: ${when.replace('VAR', variable)}`);
    expect(checkProblems(text('item'))).toEqual([]);
    expect(checkProblems(text('row.x'))).toEqual(['7:46 warning binding.unknown-root']);
  });
});
