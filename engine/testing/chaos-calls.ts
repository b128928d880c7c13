/**
 * A flow that calls flows, alone and in a loop, for runs that are killed and resumed. Each external effect names its
 * caller.
 */

const inner = `
flow: { name: Inner, inputs: { who: { type: string, required: true } }, outputs: { booked: "{{said.text}}" } }
nodes:
  - { id: book, type: test.book, input: { who: "{{flow.input.who}}" } }
  - { id: said, type: echo, input: { text: "{{book.booked}}, said" } }
edges: [{ from: book, to: said }]
`;

const outer = `
flow: { name: Outer, inputs: { tag: { type: string } }, policy: { maxParallel: 2 } }
nodes:
  - { id: rest, type: control.wait, input: { ms: 5 } }
  - { id: first, type: flow, input: { flow: inner.flow.yaml, input: { who: "{{flow.input.tag}}1" } } }
  - { id: each, type: control.foreach, input: { items: ["2", "3"], maxParallel: 2, body: [more] } }
  - { id: more, type: flow, input: { flow: inner.flow.yaml, input: { who: "{{flow.input.tag}}{{item}}" } } }
  - { id: end, type: constant, input: { value: ["{{first.outputs.booked}}", "{{each.iterations}}"] } }
edges: [{ from: rest, to: first }, { from: first, to: end }, { from: each, to: end }]
`;

/** Texts of the called flows by path. */
export const chaosCalled: ReadonlyMap<string, string> = new Map([
  ['inner.flow.yaml', inner],
  ['outer.flow.yaml', outer],
]);

export const chaosCallsFlow = `
flow: { name: Calls, policy: { maxParallel: 2 } }
nodes:
  - { id: one, type: flow, input: { flow: outer.flow.yaml, input: { tag: a } } }
  - { id: two, type: control.foreach, input: { items: [b, c], maxParallel: 2, body: [work] } }
  - { id: work, type: flow, input: { flow: outer.flow.yaml, input: { tag: "{{item}}" } } }
  - { id: end, type: constant, input: { value: ["{{one.outputs}}", "{{two.iterations}}"] } }
edges: [{ from: one, to: end }, { from: two, to: end }]
`;
