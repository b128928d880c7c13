/**
 * The very edits that every kind of change makes in every manner of writing, kept in `corpus-edits/`: whoever changes how flows
 * are written sees here what else that changes. After such a change: npx vitest run engine/language/edit/corpus-edits.test.ts --update
 */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TextEdit } from '../../base/text-edit.ts';
import { stepCorpus } from '../../testing/step-corpus.ts';
import { corpus } from '../../testing/yaml-corpus.ts';
import type { FlowDoc } from '../flow/flow-doc.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import type { JsonValue } from '../json/json-value.ts';
import { editFlow } from './edit-flow.ts';
import type { ChangePath, FlowChange } from './flow-change.ts';

/** A value of every shape. */
const values: readonly (JsonValue | undefined)[] = [
  'it is: "x"',
  'two\nlines\n',
  12,
  { a: [1, { b: null }] },
  [],
  undefined,
];

function changesOf({ flow, nodes, edges, layout }: FlowDoc): readonly FlowChange[] {
  const ids = nodes.map(({ id }) => id);
  const [first, second = first, third = second] = ids;
  return [
    ...values.map((value): FlowChange => ({ do: 'set-flow', path: ['description'], value })),
    { do: 'set-flow', path: ['name'], value: '12' },
    { do: 'set-flow', path: ['input', 'added'], value: [1] },
    { do: 'set-flow', path: ['input'], value: undefined },
    ...Object.keys({ ...flow.input, ...flow.inputs }).map(
      (name): FlowChange => ({ do: 'rename-input', name, to: 'new name' }),
    ),
    { do: 'set-layout', path: ['notes', 'n_1'], value: { x: 1, y: 2, width: 3, height: 4, text: 'Hi' } },
    { do: 'set-layout', path: ['direction'], value: 'down' },
    ...ofLayout(layout),
    { do: 'format' },
    { do: 'format', lines: { first: 3, last: 6 } },
    ...(first === undefined || second === undefined || third === undefined
      ? [{ do: 'add', nodes: [{ id: 'new', type: 'echo', input: { text: 'x' } }] } as const]
      : [...ofNodes([first, second, third], ids), ...nodes.flatMap(ofNode)]),
    ...edges.flatMap(({ from, to, id = `${from}->${to}` }) => ofEdge(id, third ?? from)),
  ];
}

function ofLayout(layout: FlowDoc['layout']): readonly FlowChange[] {
  const gone = (...keys: ChangePath): FlowChange => ({ do: 'set-layout', path: keys, value: undefined });
  const groups = Object.keys(layout?.groups ?? {}).flatMap((group) => [
    gone('groups', group),
    gone('groups', group, 'title'),
  ]);
  return [...groups, ...Object.keys(layout?.notes ?? {}).map((note) => gone('notes', note)), gone('nodes')];
}

function ofNodes(
  [first, second, third]: readonly [string, string, string],
  ids: readonly string[],
): readonly FlowChange[] {
  const added = { id: 'new', type: 'echo', input: { text: 'two\nlines' }, config: { model: 'm' } };
  return [
    { do: 'add', nodes: [{ id: 'new', type: 'echo', input: {} }] },
    {
      do: 'add',
      nodes: [added, { id: 'other', type: 'echo', input: { a: 1 } }],
      edges: [{ from: first, to: 'new', when: { exists: `${first}.x` } }],
      positions: { new: { x: 5, y: 6 } },
      after: first,
    },
    {
      do: 'connect',
      edges: [
        { from: third, to: first },
        { from: 'a', to: 'b', id: 'e' },
      ],
    },
    { do: 'move', positions: { [first]: { x: 40, y: -8 }, [third]: null } },
    { do: 'reorder', nodes: [third], side: 'before', of: first },
    { do: 'reorder', nodes: [first, second], side: 'behind', of: third },
    { do: 'remove', nodes: [first], edges: [] },
    { do: 'remove', nodes: [second], edges: [], heal: true },
    { do: 'remove', nodes: ids, edges: [] },
    {
      do: 'all',
      label: 'Both',
      changes: [
        { do: 'rename', id: second, to: 'newly_named' },
        { do: 'set-node', id: 'newly_named', path: ['input', 'extra'], value: { deep: ['x'] } },
      ],
    },
  ];
}

function ofNode({ id, input, config = {} }: FlowDoc['nodes'][number]): readonly FlowChange[] {
  const set = (keys: ChangePath, value: JsonValue | undefined): FlowChange => ({
    do: 'set-node',
    id,
    path: keys,
    value,
  });
  return [
    ...Object.keys(input).flatMap((key) => values.map((value) => set(['input', key], value))),
    ...Object.keys(config).flatMap((key) => [set(['config', key], 0.5), set(['config', key], undefined)]),
    set(['input', 'added'], 'x'),
    set(['policy', 'retry', 'maxAttempts'], 2),
    set(['name'], "It's"),
    set(['type'], 'control.noop'),
    { do: 'rename', id, to: 'renamed' },
    { do: 'format', node: id },
    { do: 'remove', nodes: [id], edges: [] },
  ];
}

function ofEdge(edge: string, end: string): readonly FlowChange[] {
  return [
    { do: 'set-edge', edge, change: { when: { equals: { var: 'a.b', value: 'x' } } } },
    { do: 'set-edge', edge, change: { when: null } },
    { do: 'set-edge', edge, change: { to: end } },
    { do: 'splice', edge, node: end },
    { do: 'remove', nodes: [], edges: [edge] },
  ];
}

/** One line for each edit: its place, what goes and what comes. */
function shown(text: string, { start, end, text: coming }: TextEdit): string {
  const before = text.slice(0, start).split('\n');
  const place = `${before.length}:${(before.at(-1) ?? '').length + 1}`;
  return `  ${place} ${JSON.stringify(text.slice(start, end))} -> ${JSON.stringify(coming)}`;
}

function recordOf(text: string, change: FlowChange): string {
  const edit = editFlow(text, change);
  const lines = edit.ok ? edit.edits.map((one) => shown(text, one)) : [`  ${edit.error.message}`];
  const { do: what, ...how } = change;
  return [
    `${what} ${JSON.stringify(how, (_, value: unknown) => (value === undefined ? 'nothing' : value))}`,
    ...lines,
  ].join('\n');
}

/** Those that differ in what an edit has to look out for. */
const names = [
  'usual',
  'fourBlanks',
  'scalars',
  'anchors',
  'comments',
  'brackets',
  'unicode',
  'empty',
  'loops',
  'marks',
  'openWindows',
] as const satisfies readonly (keyof typeof corpus)[];

const files: readonly (readonly [name: string, text: string])[] = [
  ...names.map((name) => [name, corpus[name]] as const),
  ...(['usual', 'json', 'nameless'] as const).map((name) => [`steps-${name}`, stepCorpus[name]] as const),
];

test.each(files)('changes of the file %s are written as they were', async (name, text) => {
  const { doc } = parseFlow(text);
  if (doc === null) throw new Error('This is not a flow');
  const record = changesOf(doc).map((change) => recordOf(text, change));
  await expect(`${record.join('\n')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'corpus-edits', `${name}.txt`),
  );
});
