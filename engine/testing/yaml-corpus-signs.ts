/**
 * Flow files with the rarer signs of YAML, for tests.
 */

export const scalars = `flow: { name: Scalars }
nodes:
- id: strip
  type: echo
  input:
    a: |-
      one {{keep.x}}

      two
    b: |+
      kept {{keep.x}}


    c: >
      folded {{keep.x}}
      and more

      next paragraph
        deeper {{keep.x}}
      end
    d: >-
      stripped
      {{keep.x}}
    e: "folded
      in quotes {{keep.x}}

      and \\
      on"
    f: 'single
      with ''quotes'' {{keep.x}}'
    g: plain text
      over lines {{keep.x}}
    h: |2
        indented {{keep.x}}
      less
- id: keep
  type: echo
  input:
    tab: "a\\tb {{strip.a}} \\u00e9\\x41"
    text: |
      	tabbed {{strip.a}}
      col	umn
- {id: flow_node, type: echo, input: {text: "{{strip.a}}{{keep.tab}}", more: [a, 'b', "c"]}, when: {exists: strip.a}}
edges:
- {from: strip, to: keep}
- {from: keep, to: flow_node, id: named}
layout: {nodes: {strip: {x: 1, y: 2}, keep: {x: 3, y: 4, pinned: true}}, direction: down, mine: [1, 2]}
`;

export const anchors = `x-defaults: &model { model: "scripted::a.yaml" }
flow:
  name: Anchors
nodes:
  - &first
    id: a
    type: prompt
    config: &config
      model: m
      temperature: 0.5
    input: { prompt: &p "Hi {{flow.input.x}}" }
  - id: b
    type: prompt
    config: *config
    input: { prompt: *p }
  - id: c
    type: prompt
    config: *model
    input:
      prompt: *p
      '<<': *config
      list: [*p, *p]
      node: &n "{{a.text}}"
      again: *n
edges:
  - {from: a, to: b}
  - &edge { from: b, to: c }
`;

export const comments = `# top

# flow comes
flow: # the flow
  # its name
  name: Comments # here
  # after name
nodes: # all of them

  # about a

  # more about a
  - id: a # id
    # between
    type: echo # type
    input: # input
      # first
      text: hi # text
      # last
    # after input
  # about b
  -
    id: b
    type: echo
    input: {} # nothing
    # deep in b

  # about c
  - # c begins
    id: c
    type: echo
    input:
      text: # below
        "{{a.text}}"
# edges come
edges: # links
  # a to b
  - from: a # source
    to: b # target
    # after a to b
  # b to c
  - from: b
    to: c
# the end
`;

export const marks = `%YAML 1.2
--- # begins
flow: { name: Marks }
nodes:
  - { id: a, type: echo, input: { text: hi } }
  - id: b
    type: echo
    input:


      text: 'a'


edges:
  - { from: a, to: b }
...
`;
