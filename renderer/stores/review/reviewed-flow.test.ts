import { describe, expect, test } from 'vitest';
import { diffFlows } from '../../../engine/isomorphic.ts';
import { checkDocument } from '../text/check.ts';
import type { Review } from './review.ts';
import { nameOfEdge, reviewedFlow } from './reviewed-flow.ts';

const before = `flow: { name: Mail }
nodes:
  - { id: each, type: control.foreach, input: { items: "{{flow.input.mails}}", body: [draft, log] } }
  - { id: draft, type: echo, input: { text: a } }
  - { id: log, type: echo, input: { text: b } }
edges:
  - { from: draft, to: log }
layout: { nodes: { log: { x: 5, y: 6 } } }
`;
const after = before
  .replace('  - { id: log, type: echo, input: { text: b } }\n', '  - { id: send, type: echo, input: { text: c } }\n')
  .replace('[draft, log]', '[draft, send]')
  .replace('to: log', 'to: send')
  .replace('layout: { nodes: { log: { x: 5, y: 6 } } }\n', '');

function review(taken: 'all' | 'none'): Review {
  const { differences } = diffFlows({ before, after });
  const keys = new Set(taken === 'all' ? differences.map(({ key }) => key) : []);
  const checks = { before: checkDocument('flow', before), after: checkDocument('flow', after) };
  const about = {
    path: 'a',
    source: 'disk',
    title: '',
    by: '',
    at: 0,
    selected: null,
    isBehind: false,
    proposalId: null,
  } as const;
  const text = taken === 'all' ? after : before;
  return {
    ...about,
    texts: { before, after },
    differences,
    checks,
    initial: keys,
    taken: keys,
    decided: new Set(),
    merge: null,
    text,
  };
}

function shown(of: Review) {
  const { doc } = checkDocument('flow', of.text);
  if (doc === null) throw new Error('The text is not a flow');
  const { doc: union, ghosts } = reviewedFlow(doc, of);
  const body = union.nodes.find(({ id }) => id === 'each')?.input['body'];
  return { doc, union, ghosts: [...ghosts], body, edges: union.edges.map(({ id = '' }) => nameOfEdge(id)) };
}

describe('a flow under review', () => {
  test('is drawn with the nodes that it no longer has, at their positions', () => {
    const { ghosts, body, edges, union } = shown(review('all'));
    expect([ghosts, body]).toEqual([['log'], ['draft', 'send', 'log']]);
    expect(edges).toContain('draft->log');
    expect(union.layout?.nodes?.['log']).toEqual({ x: 5, y: 6 });
  });

  test('is drawn with the nodes that the person may add', () => {
    const { ghosts, body, edges } = shown(review('none'));
    expect([ghosts, body]).toEqual([['send'], ['draft', 'log', 'send']]);
    expect(edges).toContain('draft->send');
  });

  test('is drawn as it is once everything is decided', () => {
    const open = review('all');
    const { doc, union } = shown({ ...open, decided: open.taken });
    expect(union).toBe(doc);
  });
});
