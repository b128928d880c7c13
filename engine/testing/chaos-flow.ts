/**
 * A flow of 40 nodes with every feature, for runs that are killed and resumed.
 */
import type { JsonMap } from '../language/json/json-value.ts';

/** Nodes of the loop's body. They run once for each item, which their inputs identify. */
export const bodyNodes: readonly string[] = ['book', 'said'];

/** Inputs of the run; one value is too large for events. */
export const chaosInputs: JsonMap = { big: 'large '.repeat(4000), items: ['ann', 'bob', 'cyd', 'dee'] };

const head = `
flow: { name: Chaos, policy: { maxParallel: 3 } }
nodes:
  - { id: seed, type: constant, input: { value: { route: left, items: "{{flow.input.items}}" } } }
  - { id: a1, type: echo, input: { text: "{{seed.value.route}} 1" } }
  - { id: a2, type: echo, input: { text: "{{a1.text}} 2" } }
  - { id: w1, type: control.wait, input: { ms: 12 } }
  - { id: a3, type: echo, input: { text: "{{a2.text}} 3" } }
  - { id: log1, type: file.write, input: { path: log1.txt, text: "{{a3.text}}\\n" }, config: { mode: append } }
  - { id: a4, type: echo, input: { text: "{{a3.text}} {{log1.path}}" } }
  - { id: f1, type: echo, input: { text: "one {{a2.text}}" } }
  - { id: f2, type: control.wait, input: { ms: 25 } }
  - { id: f3, type: template, input: { name: "{{a2.text}}" }, config: { template: "three {{name}}" } }
  - { id: f4, type: control.noop, input: { value: 4 } }
  - { id: f5, type: test.flaky, input: {}, policy: { retry: { maxAttempts: 100, backoffMs: 4 } } }
  - { id: f6, type: condition.equals, input: { left: "{{seed.value.route}}", right: left } }
  - { id: join, type: echo, input: { text: "{{f1.text}}, {{f3.text}}, {{f4.value}}, {{f5.text}}, {{f6.value}}" } }
  - { id: log2, type: file.write, input: { path: log2.txt, text: "{{join.text}}\\n" }, config: { mode: append } }
  - { id: route, type: control.switch, input: { value: "{{seed.value.route}}", cases: [
      { when: { equals: { var: value, value: left } }, route: west },
      { when: { equals: { var: value, value: right } }, route: east } ] } }
  - { id: west, type: echo, input: { text: went west } }
  - { id: east, type: echo, input: { text: went east } }
  - { id: east2, type: echo, input: { text: "further east" } }
  - { id: meet, type: echo, input: { text: "{{?west.text}}{{?east.text}}" } }
  - { id: unwanted, type: echo, input: { text: never }, when: { equals: { var: seed.value.route, value: right } } }
  - { id: disabled, type: echo, input: { text: never }, disabled: true }
  - { id: past, type: echo, input: { text: "past [{{?unwanted.text}}{{?disabled.text}}]" } }
  - { id: bad1, type: control.fail, input: { message: as wanted }, policy: { continueOnError: true } }
  - { id: bad2, type: control.fail, input: { message: again }, policy: { continueOnError: true, retry: { maxAttempts: 3, backoffMs: 6 } } }
  - { id: slow, type: control.wait, input: { ms: 5000 }, policy: { continueOnError: true, timeoutMs: 15 } }
  - { id: blame, type: echo, input: { text: "{{bad1.error.message}}, {{bad2.error.message}}, {{slow.error.code}}" } }
  - { id: big, type: echo, input: { text: "{{flow.input.big}}" } }
  - { id: bigger, type: echo, input: { text: "{{big.text}}!" } }
  - { id: each, type: control.foreach, input: { items: "{{seed.value.items}}", as: who, maxParallel: 2, body: [book, said] } }
  - { id: book, type: test.book, input: { who: "{{who}}" } }
  - { id: said, type: echo, input: { text: "{{book.booked}} as {{loop.index}}" } }
  - { id: words, type: json.query, input: { value: "{{each.iterations}}" }, config: { path: "$[*].outputs.said.text" } }
  - { id: mapped, type: list.map, input: { items: "{{words.value}}" }, config: { template: "<{{item}}>" } }
  - { id: few, type: list.filter, input: { items: "{{mapped.items}}" }, config: { when: { contains: { var: item, value: b } } } }
  - { id: w2, type: control.wait, input: { ms: 10 } }
  - { id: saved, type: file.write, input: { path: saved.txt, text: "{{few.items}}" } }
  - { id: read, type: file.read, input: { path: "{{saved.path}}" } }
  - { id: log3, type: file.write, input: { path: log3.txt, text: "{{read.text}}\\n" }, config: { mode: append } }
  - { id: w3, type: control.wait, input: { ms: 8 } }
  - { id: log4, type: file.write, input: { path: log4.txt, text: "{{blame.text}}\\n" }, config: { mode: append } }
  - { id: end, type: echo, input: { text: "{{a4.text}} | {{meet.text}} | {{past.text}} | {{blame.text}} | {{few.items}} | {{log2.path}} {{log3.path}} {{log4.path}}" } }
edges:`;

const chains = [
  'seed a1 a2 w1 a3 log1 a4 end',
  'a2 f1 join',
  'a2 f2 join',
  'a2 f3 join',
  'a2 f4 join',
  'a2 f5 join',
  'a2 f6 join log2 end',
  'a1 route',
  'east east2 meet past end',
  'west meet',
  'seed unwanted past',
  'seed disabled past',
  'seed bad1 blame log4 end',
  'seed bad2 blame',
  'seed slow blame',
  'seed big w3 bigger',
  'seed each words mapped few w2 saved read log3 end',
  'book said',
];

function edgesOf(chain: string): readonly string[] {
  const ids = chain.split(' ');
  return ids.slice(1).map((to, index) => `  - { from: ${ids[index]}, to: ${to} }`);
}

function branch(to: string): string {
  return `  - { from: route, to: ${to}, when: { equals: { var: route.route, value: ${to} } } }`;
}

/** Text of the flow. */
export const chaosFlow = [head, ...chains.flatMap(edgesOf), branch('west'), branch('east'), ''].join('\n');
