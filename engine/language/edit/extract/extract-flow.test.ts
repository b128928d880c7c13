import { expect, test } from 'vitest';
import { applyEdits, invertEdits } from '../../../base/text-edit.ts';
import { extractIn } from '../../../testing/extracted-runs.ts';
import { rootOf } from '../../../testing/flow-changes.ts';
import { by, done, flowOf, loops } from '../../../testing/short-flows.ts';
import { corpus } from '../../../testing/yaml-corpus.ts';
import { hasErrors } from '../../findings/diagnostic.ts';
import { nameEdges } from '../../flow/compile-flow.ts';
import type { EdgeDoc } from '../../flow/flow-doc.ts';
import { parseFlow } from '../../flow/parse-flow.ts';
import type { JsonMap } from '../../json/json-value.ts';
import { editFlow, extractedText } from '../edit-flow.ts';

const text = `# yaml-language-server: $schema=flow.json
# Letters that came in
flow:
  name: Letters # all of them
  inputs:
    who: { type: string, default: world }
    note: { type: string }
  policy: { maxParallel: 2 }
x-owner: ada
nodes:
  - id: read
    type: file.read
    input: { path: "{{flow.input.who}}.md" }

  - id: sort   # by kind
    type: prompt
    input: { prompt: 'Sort "{{read.text}}" {{?flow.input.note}}' }
  # Mends what is broken.
  - id: mend
    type: prompt
    config: { model: "x" }  # a quick one
    input:
      # of many lines
      prompt: |
        Mend {{read.text}}, {{ sort["text"] | default:"none" }}
          for {{flow.input.who}}: {{read.files[0].path}}.
      system: >-
        Folded {{? read["text"] }}
        text, \\{{read.text}}
  - id: save
    type: file.write
    input: { path: out.md, text: "{{mend.text}} {{sort.text}}" }
edges:
  - { from: read, to: sort }
  - { from: sort, to: mend, id: go } # then
  - { from: mend, to: save }
layout:
  direction: down
  nodes:
    read: { x: 0, y: 0 }
    sort: { x: 304, y: 0 }
    mend: { x: 608, y: 10 }
    save: { x: 912, y: 0 }
  groups:
    work: { title: Work, nodes: [sort, mend] }
    all: { title: All, nodes: [read, sort, mend] }
  notes:
    a: { x: 0, y: 200, width: 240, height: 120, text: Ask Ada }
    b: { x: 9, y: 200, width: 240, height: 120, text: Stays }
`;

test('BB-34 moves nodes as they are written, and replaces them with a node that calls the new flow', () => {
  expect(extractIn(text, ['sort', 'mend'], ['a'])).toEqual({
    called: `# yaml-language-server: $schema=flow.json
flow:
  name: part
  input:
    note: null
    read_text: null
    read_files_0_path: null
  inputs:
    who:
      type: string
      default: world
  outputs:
    mend_text: "{{mend.text}}"
    sort_text: "{{sort.text}}"
  policy:
    maxParallel: 2
x-owner: ada
nodes:
  - id: sort   # by kind
    type: prompt
    input: { prompt: 'Sort "{{flow.input.read_text}}" {{?flow.input.note}}' }
  # Mends what is broken.
  - id: mend
    type: prompt
    config: { model: "x" }  # a quick one
    input:
      # of many lines
      prompt: |
        Mend {{flow.input.read_text}}, {{ sort["text"] | default:"none" }}
          for {{flow.input.who}}: {{flow.input.read_files_0_path}}.
      system: >-
        Folded {{? flow.input.read_text }}
        text, \\{{read.text}}
edges:
  - { from: sort, to: mend, id: go } # then
layout:
  direction: down
  nodes:
    sort: { x: 304, y: 0 }
    mend: { x: 608, y: 10 }
  groups:
    work: { title: Work, nodes: [sort, mend] }
  notes:
    a: { x: 0, y: 200, width: 240, height: 120, text: Ask Ada }
`,
    calling: text.slice(0, text.indexOf('\n  - id: sort')).concat(`  - id: part
    type: flow
    input:
      flow: part.flow.yaml
      input:
        note: "{{flow.input.note | default:null}}"
        who: "{{flow.input.who}}"
        read_text: "{{read.text}}"
        read_files_0_path: "{{read.files.0.path}}"
  - id: save
    type: file.write
    input: { path: out.md, text: "{{part.outputs.mend_text}} {{part.outputs.sort_text}}" }
edges:
  - { from: read, to: part }
  - { from: part, to: save }
layout:
  direction: down
  nodes:
    read: { x: 0, y: 0 }
    save: { x: 912, y: 0 }
    part: { x: 456, y: 5 }
  groups:
    all: { title: All, nodes: [read, part] }
  notes:
    b: { x: 9, y: 200, width: 240, height: 120, text: Stays }
`),
  });
});

function extracted(file: string, nodes: readonly string[]): { calling: JsonMap; called: JsonMap } {
  const texts = extractIn(file, nodes);
  if (typeof texts === 'string') throw new Error(texts);
  return { calling: rootOf(texts.calling), called: rootOf(texts.called) };
}

test('BB-34 a single node keeps the condition on its edge outside; several nodes keep theirs inside', () => {
  const toA = { equals: { var: 'sort.route', value: 'a' } };
  const toB = { equals: { var: 'sort.route', value: 'b' } };
  const file = flowOf(
    { sort: by('1'), a: by('{{sort.x}}'), b: by('2'), end: by('{{?a.value}} {{?b.value}}') },
    [
      { from: 'sort', to: 'a', when: toA },
      { from: 'sort', to: 'b', when: toB },
      { from: 'a', to: 'end', when: { exists: 'a.value' } },
      { from: 'b', to: 'end' },
    ],
    done,
  );
  const alone = extracted(file, ['a']);
  expect(alone.calling['edges']).toEqual([
    { from: 'sort', to: 'part', when: toA },
    { from: 'sort', to: 'b', when: toB },
    { from: 'part', to: 'end', when: { exists: 'part.outputs.a_value' } },
    { from: 'b', to: 'end' },
  ]);
  expect(alone.called['edges']).toEqual([]);

  const both = extracted(file, ['a', 'b']);
  expect(both.calling['edges']).toEqual([
    { from: 'sort', to: 'part' },
    { from: 'part', to: 'end', when: { exists: 'part.outputs.a_value' } },
    { from: 'part', to: 'end' },
  ]);
  expect(both.called['nodes']).toMatchObject([{ id: 'begin', type: 'control.noop' }, { id: 'a' }, { id: 'b' }]);
  expect(both.called['edges']).toEqual([
    { from: 'begin', to: 'a', when: { equals: { var: 'flow.input.sort_route', value: 'a' } } },
    { from: 'begin', to: 'b', when: { equals: { var: 'flow.input.sort_route', value: 'b' } } },
  ]);
});

test('BB-34 a failure branch starts from the call', () => {
  const failed = { equals: { var: 'fetch.failed', value: true } };
  const file = flowOf(
    { fetch: { policy: { continueOnError: true } }, note: by('{{fetch.error.message}}'), use: by('{{?fetch.value}}') },
    [
      { from: 'fetch', to: 'note', when: failed },
      { from: 'fetch', to: 'use', when: { not: failed } },
    ],
    done,
  );
  const { calling, called } = extracted(file, ['fetch']);
  const asked = { equals: { var: 'part.outputs.fetch_failed', value: true } };
  expect(calling['edges']).toEqual([
    { from: 'part', to: 'note', when: asked },
    { from: 'part', to: 'use', when: { not: asked } },
  ]);
  expect(called['flow']).toMatchObject({
    outputs: {
      fetch_error_message: '{{fetch.error.message | default:null}}',
      fetch_value: '{{fetch.value | default:null}}',
      fetch_failed: '{{fetch.failed | default:null}}',
    },
  });
});

test('BB-34 extracts a loop with its body, and nodes of a body with the loop values they read', () => {
  const whole = extracted(loops, ['each']);
  expect(whole.called['nodes']).toMatchObject([
    { id: 'each', input: { body: ['draft', 'review'], until: { exists: 'review.value' } } },
    { id: 'draft', input: { value: '{{flow.input.list_value}} {{?previous.review.value}} {{loop.index}}' } },
    { id: 'review' },
  ]);
  expect(whole.calling['nodes']).toMatchObject([
    { id: 'list' },
    { id: 'part', input: { input: { list_value: '{{list.value | default:null}}' } } },
    { id: 'end', input: { value: '{{part.outputs.each_last_review_value}}' } },
  ]);

  const inner = extracted(loops, ['draft', 'review']);
  expect(inner.calling['nodes']).toMatchObject([
    { id: 'list' },
    { id: 'each', input: { body: ['part'], until: { exists: 'part.outputs.review_value' } } },
    {
      id: 'part',
      input: {
        input: {
          list_value: '{{list.value}}',
          previous_review_value: '{{previous.part.outputs.review_value | default:null}}',
          loop_index: '{{loop.index}}',
        },
      },
    },
    { id: 'end', input: { value: '{{each.last.part.outputs.review_value}}' } },
  ]);
  expect(inner.called['nodes']).toMatchObject([
    {
      id: 'draft',
      input: { value: '{{flow.input.list_value}} {{?flow.input.previous_review_value}} {{flow.input.loop_index}}' },
    },
    { id: 'review', input: { value: '{{draft.value}}' } },
  ]);
});

test('BB-34 declares the outputs of the flow if its last nodes are extracted', () => {
  const file = flowOf({ a: by('1'), b: by('{{a.value}}'), c: by('2') }, [{ from: 'a', to: 'b' }]);
  expect(extracted(file, ['b']).calling['flow']).toEqual({
    name: 'x',
    outputs: { b: '{{part.outputs.b | default:null}}', c: '{{c | default:null}}' },
  });
});

test('BB-34 names of inputs and outputs never collide', () => {
  const file = flowOf(
    {
      a_b: by('1'),
      a: by('2'),
      s: {
        input: {
          value: ['{{a_b.c}}', '{{a.b_c}}', '{{a["b.c"]}}', '{{flow.input.a_b_c}}', '{{a["ü"]}}', '{{flow.input}}'],
        },
      },
      end: by('{{s}} {{s.value}} {{s.value[0]}} {{s["value-1"]}}'),
    },
    [
      { from: 'a_b', to: 's' },
      { from: 'a', to: 's' },
      { from: 's', to: 'end' },
    ],
    done,
  );
  const { calling, called } = extracted(file, ['s']);
  const [, , call, end] = calling['nodes'] as readonly JsonMap[];
  expect(call?.['input']).toEqual({
    flow: 'part.flow.yaml',
    input: {
      a_b_c: '{{flow.input.a_b_c}}',
      a_b_c_2: '{{a_b.c}}',
      a_b_c_3: '{{a.b_c}}',
      a_b_c_4: '{{a["b.c"]}}',
      a: '{{a.ü}}',
      flow_input: '{{flow.input}}',
    },
  });
  expect(called['nodes']).toMatchObject([
    {
      input: {
        value: [
          '{{flow.input.a_b_c_2}}',
          '{{flow.input.a_b_c_3}}',
          '{{flow.input.a_b_c_4}}',
          '{{flow.input.a_b_c}}',
          '{{flow.input.a}}',
          '{{flow.input.flow_input}}',
        ],
      },
    },
  ]);
  expect(end?.['input']).toEqual({
    value: '{{part.outputs.s}} {{part.outputs.s_value}} {{part.outputs.s_value[0]}} {{part.outputs.s_value_1}}',
  });
});

test("BB-34 a node that ends the run despite the flow's policy ends it through its call as well", () => {
  const nodes = [{ id: 'a', type: 'constant', input: {}, policy: { continueOnError: false } }];
  const flow = { name: 'x', policy: { failFast: false }, outputs: done };
  const { calling } = extracted(JSON.stringify({ flow, nodes, edges: [] }), ['a']);
  expect(calling['nodes']).toMatchObject([{ id: 'part', policy: { continueOnError: false } }]);
});

test('BB-34 rejects an edit if the flow has changed since the new file was written', () => {
  const change = { do: 'extract', nodes: ['mend'], file: 'part.flow.yaml', name: 'Part' } as const;
  expect(editFlow(text, { ...change, text: extractedText(text, change) }).ok).toBe(true);
  expect(editFlow(text, { ...change, text: 'flow: {}\n' })).toMatchObject({
    ok: false,
    error: {
      code: 'edit.refused',
      message: 'The flow changed during the extraction. Extract the nodes again.',
    },
  });
});

test.each(Object.entries(corpus))('BB-34 %s: each node can be extracted, and is restored by undo', (_, file) => {
  const root = rootOf(file);
  for (const node of (root['nodes'] ?? []) as readonly JsonMap[]) {
    const id = String(node['id']);
    const texts = extractIn(file, [id]);
    if (typeof texts === 'string') {
      expect(texts).toMatch(/Declare flow\.outputs|Add an edge|reads all of/);
      continue;
    }
    for (const made of [texts.calling, texts.called]) {
      const { doc, diagnostics } = parseFlow(made);
      expect([made, hasErrors(diagnostics)]).toEqual([made, false]);
      expect(nameEdges((doc?.edges ?? []) as readonly EdgeDoc[])).toHaveLength(doc?.edges.length ?? -1);
    }
    const edit = editFlow(file, { do: 'extract', nodes: [id], file: 'part.flow.yaml', name: 'part' });
    const edits = edit.ok ? edit.edits : [];
    expect(applyEdits(texts.calling, invertEdits(file, edits))).toBe(file);
  }
});
