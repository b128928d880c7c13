/** Tests what happens to the results of policies: in the state, in flows that need them, and in the reply. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

interface Shape {
  /** The nodes of the flow, and its declared outputs. */
  readonly nodes: string;
  readonly outputs?: string;
  readonly result: unknown;
  readonly reply: string;
}

const one = '  - { id: out, type: constant, input: { value: { text: Paid., amount: 12 } } }';
const paid = '{{out.value.text}}';
const amount = '{{out.value.amount}}';

const shapes: Readonly<Record<string, Shape>> = {
  'one text': { nodes: one, outputs: `{ text: "${paid}" }`, result: { text: 'Paid.' }, reply: 'Paid.' },
  'a text and a number': {
    nodes: one,
    outputs: `{ text: "${paid}", amount: "${amount}" }`,
    result: { text: 'Paid.', amount: 12 },
    reply: 'Paid.\namount: 12',
  },
  'a number and a text': {
    nodes: one,
    outputs: `{ amount: "${amount}", text: "${paid}" }`,
    result: { amount: 12, text: 'Paid.' },
    reply: 'Paid.\namount: 12',
  },
  'a value and others': {
    nodes: one,
    outputs: `{ value: "${amount}", currency: EUR }`,
    result: { value: 12, currency: 'EUR' },
    reply: 'Pay: {"value":12,"currency":"EUR"}',
  },
  'names that runs of skills and agents have': {
    nodes: one,
    outputs: `{ said: a, again: { b: 1 }, outputs: [1], after_all: c }`,
    result: { said: 'a', again: { b: 1 }, outputs: [1], after_all: 'c' },
    reply: 'Pay: {"said":"a","again":{"b":1},"outputs":[1],"after_all":"c"}',
  },
  'a single map': {
    nodes: one,
    outputs: '{ payment: "{{out.value}}" }',
    result: { payment: { text: 'Paid.', amount: 12 } },
    reply: 'Pay: {"payment":{"text":"Paid.","amount":12}}',
  },
  'a text and a map': {
    nodes: one,
    outputs: `{ reply: "${paid}", payment: "{{out.value}}" }`,
    result: { reply: 'Paid.', payment: { text: 'Paid.', amount: 12 } },
    reply: 'Paid.\npayment: {"text":"Paid.","amount":12}',
  },
  'a list': {
    nodes: one,
    outputs: '{ lines: [1, "b", { c: 2 }] }',
    result: { lines: [1, 'b', { c: 2 }] },
    reply: 'Pay: {"lines":[1,"b",{"c":2}]}',
  },
  'a number': { nodes: one, outputs: `{ amount: "${amount}" }`, result: { amount: 12 }, reply: 'Pay: {"amount":12}' },
  'zero and false': {
    nodes: one,
    outputs: '{ text: Paid., amount: 0, late: false }',
    result: { text: 'Paid.', amount: 0, late: false },
    reply: 'Paid.\namount: 0\nlate: false',
  },
  nothing: { nodes: one, outputs: '{}', result: {}, reply: 'Pay: done.' },
  'null and an empty text': {
    nodes: one,
    outputs: '{ text: "", note: null }',
    result: { text: '', note: null },
    reply: 'Pay: {"text":"","note":null}',
  },
  'what looks like a node that was skipped': {
    nodes: one,
    outputs: '{ a: { skipped: true, reason: x }, b: { c: 1 } }',
    result: { a: { skipped: true, reason: 'x' }, b: { c: 1 } },
    reply: 'Pay: {"a":{"skipped":true,"reason":"x"},"b":{"c":1}}',
  },
  'an outcome': {
    nodes: one,
    outputs: `{ outcome: success, data: { text: "${paid}", amount: "${amount}" } }`,
    result: { text: 'Paid.', amount: 12 },
    reply: 'Paid.\namount: 12',
  },
  'the word success and other outputs': {
    nodes: one,
    outputs: `{ outcome: success, amount: "${amount}" }`,
    result: { outcome: 'success', amount: 12 },
    reply: 'Pay: {"outcome":"success","amount":12}',
  },
  'no declared outputs, and one node that gives a value': {
    nodes: one,
    result: { text: 'Paid.', amount: 12 },
    reply: 'Paid.\namount: 12',
  },
  'no declared outputs, and one node that gives a text': {
    nodes: '  - { id: out, type: echo, input: { text: Paid. } }',
    result: 'Paid.',
    reply: 'Paid.',
  },
  'no declared outputs, and a script': {
    nodes: "  - { id: out, type: script.js, input: {}, config: { code: 'return { amount: 12 }' } }",
    result: { amount: 12 },
    reply: 'Pay: {"amount":12}',
  },
  'no declared outputs, and several nodes': {
    nodes: '  - { id: a, type: echo, input: { text: A } }\n  - { id: b, type: constant, input: { value: 2 } }',
    result: { a: { text: 'A' }, b: { value: 2 } },
    reply: 'Pay: {"a":{"text":"A"},"b":{"value":2}}',
  },
  'no declared outputs, and one of two nodes': {
    nodes:
      '  - { id: a, type: echo, input: { text: A } }\n  - { id: b, type: echo, disabled: true, input: { text: B } }',
    result: 'A',
    reply: 'A',
  },
  'no declared outputs, and a called flow': {
    nodes: '  - { id: out, type: flow, input: { flow: called.flow.yaml } }',
    result: { text: 'Paid.', amount: 12 },
    reply: 'Paid.\namount: 12',
  },
};

function flowText({ nodes, outputs }: Shape): string {
  return `flow: { name: Pay${outputs === undefined ? '' : `, outputs: ${outputs}`} }\nnodes:\n${nodes}\nedges: []\n`;
}

const catalogue = `
name: Desk
nlu: { script: nlu.yaml }
intents: { Change: {} }
flows:
  - { name: pay, intent: Change, description: Pays., policy: { flow: pay.flow.yaml } }
`;

describe('the result of a flow as a policy', () => {
  const files = {
    'desk.dialogue.yaml': catalogue,
    'nlu.yaml': '- { match: "pay", flow: pay }\n',
    'called.flow.yaml': flowText({
      nodes: one,
      outputs: `{ text: "${paid}", amount: "${amount}" }`,
      result: null,
      reply: '',
    }),
  };
  const seen = new Map<string, { readonly result: unknown; readonly reply: string }>();
  // One conversation for all tests, because opening a workspace takes longer than a turn.
  beforeAll(async () => {
    const shared = await TestDesk.open(files);
    for (const [name, shape] of Object.entries(shapes)) {
      shared.write('pay.flow.yaml', flowText(shape));
      const reply = await shared.say('pay');
      seen.set(name, { result: (await shared.events('stack:complete')).at(-1)?.result, reply });
    }
    await shared.close();
  });

  test.each(Object.keys(shapes))(
    '12.12 is its complete declared outputs, in the state and in the reply: %s',
    (name) => {
      const { result, reply } = shapes[name] as Shape;
      expect(seen.get(name)).toEqual({ result, reply });
    },
  );
});

test('12.12 a flow needed by another one passes on its complete output', async () => {
  desk = await TestDesk.open({
    'desk.dialogue.yaml': `
name: Desk
nlu: { script: nlu.yaml }
intents: { Change: {} }
flows:
  - { name: pay, intent: Change, description: Pays., policy: { flow: pay.flow.yaml } }
  - { name: look, intent: Change, description: Looks., policy: { flow: look.flow.yaml } }
`,
    'nlu.yaml': '- { match: "pay", flow: pay }\n',
    'pay.flow.yaml': `flow:
  name: Pay
  outputs: { outcome: uncertain, reason: Amount., stack_on: { flow: look } }
nodes:
  - { id: out, type: echo, input: { text: hi } }
edges: []
`,
    'look.flow.yaml': flowText({
      nodes: one,
      outputs: `{ text: "${paid}", amount: "${amount}" }`,
      result: null,
      reply: '',
    }),
  });
  await desk.say('pay');
  const [progress] = (await desk.events('flow:progress')).flatMap(({ metadata }) => metadata?.['found'] ?? []);
  expect(progress).toEqual({ look: { text: 'Paid.', amount: 12 } });
});
