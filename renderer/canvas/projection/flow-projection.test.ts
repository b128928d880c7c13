import { describe, expect, test } from 'vitest';
import { nodeTypes } from '../../stores/flow/node-types.ts';
import { changesSince, checkDocument, checkText, type DocumentCheck, withChanges } from '../../stores/text/check.ts';
import { emptyProjection, type FlowProjection, projectFlow } from './flow-projection.ts';

function project(text: string, former?: FlowProjection): FlowProjection {
  const { doc, diagnostics } = checkText(text);
  if (doc === null) throw new Error('This text must be readable');
  return projectFlow({ doc, diagnostics, catalog: nodeTypes }, former);
}

const twoNodes = `
flow: { name: two }
nodes:
  - { id: a, type: echo, input: { text: hello } }
  - { id: b, type: echo, input: { text: "{{a.text}}" } }
edges:
  - { from: a, to: b }
`;

describe('projectFlow', () => {
  test('creates a card for every node and a line for every edge', () => {
    const { nodes, edges } = project(twoNodes);
    expect(nodes.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(edges).toEqual([{ id: 'a->b', source: 'a', target: 'b', route: null, label: null }]);
  });

  test('gives repeated edges the ids used by the events of a run', () => {
    const { edges } = project(
      twoNodes.replace('  - { from: a, to: b }', '  - { from: a, to: b }\n  - { from: a, to: b }'),
    );
    expect(edges.map(({ id }) => id)).toEqual(['a->b', 'a->b#2']);
  });

  test('draws a node without predecessors as a start', () => {
    expect(project(twoNodes).nodes.map(({ content }) => content.isStart)).toEqual([true, false]);
  });

  test('omits edges to missing nodes and keeps the rest', () => {
    const { edges, nodes } = project(twoNodes.replace('from: a, to: b', 'from: a, to: nowhere'));
    expect(edges).toEqual([]);
    expect(nodes).toHaveLength(2);
  });

  test('does not count an edge from a missing node as a predecessor', () => {
    const { nodes } = project(twoNodes.replace('from: a, to: b', 'from: nowhere, to: b'));
    expect(nodes.map(({ content }) => content.isStart)).toEqual([true, true]);
  });

  test('draws a node of an unknown type with its problem', () => {
    const { nodes } = project(twoNodes.replace('id: b, type: echo', 'id: b, type: echoo'));
    expect(nodes[1]?.content).toMatchObject({ icon: 'unknown', error: { word: 'unknown type' } });
    expect(nodes[0]?.content.error).toBeNull();
  });

  test('returns the same object if nothing that is drawn changed', () => {
    const first = project(twoNodes);
    expect(project(`# a comment\n${twoNodes}`, first)).toBe(first);
  });

  test('keeps the objects of all nodes except the changed one', () => {
    const first = project(twoNodes);
    const second = project(twoNodes.replace('hello', 'good morning'), first);
    expect(second.nodes[0]).not.toBe(first.nodes[0]);
    expect(second.nodes[1]).toBe(first.nodes[1]);
    expect(second.edges).toBe(first.edges);
  });

  test('keeps its shape if only positions in the file change', () => {
    const first = project(twoNodes);
    expect(project(twoNodes.replace('hello', 'hallo'), first).shape).toBe(first.shape);
    expect(project(`${twoNodes}layout: { nodes: { b: { x: 40, y: 8 } } }\n`, first).shape).toBe(first.shape);
    expect(project(`${twoNodes}layout: { direction: down }\n`, first).shape).not.toBe(first.shape);
    expect(project(twoNodes.replace('edges:', 'edges: []\nx-edges:'), first).shape).not.toBe(first.shape);
  });

  test('uses the positions of the file', () => {
    const { nodes } = project(`${twoNodes}layout: { nodes: { b: { x: 40, y: 8 } } }\n`);
    expect(nodes.map(({ position }) => position)).toEqual([null, { x: 40, y: 8 }]);
  });

  test("starts an edge that only selects a branch at the branch's row, and labels it with any other condition", () => {
    const flow = (direction: string) => `
flow: { name: ways }
nodes:
  - { id: s, type: control.switch, input: { value: 1, cases: [{ when: { and: [] }, route: up }] } }
  - { id: a, type: echo, name: Shout, input: { text: a } }
edges:
  - { from: s, to: a, when: { equals: { var: s.route, value: up } } }
  - { id: gone, from: s, to: a, when: { equals: { var: s.route, value: sideways } } }
  - { id: more, from: s, to: a, when: { and: [{ equals: { var: s.route, value: up } }, { exists: s.value }] } }
layout: { direction: ${direction} }
`;
    const { nodes, edges } = project(flow('right'));
    expect(edges.map(({ route, label }) => [route, label?.lines.join(' ') ?? null])).toEqual([
      ['up', null],
      [null, 'sideways'],
      [null, 's.route is "up" and s.value exists'],
    ]);
    expect(nodes[0]?.content).toMatchObject({
      leavesByRows: false,
      branches: [
        { route: 'up', edges: ['s->a'], targets: ['Shout'] },
        { route: 'default', edges: [], targets: [] },
      ],
    });
    expect(project(flow('down')).edges[0]).toMatchObject({ route: 'up', label: { lines: ['up'] } });
  });

  const wide = (input: string, more = ''): string => `
flow: { name: wide }
nodes:
  - { id: s, type: control.switch, input: ${input} }
  - { id: a, type: echo, input: { text: hello }${more} }
  - { id: b, type: echo, input: { text: hello } }
edges:
  - { from: s, to: a, when: { equals: { var: s.route, value: up } } }
  - { from: a, to: b }
`;
  const up = '{ value: 1, cases: [{ when: { and: [] }, route: up }] }';

  /** Validates like the window does: unchanged objects come from the previous validation. */
  function projectNext(
    before: DocumentCheck,
    text: string,
    former: FlowProjection,
  ): { check: DocumentCheck; next: FlowProjection } {
    const check = withChanges(before, changesSince(before, checkDocument('flow', text)));
    if (check.doc === null) throw new Error('This text must be readable');
    return { check, next: projectFlow({ doc: check.doc, diagnostics: check.diagnostics, catalog: nodeTypes }, former) };
  }

  test('equals a projection from scratch after each edit', () => {
    const texts = [
      wide(up),
      wide(up, ', disabled: true'),
      wide(up, ', policy: { continueOnError: true }'),
      wide('{ value: 1, cases: [{ when: { and: [] }, route: down }] }'),
      wide(up),
      wide(up, ', unknown: 1'),
      wide(up, ', name: Shout'),
      wide(up).replace('{ name: wide }', '{ name: wide, policy: { failFast: false } }'),
      wide(up).replace('  - { from: a, to: b }', '  - { from: s, to: b }'),
      wide(up).replace('id: b, type: echo', 'id: b, type: echoo'),
      wide(up).replace('id: b, type: echo', 'id: b, type: control.noop'),
    ];
    let check = checkDocument('flow', wide(up));
    let former: FlowProjection | undefined;
    for (const text of texts) {
      const made: ReturnType<typeof projectNext> = projectNext(check, text, former ?? emptyProjection);
      const { nodes, edges, direction } = project(text);
      expect(made.next).toMatchObject({ nodes, edges, direction });
      check = made.check;
      former = made.next;
    }
  });

  test('a typed letter in one node changes no other card and no edge', () => {
    const check = checkDocument('flow', wide(up));
    const first = projectNext(check, wide(up), emptyProjection);
    const { next } = projectNext(first.check, wide(up, ', disabled: true'), first.next);
    expect(next.nodes.map((node, index) => node === first.next.nodes[index])).toEqual([true, false, true]);
    expect([next.edges === first.next.edges, next.shape === first.next.shape]).toEqual([true, true]);
  });
});
