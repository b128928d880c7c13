import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../base/text-edit.ts';
import { rootOf } from '../../testing/flow-changes.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { changedText, diffBy } from '../../testing/text-diff.ts';
import { corpus, longFlow } from '../../testing/yaml-corpus.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';
import { editFlow } from './edit-flow.ts';
import type { FlowChange } from './flow-change.ts';

function idsOf(text: string): readonly string[] {
  return (rootOf(text)['nodes'] as readonly JsonMap[]).map(({ id }) => String(id));
}

function move(id: string, side: 'before' | 'behind', of: string): FlowChange {
  return { do: 'reorder', nodes: [id], side, of };
}

describe('the order of nodes', () => {
  test('a node moves with its text and the comment directly above it; empty lines and other comments stay', () => {
    expect(
      changedText(corpus.usual, move('ask', 'before', 'parse')),
    ).toContain(`    input: { url: "https://x.example/{{flow.input.topic}}" }

  - id: ask
    type: prompt
    when: { exists: parse.value }
    input:
      prompt: |
        Read {{parse.value}}
          and {{?fetch.body}}.

        {{parse.value | default:{"a":[1]}}}
      system: >-
        You are
        {{fetch.name}} kind.

  # --- what people see ---

  # Reads it.
  # In two lines.
  - id: parse
    name: 'Parse'
    type: json.query
    input:
      value: "{{fetch.body}}"   # from above
      # more: to come
    config: { path: "$.a" }

edges:`);
  });

  test('comments of every kind move with their node', () => {
    const moved = changedText(corpus.comments, move('c', 'before', 'b'));
    expect(moved).toContain(`    # after input
  # about c
  - # c begins
    id: c
    type: echo
    input:
      text: # below
        "{{a.text}}"

  # about b
  -
    id: b
    type: echo
    input: {} # nothing
    # deep in b
# edges come`);
  });

  test('a body that contains both is reordered as well; a short list stays on one line', () => {
    expect(diffBy(corpus.loops, move('other', 'before', 'inner'))).toEqual([
      '-    input: { items: "{{flow.input.list}}", as: thing, body: [inner, other] }',
      '-  - id: inner',
      '-    type: echo',
      '-    input: { text: "{{thing}} {{loop.index}}" }',
      '+    input: { items: "{{flow.input.list}}", as: thing, body: [other, inner] }',
      '+  - id: inner',
      '+    type: echo',
      '+    input: { text: "{{thing}} {{loop.index}}" }',
    ]);
  });

  test('a node that moves past a loop in the same body also moves after it in the list', () => {
    const text = `flow: { name: Nested }
nodes:
  - { id: outer, type: control.foreach, input: { items: [1], body: [a, inner, z] } }
  - { id: a, type: echo, input: { text: x } }
  - { id: inner, type: control.foreach, input: { items: [1], body: [b] } }
  - { id: b, type: echo, input: { text: x } }
  - { id: z, type: echo, input: { text: x } }
edges: []
`;
    const moved = changedText(text, move('a', 'behind', 'b'));
    expect(idsOf(moved)).toEqual(['outer', 'inner', 'b', 'a', 'z']);
    expect(moved).toContain('body: [inner, a, z]');
    expect(changedText(moved, move('a', 'before', 'inner'))).toBe(text);
  });

  test('a loop with a changed body may move itself', () => {
    const changes: readonly FlowChange[] = [move('other', 'before', 'inner'), move('each', 'behind', 'after')];
    const moved = changedText(corpus.loops, { do: 'all', changes, label: 'Both' });
    expect(idsOf(moved)).toEqual(['other', 'inner', 'after', 'each']);
    expect(moved).toContain('    x-note: for others');
    expect(moved).toContain('body: [other, inner] }');
  });

  test('in flow style, nodes swap positions and commas stay', () => {
    const moved = changedText(corpus.brackets, move('b', 'before', 'a'));
    expect(
      moved
        .split('\n')
        .slice(3, 5)
        .map((line) => line.slice(0, 17)),
    ).toEqual(['    { "id": "b", ', '    { "id": "a", ']);
  });

  test('an alias that would precede its anchor is expanded', () => {
    const moved = changedText(corpus.anchors, move('b', 'before', 'a'));
    expect(idsOf(moved)).toEqual(['b', 'a', 'c']);
    expect(moved).toContain('  - &first\n    id: a\n');
  });

  test('an empty selection, the node itself, or its current position', () => {
    expect(editFlow(corpus.usual, move('nobody', 'before', 'ask'))).toMatchObject({ ok: false });
    expect(editFlow(corpus.usual, move('ask', 'before', 'ask'))).toMatchObject({ ok: false });
    expect(editFlow(corpus.usual, move('parse', 'before', 'ask'))).toMatchObject({ ok: true, edits: [] });
  });

  test('in 3,000 lines, only the lines of the two nodes change', () => {
    const changed = diffBy(longFlow(430), move('node_201', 'before', 'node_200'));
    expect(changed.filter((line) => line.startsWith('-'))).toHaveLength(5);
    expect(changed.filter((line) => line.startsWith('+'))).toHaveLength(5);
  });
});

/** Aliases may have to be expanded, and nodes that keep empty lines are rewritten. */
const plainFiles = Object.entries(corpus)
  .filter(([name]) => name !== 'anchors' && name !== 'empty')
  .map(([name, text]) => ({ name, text, ids: idsOf(text) }));

const anyMove = fc.constantFrom(...plainFiles).chain(({ text, ids }) =>
  fc.record({
    text: fc.constant(text),
    change: fc.record({
      do: fc.constant('reorder' as const),
      nodes: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 }),
      side: fc.constantFrom('before' as const, 'behind' as const),
      of: fc.constantFrom(...ids),
    }),
  }),
);

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/,$/, ''))
    .sort();
}

describe('moving nodes in any file', () => {
  test('results in the requested order of the same lines', { timeout: 60_000 }, () => {
    const keepsLines = fc.property(anyMove, ({ text, change }) => {
      fc.pre(!change.nodes.includes(change.of));
      const after = changedText(text, change);
      const rest = idsOf(text).filter((id) => !change.nodes.includes(id));
      const place = rest.indexOf(change.of) + (change.side === 'before' ? 0 : 1);
      expect(idsOf(after)).toEqual(rest.toSpliced(place, 0, ...idsOf(text).filter((id) => change.nodes.includes(id))));
      const withoutBodies = (source: string): readonly string[] =>
        linesOf(source.replace(/body: \[.*\]/, '').replace(/\{ "id": "\w", /g, ''));
      expect(withoutBodies(after)).toEqual(withoutBodies(text));
    });
    fc.assert(keepsLines, { numRuns: testRounds(80) });
  });

  test('moving a node back and forth results in the same bytes', { timeout: 60_000 }, () => {
    const goesBack = fc.property(anyMove, ({ text, change }) => {
      const ids = idsOf(text);
      const [id = ''] = change.nodes;
      // In a body, the previous node may be one after which it cannot be moved.
      fc.pre(id !== change.of && text !== corpus.loops);
      const index = ids.indexOf(id);
      const edit = editFlow(text, { ...change, nodes: [id] });
      const moved = edit.ok ? applyEdits(text, edit.edits) : '';
      const back = index === 0 ? move(id, 'before', ids[1] ?? '') : move(id, 'behind', ids[index - 1] ?? '');
      expect(changedText(moved, back)).toBe(text);
    });
    fc.assert(goesBack, { numRuns: testRounds(80) });
  });
});

describe("keys of a node's input", () => {
  const text = (schema: string): string =>
    `flow: { name: T }\nnodes:\n  - id: ask\n    type: prompt\n    input: { prompt: hi }\n    config:\n      output:\n        schema:\n${schema.replace(/^(?=.)/gm, '          ')}`;
  const schema = `type: object # the root
properties:
  # How it was meant.
  label:
    type: string # one of them
    enum: [yes, no]

  reason: { type: string, pattern: "^\\\\w" }
  score:
    type: number
required: [ label, reason ]
`;
  const change = (value: JsonValue): FlowChange => ({
    do: 'set-node',
    id: 'ask',
    path: ['config', 'output'],
    value: { schema: value },
  });
  const now = (properties: JsonMap, required: readonly string[] = ['label', 'reason']): JsonValue => ({
    type: 'object',
    properties,
    required,
  });
  const label = { type: 'string', enum: ['yes', 'no'] };
  const reason = { type: 'string', pattern: '^\\w' };
  const score = { type: 'number' };

  test('an entry moves with its text and its comments', () => {
    expect(changedText(text(schema), change(now({ reason, label, score })))).toBe(
      text(`type: object # the root
properties:
  reason: { type: string, pattern: "^\\\\w" }

  # How it was meant.
  label:
    type: string # one of them
    enum: [yes, no]
  score:
    type: number
required: [ label, reason ]
`),
    );
    expect(changedText(text(schema), change(now({ score, label, reason: { ...reason, minLength: 1 } })))).toBe(
      text(`type: object # the root
properties:
  score:
    type: number

  # How it was meant.
  label:
    type: string # one of them
    enum: [yes, no]
  reason: { type: string, pattern: "^\\\\w", minLength: 1 }
required: [ label, reason ]
`),
    );
  });

  test('an entry is renamed in place', () => {
    const renamed = now({ label, why: reason, score }, ['label', 'why']);
    expect(changedText(text(schema), change(renamed))).toBe(
      text(schema.replace('  reason:', '  why:').replace('label, reason', 'label, why')),
    );
  });

  test('entries in flow style can be moved and renamed, too', () => {
    const inline = '{ type: object, properties: { a: { type: string }, "b": { type: number } }, required: [a] }\n';
    const [a, b] = [{ type: 'string' }, { type: 'number' }];
    expect(changedText(text(inline), change({ type: 'object', properties: { b, a }, required: ['a'] }))).toBe(
      text(inline.replace('a: { type: string }, "b": { type: number }', '"b": { type: number }, a: { type: string }')),
    );
    expect(changedText(text(inline), change({ type: 'object', properties: { c: a, b }, required: ['c'] }))).toBe(
      text(inline.replace(' a:', ' c:').replace('[a]', '[c]')),
    );
  });

  test('rewrites the map in the new order if the text cannot be moved', () => {
    const aliased = 'properties:\n  a: &a { type: string }\n  b: *a\ntype: object\n';
    const type = { type: 'string' };
    const after = changedText(text(aliased), change({ properties: { b: type, a: type }, type: 'object' }));
    expect(after.indexOf('b:')).toBeLessThan(after.indexOf(' a:'));
    expect(after).toMatch(/type: object\n$/);
  });

  test('keeps the order of keys elsewhere', () => {
    const before = text(schema);
    const policy = { timeoutMs: 5, retry: { maxAttempts: 2 } };
    const set = changedText(before, { do: 'set-node', id: 'ask', path: ['policy'], value: policy });
    const again = { retry: { maxAttempts: 2 }, timeoutMs: 5 };
    expect(changedText(set, { do: 'set-node', id: 'ask', path: ['policy'], value: again })).toBe(set);
  });
});
