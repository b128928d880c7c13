/**
 * A flow that asks people in branches, in loops and in a called flow, for runs that are killed and resumed. The
 * handling of each answer has an external effect.
 */

import { scriptSection } from './run-agent-file.ts';

/** Nodes that are identified by their input. */
export const askNodes: readonly string[] = ['book'];

const called = `
flow: { name: Called, inputs: { who: { type: string, required: true } }, outputs: { said: "{{?book.booked}}" } }
nodes:
  - { id: may, type: human_approval, input: { title: "May {{flow.input.who}} come?", params: { who: "{{flow.input.who}}" } } }
  - { id: book, type: test.book, input: { who: "{{may.params.who}}: {{may.comment}}" } }
edges: [{ from: may, to: book }]
`;

/** Texts of the called flows by path. */
export const chaosAsked: ReadonlyMap<string, string> = new Map([['asked.flow.yaml', called]]);

/** Texts of the agents by path; they ask for each input. */
export const chaosAskers: ReadonlyMap<string, string> = new Map([
  [
    'asker.aip',
    scriptSection(
      'Data',
      'local given = CTX.ANSWERS.ok\nif given == nil then return aip.flow.ask({ key = "ok", title = "Write " .. input .. "?" }) end\nreturn given.comment',
    ) + scriptSection('Output', 'return data'),
  ],
]);

/** The wait keeps the run active while people answer. */
export const chaosAsksFlow = `
flow: { name: Asks, policy: { maxParallel: 4 } }
nodes:
  - { id: wait, type: control.wait, input: { ms: 600 } }
  - { id: first, type: human_approval, input: { title: "First?" } }
  - { id: left, type: test.book, input: { who: "{{first.comment}}" } }
  - { id: kept, type: test.book, input: { who: never } }
  - id: fill
    type: user_input
    input: { title: "To whom?", schema: { type: object, properties: { to: { type: string } }, required: [to] } }
  - { id: right, type: test.book, input: { who: "{{fill.values.to}}" } }
  - { id: each, type: control.foreach, input: { items: [a, b, c], maxParallel: 3, body: [check, book, no] } }
  - { id: check, type: human_approval, input: { title: "Send {{item}}?", params: { to: "{{item}}" } } }
  - { id: book, type: test.book, input: { who: "{{check.params.to}}: {{check.comment}}" } }
  - { id: no, type: echo, input: { text: "not {{item}}: {{check.comment}}" } }
  - { id: again, type: control.loop, input: { body: [more], until: { gte: { var: loop.index, value: 1 } } } }
  - { id: more, type: human_approval, input: { title: "Pass {{loop.index}}?" } }
  - { id: call, type: flow, input: { flow: asked.flow.yaml, input: { who: z } } }
  - { id: write, type: agent, input: { agent: asker.aip, inputs: [p, q] } }
  - { id: end, type: constant, input: { value: ["{{left.booked}}", "{{right.booked}}", "{{each.iterations}}", "{{again.last.more.comment}}", "{{call.outputs}}", "{{write.outputs}}"] } }
edges:
  - { from: first, to: left, when: { equals: { var: first.route, value: approved } } }
  - { from: first, to: kept, when: { equals: { var: first.route, value: rejected } } }
  - { from: fill, to: right }
  - { from: check, to: book, when: { equals: { var: check.route, value: approved } } }
  - { from: check, to: no, when: { equals: { var: check.route, value: rejected } } }
  - { from: left, to: end }
  - { from: right, to: end }
  - { from: each, to: end }
  - { from: again, to: end }
  - { from: call, to: end }
  - { from: write, to: end }
`;
