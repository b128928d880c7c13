/**
 * Flow files that the tests open, and the scripted model they use.
 */
import type { Files } from './program.ts';

/** Streams its response slowly enough to be watched: about 3 s. */
const scriptedModel = `paceMs: 60
chunkChars: 4
replies:
  - match: poem
    reply: >-
      A mill stands by the water. The wheel turns all day long. The miller keeps the tally, and the race keeps up its
      song. Grain goes in and flour comes out, with nothing lost between.
  - match: broken
    error: the model fell over
`;

/** A flow with a node that streams, one that uses its output, and one that is skipped. */
const poemFlow = `flow:
  name: Poem
  description: Streams a poem and quotes it
nodes:
  - id: poem
    type: prompt
    config: { model: "scripted::model.yaml" }
    input: { prompt: "Write a poem" }
  - id: quote
    type: echo
    input: { text: "They said: {{poem.text}}" }
  - id: never
    type: echo
    when: { equals: { var: flow.input.mood, value: cheerful } }
    input: { text: "not today" }
edges:
  - { from: poem, to: quote }
  - { from: quote, to: never }
`;

/** Returns a flow that completes at once with the given text. */
export function echoFlow(text: string): string {
  return `flow: { name: Echo }\nnodes:\n  - { id: say, type: echo, input: { text: "${text}" } }\nedges: []\n`;
}

/** Waits long enough to be canceled or interrupted, after a node that completes at once. */
export const slowFlow = `flow: { name: Slow }
nodes:
  - { id: first, type: echo, input: { text: kept } }
  - { id: pause, type: control.wait, input: { ms: 60000 } }
  - { id: last, type: echo, input: { text: never } }
edges:
  - { from: first, to: pause }
  - { from: pause, to: last }
`;

/** Takes long enough to be interrupted, but little enough to wait for twice. */
export const pausingFlow = `flow: { name: Pausing }
nodes:
  - { id: first, type: echo, input: { text: kept } }
  - { id: pause, type: control.wait, input: { ms: 4000 } }
  - { id: last, type: echo, input: { text: "after {{first.text}}" } }
edges:
  - { from: first, to: pause }
  - { from: pause, to: last }
`;

/** Asks for inputs before it runs. */
export const greetingFlow = `flow:
  name: Greeting
  input: { who: world }
nodes:
  - { id: greet, type: echo, input: { text: "Hello {{flow.input.who}}" } }
edges: []
`;

/** Returns a chain of nodes that each complete at once. */
export function chainFlow(length: number): string {
  const ids = Array.from({ length }, (_, index) => `n${index}`);
  const nodes = ids.map((id) => `  - { id: ${id}, type: echo, input: { text: "${id}" } }\n`);
  const edges = ids.slice(1).map((id, index) => `  - { from: ${ids[index]}, to: ${id} }\n`);
  return `flow: { name: Chain }\nnodes:\n${nodes.join('')}edges:\n${edges.join('')}`;
}

export const poemWorkspace: Files = { 'poem.flow.yaml': poemFlow, 'model.yaml': scriptedModel };

/** A switch with three branches, and an edge with an additional condition. */
export const switchFlow = `flow: { name: Switch }
nodes:
  - { id: size, type: echo, input: { text: big } }
  - id: route
    type: control.switch
    input:
      value: "{{size.text}}"
      cases:
        - { when: { equals: { var: value, value: big } }, route: major }
  - { id: publish, type: echo, input: { text: out } }
  - { id: ignore, type: echo, input: { text: nothing } }
edges:
  - { from: size, to: route, when: { exists: size.text } }
  - { from: route, to: publish, when: { equals: { var: route.route, value: major } } }
  - { from: route, to: ignore, when: { equals: { var: route.route, value: default } } }
`;

/** Processes four items one after the other; the third fails. */
export const loopFlow = `flow: { name: Loop }
nodes:
  - id: each
    type: control.foreach
    input: { items: [0, 1, 2, 3], as: row, body: [pause, say, check], tolerate: true }
  - { id: pause, type: control.wait, input: { ms: 800 } }
  - { id: say, type: echo, input: { text: "row {{row}}" } }
  - { id: check, type: control.fail, input: { message: "bad row {{row}}" }, when: { equals: { var: row, value: 2 } } }
edges:
  - { from: pause, to: say }
  - { from: say, to: check }
`;
