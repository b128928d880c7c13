/**
 * Flow files of odd kinds, for tests: how people write YAML, and how programs do.
 */
import { anchors, comments, marks, scalars } from './yaml-corpus-signs.ts';

const usual = `# A flow for tests
flow:
  name: Test   # the name
  input: { topic: rain, many: [1, 2] }

nodes:
  # Gets the page
  - id: fetch
    type: http.request
    input: { url: "https://x.example/{{flow.input.topic}}" }

  # Reads it.
  # In two lines.
  - id: parse
    name: 'Parse'
    type: json.query
    input:
      value: "{{fetch.body}}"   # from above
      # more: to come
    config: { path: "$.a" }

  # --- what people see ---

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

edges:
  - { from: fetch, to: parse }   # first
  - { from: parse, to: ask }

layout:
  nodes:
    fetch: { x: 0, y: 0 }
    parse: { x: 304, y: 0 }
`;

const fourBlanks = `flow:
    name: "Wide"
    policy:
        maxParallel: 2
nodes:
    -   id: a
        type: echo
        input:
            text: x
            list:
                -   one
                -   "two {{a.b}}"   # quoted
    -   id: b
        type: echo
        when:
            and:
                -   exists: a.text
                -   not:
                        equals:
                            var: a.text
                            value: 3
        input: {}
    # the last
    -   id: c
        type: noop
        input:
            text: 'It''s {{b.text}}'
edges:
    -   from: a
        to: b
        # a condition
        when: { exists: a.text }
    -   id: named
        from: b
        to: c
# the end`;

const brackets = `{
  "flow": { "name": "JSON" },
  "nodes": [
    { "id": "a", "type": "echo", "input": { "text": "x" } },
    { "id": "b", "type": "echo", "input": { "text": "{{a.text}} \\"quoted\\" {{a.b | default:\\"n\\"}}" } },
    {
      "id": "c",
      "type": "control.foreach",
      "input": { "items": [1, 2], "body": ["d"] }
    },
    { "id": "d", "type": "echo", "input": {} }
  ],
  "edges": [
    { "from": "a", "to": "b" },
    { "from": "b", "to": "c" } # last
  ],
  "layout": {
    "nodes": {
      "a": { "x": 0, "y": 0 },
      "b": { "x": 10, "y": 0 }
    },
    "groups": { "g": { "title": "Group", "nodes": ["a", "b"] } },
    "notes": { "n": { "x": 1, "y": 2, "width": 100, "height": 50, "text": "note" } }
  }
}
`;

const unicode = `flow:
  name: "Grüße 🌍"
nodes:
  - id: eins
    type: echo
    input: { text: "😀 {{zwei.text}} — ü {{zwei.größe}}" }
  - id: zwei
    type: echo
    input:
      "schlüssel mit leer": 日本語 {{eins.text}} 🎉
      tail: "e\\u0301 \\U0001F600 {{eins.text}}"
edges: [{ from: zwei, to: eins }]
layout:
  nodes:
    eins: { x: -5, y: 7 }
  notes:
    n_1: { x: 0, y: 0, width: 200, height: 100, text: "Ein Zettel 📝", color: amber }
  groups:
    g_1:
      title: Beide
      nodes: [eins, zwei]
`;

const empty = `flow:
  name: Empty
nodes: []   # none yet
edges: []
`;

const loops = `flow: { name: Loops, input: { list: [1, 2] } }
nodes:
  - id: each
    type: control.foreach
    input: { items: "{{flow.input.list}}", as: thing, body: [inner, other] }
  - id: inner
    type: echo
    input: { text: "{{thing}} {{loop.index}}" }
  - id: other
    type: echo
    input: { text: "{{inner.text}}" }
  - id: after
    type: echo
    x-note: for others
    input:
      first: "{{each.iterations.0.outputs.inner.text}}"
      all: "{{each.iterations}}"
    policy:
      retry:
        maxAttempts: 2
edges:
  - { from: inner, to: other, when: { equals: { var: inner.text, value: "inner.text" } } }
  - { from: each, to: after }
  - { from: each, to: after, x-mine: 1 }
`;

/** By what is odd in them. */
export const corpus = {
  usual,
  fourBlanks,
  scalars,
  anchors,
  comments,
  brackets,
  unicode,
  empty,
  loops,
  marks,
  windows: usual.replaceAll('\n', '\r\n'),
  mixed: usual.replace(/\n/g, (_, offset: number) => (offset % 3 === 0 ? '\r\n' : '\n')),
  mark: `\uFEFF${comments}`,
  open: usual.trimEnd(),
  openWindows: scalars.trimEnd().replaceAll('\n', '\r\n'),
  noLayout: usual.slice(0, usual.indexOf('\nlayout:')),
} as const satisfies Readonly<Record<string, string>>;

/** A usual flow of many nodes; five lines each. */
export function longFlow(count: number): string {
  const nodes = Array.from({ length: count }, (_, index) => {
    const before = index === 0 ? 'flow.input.x' : `node_${index - 1}.text`;
    return `  - id: node_${index}\n    type: echo   # number ${index}\n    input:\n      text: "{{${before}}}"\n`;
  });
  const edges = Array.from({ length: count - 1 }, (_, index) => `  - { from: node_${index}, to: node_${index + 1} }`);
  const places = Array.from({ length: count }, (_, index) => `    node_${index}: { x: ${index * 300}, y: 0 }`);
  return `flow:\n  name: Long\n\nnodes:\n${nodes.join('\n')}\nedges:\n${edges.join('\n')}\n\nlayout:\n  nodes:\n${places.join('\n')}\n`;
}
