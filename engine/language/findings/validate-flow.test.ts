import { describe, expect, test } from 'vitest';
import { checkProblems, specCatalog } from '../../testing/flow-problems.ts';
import { checkFlow } from '../flow/check-flow.ts';

/** Returns a flow with node `a` (a source of bindings) and another node, which starts at 4:5. */
function flowWith(node: string): string {
  return `flow: { name: test, input: { site: x } }\nnodes:\n  - { id: a, type: open, input: {} }\n  - ${node}\nedges: []\n`;
}

function messagesOf(text: string): readonly string[] {
  return checkFlow(text, specCatalog).diagnostics.map(({ message }) => message);
}

describe('the type of a node', () => {
  test('is rejected if it is not registered, with the most similar one', () => {
    const text = flowWith('{ id: b, type: ecoh, input: { whatever: 1 } }');
    expect(checkProblems(text)).toEqual(['4:20 error node.unknown-type']);
    expect(messagesOf(text)[0]).toContain('Did you mean "echo"?');
  });

  test('does not prevent drawing if it is invalid', () => {
    const { parsed, flow } = checkFlow(flowWith('{ id: b, type: no.such, input: {} }'), specCatalog);
    expect([parsed.doc?.nodes.map(({ type }) => type), flow]).toEqual([['open', 'no.such'], null]);
  });
});

describe('a literal value', () => {
  test.each([
    ['{ id: b, type: echo, input: {} }', ['4:5 error node.missing-input']],
    ['{ id: b, type: constant, input: {} }', ['4:5 error node.missing-input']],
    ['{ id: b, type: echo, input: { text: [1] } }', ['4:41 error node.bad-input']],
    ['{ id: b, type: echo, input: { text: null } }', ['4:41 error node.bad-input']],
    ['{ id: b, type: ask, input: { prompt: p, count: 0 } }', ['4:52 error node.bad-input']],
    ['{ id: b, type: ask, input: { prompt: p, count: 1.5 } }', ['4:52 error node.bad-input']],
    ['{ id: b, type: ask, input: { prompt: p, tags: [x, {}] } }', ['4:55 error node.bad-input']],
    ['{ id: b, type: either, input: {} }', ['4:35 error node.bad-input']],
    ['{ id: b, type: either, input: { path: p, globs: [] } }', ['4:35 error node.bad-input']],
    ['{ id: b, type: ask, input: { prompt: p }, config: { temperature: 5 } }', ['4:70 error node.bad-config']],
    ['{ id: b, type: configured, input: {} }', ['4:5 error node.bad-config']],
    ['{ id: b, type: configured, input: {}, config: { mode: c } }', ['4:59 error node.bad-config']],
  ])('rejects %s', (node, problems) => {
    expect(checkProblems(flowWith(node))).toEqual(problems);
  });

  test.each([
    '{ id: b, type: echo, input: { text: 5 } }',
    '{ id: b, type: echo, input: { text: true } }',
    '{ id: b, type: ask, input: { prompt: 1, tags: [2, false] }, config: { model: 4 } }',
    '{ id: b, type: constant, input: { value: null } }',
    '{ id: b, type: either, input: { path: p } }',
    '{ id: b, type: configured, input: {}, config: { mode: a } }',
  ])('accepts %s', (node) => {
    expect(checkProblems(flowWith(node))).toEqual([]);
  });

  test('causes a warning for an unknown key, even for a strict type', () => {
    const text = flowWith('{ id: b, type: ask, input: { prompt: p, cuont: 1 }, config: { modl: x } }');
    expect(checkProblems(text)).toEqual(['4:45 warning node.unknown-input', '4:67 warning node.unknown-input']);
    expect(messagesOf(text)).toEqual([expect.stringContaining('"count"'), expect.stringContaining('"model"')]);
    expect(checkFlow(text, specCatalog).flow).not.toBeNull();
  });

  test('is validated once: errors of parsing are not reported again', () => {
    expect(checkProblems(flowWith('{ id: b, type: echo, input: { text: {{a.x}} } }'))).toEqual([
      '4:41 error flow.bad-value',
    ]);
    expect(checkProblems(flowWith('{ id: b, type: echo, input: text }'))).toEqual(['4:33 error flow.wrong-type']);
    expect(checkProblems(flowWith('{ id: b, type: echo }'))).toEqual(['4:5 error flow.missing-key']);
  });
});

describe('a value with a binding', () => {
  test.each([
    '{ id: b, type: ask, input: { prompt: p, count: "{{a.n}}", tags: "{{a.tags}}" } }',
    '{ id: b, type: ask, input: { prompt: ["{{a.x}}"] } }',
    '{ id: b, type: either, input: { path: "{{a.x}}", globs: "{{a.y}}" } }',
    '{ id: b, type: echo, input: { text: "{{?flow.input.nope}} {{a.b | default:{\\"c\\":1}}}" } }',
    '{ id: b, type: echo, input: { text: "\\\\{{ no binding" } }',
  ])('leaves %s to the run', (node) => {
    expect(checkProblems(flowWith(node))).toEqual([]);
  });

  test('does not exempt the other values', () => {
    const text = flowWith('{ id: b, type: ask, input: { prompt: "{{a.x}}", count: many, tags: ["{{a.y}}", [1]] } }');
    expect(checkProblems(text)).toEqual(['4:60 error node.bad-input', '4:84 error node.bad-input']);
  });

  test('is not a binding in config, which has no templates', () => {
    const text = flowWith('{ id: b, type: ask, input: { prompt: p }, config: { temperature: "{{a.x}}" } }');
    expect(checkProblems(text)).toEqual(['4:70 error node.bad-config']);
  });

  test('is rejected at the invalid part', () => {
    const text = flowWith('{ id: b, type: echo, input: { text: "ok {{a b}} {{a.c}} {{a.d | default:x}}" } }');
    expect(checkProblems(text)).toEqual(['4:45 error binding.bad-path', '4:61 error binding.bad-default']);
  });

  test('causes a warning if its root does not name a node', () => {
    const text = flowWith('{ id: b, type: open, input: { x: "{{aa.x}}", y: ["{{flow.name}}"], z: "{{b.self}}" } }');
    expect(checkProblems(text)).toEqual(['4:39 warning binding.unknown-root', '4:55 warning binding.unknown-root']);
  });
});

describe('a condition', () => {
  test('may refer to inputs and nodes', () => {
    const when =
      '{ and: [{ equals: { var: flow.input.site, value: 1 } }, { not: { equals: { var: a.b.0, value: 2 } } }] }';
    expect(checkProblems(flowWith(`{ id: b, type: open, input: {}, when: ${when} }`))).toEqual([]);
  });

  test('causes a warning for a root that does not name a node, and an error for an invalid path', () => {
    const text = flowWith(`
    id: b
    type: open
    input: {}
    when:
      or:
        - equals: { var: nobody.x, value: 1 }
        - not: { equals: { var: "{{a.x}}", value: 1 } }`);
    expect(checkProblems(text)).toEqual(['10:26 warning binding.unknown-root', '11:33 error binding.bad-path']);
  });

  test('is validated in every form, and on edges', () => {
    const forms = ['exists: X', ...['lt', 'lte', 'gt', 'gte', 'contains'].map((op) => `${op}: { var: X, value: 1 }`)];
    const lines = [...forms, 'in: { value: [], var: X }'].map((form) => `          - ${form.replace('X', 'no.x')}\n`);
    const edge = `  - from: a\n    to: b\n    when:\n      not:\n        or:\n${lines.join('')}`;
    const text = flowWith('{ id: b, type: open, input: {} }').replace('edges: []\n', `edges:\n${edge}`);
    const columns = [21, 24, 25, 24, 25, 30, 35];
    expect(checkProblems(text)).toEqual(
      columns.map((column, index) => `${11 + index}:${column} warning binding.unknown-root`),
    );
    expect(checkProblems(text.replace('{ var: no.x, value: 1 }', '{ var: "{{a.x}}", value: 1 }'))).toContain(
      '12:24 error binding.bad-path',
    );
  });
});

describe('a cycle', () => {
  interface Cycle {
    readonly place: string;
    readonly way: string;
  }

  function flowOf(ids: string, edges: string): string {
    const nodes = [...ids].map((id) => `{ id: ${id}, type: open, input: {} }`).join(', ');
    return `flow: { name: test }\nnodes: [${nodes}]\nedges:\n${edges}`;
  }

  test.each<[string, string, readonly Cycle[]]>([
    ['of one edge', flowOf('a', '  - { from: a, to: a }\n'), [{ place: '4:5', way: 'a -> a' }]],
    [
      'of two',
      flowOf('ab', '  - { from: a, to: b }\n  - { from: b, to: a }\n'),
      [{ place: '4:5', way: 'a -> b -> a' }],
    ],
    [
      'after a chain',
      flowOf(
        'abcd',
        '  - { from: a, to: b }\n  - { from: d, to: b }\n  - { from: b, to: c }\n  - { from: c, to: d }\n',
      ),
      [{ place: '5:5', way: 'd -> b -> c -> d' }],
    ],
    [
      'next to another',
      flowOf(
        'abcd',
        '  - { from: a, to: b }\n  - { from: b, to: a }\n  - { from: a, to: c }\n  - { from: c, to: c }\n',
      ),
      [
        { place: '4:5', way: 'a -> b -> a' },
        { place: '7:5', way: 'c -> c' },
      ],
    ],
  ])('FE-05 a cycle %s is refused at its first edge, with the ids on the way', (_, text, cycles) => {
    expect(checkProblems(text)).toEqual(cycles.map(({ place }) => `${place} error edge.cycle`));
    expect(messagesOf(text)).toEqual(cycles.map(({ way }) => expect.stringContaining(`${way}.`)));
    expect(checkFlow(text, specCatalog)).toMatchObject({ flow: null, parsed: { doc: { flow: { name: 'test' } } } });
  });
});
