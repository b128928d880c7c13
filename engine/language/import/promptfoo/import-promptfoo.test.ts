import { expect, test } from 'vitest';
import { parseCases } from '../../cases/parse-cases.ts';
import { hasErrors } from '../../findings/diagnostic.ts';
import { parseFlow } from '../../flow/parse-flow.ts';
import { importFlows } from '../import-flows.ts';

const config = `
description: Support replies
prompts:
  - 'Answer politely to {{ name }}: {{question | safe}}'
  - file://chat.json
  - file://gone.txt
providers:
  - openai:chat:gpt-5-mini
  - id: anthropic:messages:claude-sonnet-4-5
outputPath: x.json
defaultTest:
  vars: { name: You }
  assert: [{ type: cost, threshold: 0.01 }]
tests:
  - vars: { name: Ann, question: "Where is my parcel?" }
    assert:
      - { type: contains, value: parcel }
      - { type: icontains-any, value: [monday, friday] }
      - { type: contains, value: order, weight: 2 }
      - { type: llm-rubric, value: Is polite, threshold: 0.8 }
      - { type: javascript, value: output.length < 100 }
      - { type: regex, value: "(?<=x)y" }
      - { type: assert-set, assert: [{ type: starts-with, value: "Dear (Ann)" }] }
  - { description: refund, vars: { question: file://mail.txt }, assert: [{ type: not-contains, value: sorry }] }
  - { description: refund }
  - file://more.csv
  - file://tests.py
`;

const texts: Readonly<Record<string, string>> = {
  'chat.json': '[{"role":"system","content":"Be {{tone | upper}}"},{"role":"user","content":"{{question}}"}]',
};

const files = { read: async (path: string) => texts[path], find: async () => [], rows: () => undefined };

async function imported(text: string) {
  return await importFlows({ text, name: 'pf', files }, async () => []);
}

test('a configuration of promptfoo becomes flows with test files, and lists what is not mapped', async () => {
  const all = await imported(config);
  expect(all.map(({ file }) => file)).toEqual([
    ...['pf.flow.yaml', 'pf.test.yaml', 'pf-2.flow.yaml', 'pf-2.test.yaml', 'pf-3.flow.yaml', 'pf-3.test.yaml'],
  ]);
  for (const { file, text } of all) {
    const { diagnostics } = file.endsWith('.test.yaml') ? parseCases(text) : parseFlow(text);
    expect([file, hasErrors(diagnostics)]).toEqual([file, false]);
  }
  const [flow, tests, chat, , gone] = all;
  expect(parseFlow(flow?.text ?? '').doc?.nodes[0]).toMatchObject({
    input: { prompt: 'Answer politely to {{flow.input.name}}: {{flow.input.question}}' },
    config: { model: 'openai::gpt-5-mini' },
  });
  expect(flow?.remarks).toEqual([
    'Not imported: outputPath.',
    'The flow uses the first provider. To compare it with anthropic:messages:claude-sonnet-4-5, run the tests with these models.',
  ]);
  expect(chat?.lines[0]).toMatchObject({
    status: 'partly',
    lost: ['The expression {{ tone | upper }} is kept as text.'],
  });
  expect(gone?.remarks).toEqual(['The prompt is in gone.txt, which was not read. Paste it into the node.']);
  const { doc } = parseCases(tests?.text ?? '');
  expect(doc?.cases).toEqual([
    {
      name: 'test 1',
      input: { name: 'Ann', question: 'Where is my parcel?' },
      expect: {
        maxUsd: 0.01,
        outputs: {
          'answer.text': {
            contains: 'parcel',
            all: [{ containsAny: ['monday', 'friday'], ignoreCase: true }, { contains: 'order' }],
            matches: '^Dear \\(Ann\\)',
          },
        },
        judge: { prompt: expect.stringContaining('Is polite'), passIf: { atLeast: 4 } },
      },
    },
    {
      name: 'refund',
      input: { name: 'You', question: 'file://mail.txt' },
      expect: { maxUsd: 0.01, outputs: { 'answer.text': { notContains: 'sorry' } } },
    },
    { name: 'refund 2', input: { name: 'You' }, expect: { maxUsd: 0.01 } },
  ]);
  const notMapped = tests?.lines.filter(({ status }) => status === 'missing').map(({ name, lost }) => [name, lost]);
  expect(notMapped).toEqual([
    ['test 1: "output.length < 100", in 3 prompts', ["Tests can't run code. Use another condition or a judge."]],
    ['test 1: "(?<=x)y", in 3 prompts', ['Its value is not supported, such as a pattern with look-around.']],
  ]);
  expect(tests?.lines.find(({ status }) => status === 'partly')?.lost).toEqual(['Not used: weight.']);
  expect(tests?.remarks.join(' ')).toContain('The tests in more.csv are not imported: the file was not read');
  expect(tests?.remarks.join(' ')).toContain('The tests in tests.py are not imported');
});

test.each([
  ['prompts: []\ntests: []'],
  ['prompts: {}\nproviders: 7'],
  ['prompts: [{}, null, 3]\nproviders: [{}]\ntests: [null, 3, {assert: 7}, {assert: [null, {}]}]'],
  ['prompts: "{% if x %}{{"\ntests: [{vars: []}]'],
  [
    'prompts: "{{__proto__.x | constructor}} {{constructor}}"\ntests: [{vars: {a: "{{constructor.name | valueOf}}"}, assert: [{type: constructor, value: x}, {type: __proto__}, {type: not-toString, value: y}, {type: is-json, value: {type: constructor}}, {type: "equals", value: "{{toString}}"}]}]',
  ],
])('odd configurations give valid files: %j', async (text) => {
  for (const one of await imported(text)) {
    const { diagnostics } = one.file.endsWith('.test.yaml') ? parseCases(one.text) : parseFlow(one.text);
    expect([one.text, hasErrors(diagnostics)]).toEqual([one.text, false]);
  }
});
