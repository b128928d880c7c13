/**
 * Called flows, loops and scripts in one flow, for runs that are killed and resumed. Bookings and Lua have external
 * effects.
 */

const piece = `
flow: { name: Piece, inputs: { who: { type: string, required: true } }, outputs: { said: "{{lua.text}}" } }
nodes:
  - { id: book, type: test.book, input: { who: "{{flow.input.who}}" } }
  - id: js
    type: script.js
    input: { booked: "{{book.booked}}" }
    config: { code: "return { text: [...input.booked].toReversed().join('') }" }
  - { id: lua, type: script.lua, input: { text: "{{js.text}}" }, config: { code: 'return { text = input.text:reverse() .. "!" }' } }
edges: [{ from: book, to: js }, { from: js, to: lua }]
`;

/** Texts of the called flows by path. */
export const chaosPieces: ReadonlyMap<string, string> = new Map([['piece.flow.yaml', piece]]);

/** Nodes that are identified by their input. */
export const blockNodes: readonly string[] = ['book', 'js', 'lua', 'count'];

export const chaosBlocksFlow = `
flow: { name: Blocks, policy: { maxParallel: 3 } }
nodes:
  - { id: one, type: flow, input: { flow: piece.flow.yaml, input: { who: a } } }
  - { id: each, type: control.foreach, input: { items: [b, c], maxParallel: 2, body: [work] } }
  - { id: work, type: flow, input: { flow: piece.flow.yaml, input: { who: "{{item}}" } } }
  - { id: again, type: control.loop, input: { body: [pass, count], until: { gte: { var: count.n, value: 3 } } } }
  - { id: pass, type: flow, input: { flow: piece.flow.yaml, input: { who: "p{{loop.index}}" } } }
  - id: count
    type: script.js
    input: { before: "{{?previous.count.n}}", said: "{{pass.outputs.said}}" }
    config: { code: "return { n: Number(input.before ?? 0) + 1, said: input.said }" }
  - { id: end, type: constant, input: { value: ["{{one.outputs}}", "{{each.iterations}}", "{{again.last.count}}", "{{again.reason}}"] } }
edges: [{ from: one, to: end }, { from: each, to: end }, { from: again, to: end }, { from: pass, to: count }]
`;
