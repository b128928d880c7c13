import { describe, expect, test } from 'vitest';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { checkFlow } from './check-flow.ts';
import { parseFlow } from './parse-flow.ts';

const catalog = createNodeRegistry(builtinNodes);

/** Returns line, code and message of every problem. */
function problems(text: string): [line: number, code: string, message: string][] {
  return checkFlow(text, catalog).diagnostics.map(({ code, message, range }) => [range.line, code, message]);
}

const older = `name: coder-reviewer
version: 1
nodes:
  - id: each
    type: control.foreach
    position: { x: 10, y: -20.5 }
    input: { items: [1, 2], as: task }
    body: [coder, reviewer]
  - id: plan
    type: anthropic.text
    promptFile: prompts/plan.md
    input: {}
  - id: coder
    type: claude.agent
    input: { prompt: "Do {{task}} {{?reviewer.text}}" }
  - id: reviewer
    type: claude.agent
    input: { promptFile: prompts/review.md }
edges:
  - from: plan
    to: each
    type: forward
  - from: coder
    to: reviewer
  - from: reviewer
    to: coder
    type: loop
    maxIterations: 3
    when: { not: { equals: { var: reviewer.structuredOutput.passed, value: true } } }
`;

describe('BB-57 a flow in the older public format', () => {
  test('is rejected with one diagnostic for each construct that explains what to write', () => {
    expect(problems(older)).toEqual([
      [1, 'flow.older-form', expect.stringContaining('Write flow: and indent these keys below it: name, version')],
      [6, 'flow.older-form', expect.stringContaining('layout: { nodes: { each: { x: 10, y: -20.5 } } }')],
      [8, 'flow.older-form', expect.stringContaining('Write body: [coder, reviewer] under input')],
      [10, 'node.unknown-type', expect.stringContaining('Use type: prompt')],
      [11, 'flow.older-form', expect.stringContaining('file.read')],
      [14, 'node.unknown-type', expect.stringContaining('config.output.schema')],
      [17, 'node.unknown-type', expect.stringContaining('Use type: prompt')],
      [18, 'flow.older-form', expect.stringContaining('"{{read.text}}"')],
      [22, 'flow.older-form', expect.stringContaining('Remove type: forward')],
      [
        25,
        'flow.older-form',
        expect.stringContaining(
          'from "reviewer" back to "coder" with a node of type control.loop with input: { body: [coder, reviewer], while: the condition of this edge, maxIterations: 3 }',
        ),
      ],
    ]);
  });

  test('is still drawn: the body of a loop is in its loop', () => {
    const { doc } = parseFlow(older);
    expect(doc?.nodes[0]).toEqual({
      id: 'each',
      type: 'control.foreach',
      input: { items: [1, 2], as: 'task', body: ['coder', 'reviewer'] },
    });
    expect(doc?.edges).toHaveLength(3);
  });

  test.each([
    ['prompt', 'flow.older-form'],
    ['echo', 'node.unknown-input'],
  ])('a promptFile in a node of type %s is %s', (type, code) => {
    const text = `flow: { name: x }\nnodes: [{ id: a, type: ${type}, input: { promptFile: a.md } }]\nedges: []\n`;
    const found = problems(text).map(([, one]) => one);
    expect(found).toContain(code);
    // The missing prompt itself is not reported in addition.
    expect(found.includes('node.missing-input')).toBe(type === 'echo');
  });

  test.each([
    ['gate: all', 'when with and:'],
    ['forEach: { in: "{{a.items}}", as: one }', 'input: { items: "{{a.items}}", as: one, body: [b] }'],
    ['forEach: odd', 'body: [b]'],
    ['maxIterations: "{{flow.input.most}}"', 'maxIterations: {{flow.input.most}}'],
    ['type: loop', 'while or until: a condition }'],
  ])('an edge with %s', (key, instead) => {
    const text = `flow: { name: x }\nnodes:\n  - { id: a, type: control.noop, input: {} }\n  - { id: b, type: control.noop, input: {} }\nedges:\n  - from: a\n    to: b\n    ${key}\n`;
    expect(problems(text)).toEqual([[expect.any(Number), 'flow.older-form', expect.stringContaining(instead)]]);
  });

  test('names all nodes between the ends of a loop edge, and still finds other cycles', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((id) => `  - { id: ${id}, type: control.noop, input: {} }\n`).join('');
    const edges = (more: string): string =>
      `flow: { name: x }\nnodes:\n${nodes}edges:\n  - { from: a, to: b }\n  - { from: b, to: c }\n  - { from: a, to: d }\n${more}`;
    expect(problems(edges('  - { from: c, to: a, type: loop }\n'))).toEqual([
      [11, 'flow.older-form', expect.stringContaining('body: [a, b, c]')],
    ]);
    expect(
      problems(edges('  - { from: c, to: a, type: loop }\n  - { from: d, to: a }\n')).map(([, code]) => code),
    ).toEqual(['edge.cycle', 'flow.older-form']);
  });

  test.each([
    ['control.merge', 'control.noop'],
    ['control.subflow', 'type: flow'],
    ['data.map', 'list.map'],
  ])('the type %s is replaced by %s', (type, instead) => {
    const text = `flow: { name: x }\nnodes: [{ id: a, type: ${type}, input: {} }]\nedges: []\n`;
    expect(problems(text)).toEqual([[2, 'node.unknown-type', expect.stringContaining(instead)]]);
  });

  test('ignores types of a host with such a name', () => {
    const own = createNodeRegistry([{ ...builtinNodes[0], type: 'claude.agent' } as (typeof builtinNodes)[number]]);
    const text = `flow: { name: x }\nnodes: [{ id: a, type: claude.agent, input: { prompt: Hi } }]\nedges: []\n`;
    expect(checkFlow(text, own).diagnostics).toEqual([]);
  });
});
