/** Imports configurations of promptfoo with the files that they name, and runs the tests against a model server. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import { type ModelServer, startModelServer } from '../testing/model-server.ts';

const cli = setUpCli();
/** The response to prompts, and to judges. */
const response = '{"reason": "The parcel for Ann is polite", "score": 4}';
let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer('openai-compatible');
  model.plan({ pieces: [response] });
});
afterAll(() => model.close());

const head = "prompts: ['Write to {{name}}']\nproviders: ['ollama:chat:tiny']\n";

interface Outcome {
  readonly report: string;
  readonly tests: string;
  /** Lines of the test run. */
  readonly ran: readonly string[];
}

/** Imports from a folder beside the new files, checks the flow, records the tests and replays them. */
async function outcomeOf(files: Readonly<Record<string, string>>): Promise<Outcome> {
  for (const [name, text] of Object.entries(files)) cli.write(`ws/in/${name}`, text);
  cli.write(
    'home/config-user.toml',
    `[options]\nmodel = "ollama::tiny"\n\n[providers.ollama]\nbase_url = "${model.baseUrl}"\n`,
  );
  const options = { cwd: path.join(cli.folder, 'ws'), env: { MILLRACE_HOME: path.join(cli.folder, 'home') } };
  const imported = await cli.call(['import', 'in/promptfooconfig.yaml', '--out', 'pf'], options);
  expect([imported.code, imported.stderr]).toEqual([0, '']);
  expect((await cli.call(['validate', 'pf.flow.yaml'], options)).stdout).toContain('valid');
  await cli.call(['test', 'pf.test.yaml', '--record', 'missing'], options);
  const replayed = await cli.call(['test', 'pf.test.yaml'], options);
  const tests = readFileSync(path.join(options.cwd, 'pf.test.yaml'), 'utf8');
  return { report: imported.stdout, tests, ran: replayed.stdout.split('\n').map((line) => line.trim()) };
}

/** Titles of the cases that passed or failed. */
function titles({ ran }: Outcome, sign: '✓' | '✗'): readonly string[] {
  return ran.filter((line) => line.startsWith(sign)).map((line) => line.slice(2).split('  ')[0] ?? '');
}

test('rows of CSV with different assertions become cases with these checks', async () => {
  const outcome = await outcomeOf({
    'promptfooconfig.yaml': `${head}tests: tests.csv\n`,
    'tests.csv': `name,__expected,__expected2,__description,__metadata:tag,__prefix,__threshold
Ann,contains:{{name}},is-json,first,a,,
Bob,"Hello, Bob",,second,,Yo,0.5
"Q ""x""",fn: output.length > 3,,third,,,
Eve,grade: greets {{name}},not-icontains-any: PARCEL,fourth,,,
`,
  });
  expect(titles(outcome, '✓')).toEqual(['first', 'third']);
  expect(titles(outcome, '✗')).toEqual(['second', 'fourth']);
  expect(outcome.ran).toContain('answer.text contains "PARCEL".');
  expect(outcome.tests).toContain('greets Eve');
  for (const line of [
    'missing      third: "output.length > 3" (javascript)\n',
    'third: none of its assertions is imported, so it only shows that the flow completes.',
    'first: `metadata` is not used.',
    'second: `options.prefix` is not used.',
    'second: `threshold` is not used: all checks of a case must hold.',
  ])
    expect(outcome.report).toContain(line);
});

test('rows of CSV with the same assertions stay a dataset, with a path from the new file', async () => {
  const outcome = await outcomeOf({
    'promptfooconfig.yaml': `${head}defaultTest: { assert: [{ type: icontains, value: 'FOR {{ name }}' }] }\ntests: file://data/tests.csv\n`,
    'data/tests.csv': `name,__expected\nAnn,"${response.replaceAll('"', '""')}"\n"Q ""x""",Hello\n`,
  });
  expect(outcome.tests).toContain('from: in/data/tests.csv');
  expect(titles(outcome, '✓')).toEqual(['row 1: Ann']);
  expect(titles(outcome, '✗')).toEqual(['row 2: Q "x"']);
  expect(outcome.ran).toContain('answer.text does not contain "FOR Q \\"x\\"".');
});

test('lists and files as variables become one case for each combination', async () => {
  const outcome = await outcomeOf({
    'promptfooconfig.yaml': `${head}tests:
  - description: reply
    vars: { name: [Ann, Bob], mail: 'file://mails/*.txt' }
    assert: [{ type: contains, value: '{{name}}' }, { type: regex, value: '(?i)PARCEL', weight: 2 }]
  - vars: { n: [1, 2, 3, 4, 5, 6], m: [1, 2, 3, 4, 5, 6], o: [1, 2, 3, 4, 5, 6] }
    assert: [{ type: word-count, value: { min: 30, max: 100 } }]
`,
    'mails/1.txt': 'Where is it?',
    'mails/2.txt': 'Refund {{name}}!',
  });
  expect(titles(outcome, '✓')).toEqual(['reply (Ann, 1.txt)', 'reply (Ann, 2.txt)']);
  expect(titles(outcome, '✗').slice(0, 3)).toEqual(['reply (Bob, 1.txt)', 'reply (Bob, 2.txt)', 'test 2 (1, 1, 1)']);
  expect(outcome.ran).toContain('answer.text has 9 words, fewer than 30.');
  expect(outcome.tests).toContain('mail: Refund Bob!');
  expect(outcome.report).toContain('test 2: its lists have 216 combinations, and only the first 200 are imported.');
  expect(outcome.report).toContain('reply: "(?i)PARCEL" (regex): a condition\n               Not used: weight.');
});

test('tests, defaults and providers are read from files in the folder, and others are listed', async () => {
  const outcome = await outcomeOf({
    'promptfooconfig.yaml': `prompts: [file://chat.json]
providers: file://provider.yaml
defaultTest: file://shared/default.yaml
tests: [file://a.yaml, file://t/*.yaml, t.jsonl, gone.csv, ../out.yaml, 'file://gen.py:make']
`,
    'chat.json': '[{"role":"system","content":"Be {{tone}}"},{"role":"user","content":"{{question}}"}]',
    'provider.yaml': 'id: ollama:chat:tiny\nconfig: { temperature: 0.2, max_tokens: 50, stop: [x] }',
    'shared/default.yaml':
      'vars: { tone: kind }\nassert: [{ type: contains, value: score }]\noptions: { transform: output.trim() }',
    'a.yaml': '[{ vars: { question: A }, assert: [{ type: contains, value: file://none.txt }] }]',
    't/x.yaml': 'vars: { question: D }\nassert: [{ type: contains, value: file://exp.txt }]',
    'exp.txt': 'not there\n',
    't.jsonl': '{"vars":{"question":"E"},"assert":[{"type":"starts-with","value":"{"}]}\n',
    '../out.yaml': '[]',
  });
  expect([titles(outcome, '✓'), titles(outcome, '✗')]).toEqual([['test 1', 'test 3'], ['test 2']]);
  const flow = readFileSync(path.join(cli.folder, 'ws/pf.flow.yaml'), 'utf8');
  expect(flow).toContain('temperature: 0.2\n      maxTokens: 50');
  for (const line of [
    'Not used of the provider ollama:chat:tiny: stop.',
    'The tests in gone.csv are not imported: the file was not read',
    'The tests in ../out.yaml are not imported: the file was not read',
    'The tests in gen.py:make are not imported: only',
    'test 1: "file://none.txt" (contains)\n               The file none.txt was not read.',
    'partly       "score" in 3 tests (contains): a condition\n               `transform` is not applied',
  ])
    expect(outcome.report).toContain(line);
});

test('JSON is parsed behind the prompt, and text that is not JSON fails the check but not the run', async () => {
  const assertions = `
      - { type: is-json }
      - { type: is-json, value: { type: object, required: [score, nope], properties: { reason: { type: string, pattern: '^T' } } } }
      - { type: equals, value: { reason: The parcel for Ann is polite, score: 4 } }
      - { type: not-contains-json }`;
  const outcome = await outcomeOf({ 'promptfooconfig.yaml': `${head}tests:\n  - assert:${assertions}\n` });
  expect(outcome.ran).toContain('json.value does not conform to the schema: `nope` is missing.');
  expect(outcome.ran).toContain('found_json.failed has no value.');
  expect(outcome.report).toContain("Tests don't check these keywords of its schema: pattern.");
});

test('model-graded assertions become judges with their own question, and the others are listed', async () => {
  const outcome = await outcomeOf({
    'promptfooconfig.yaml': `${head}defaultTest:
  options: { provider: 'ollama:chat:large' }
tests:
  - vars: { name: Ann }
    assert:
      - { type: factuality, value: 'It is for {{name}}' }
      - { type: answer-relevance, threshold: 0.7 }
      - { type: model-graded-closedqa, value: Is short }
      - { type: g-eval, value: [clear, polite] }
      - { type: not-llm-rubric, value: 'mentions {{name}}' }
      - { type: select-best, value: best }
      - { type: similar, value: Rain, threshold: 0.8 }
      - { type: latency, threshold: 500 }
`,
  });
  const start = model.received.length;
  expect(start).toBeGreaterThan(0);
  const asked = model.received.slice(-5).map(({ body }) => [body['model'], JSON.stringify(body['messages'])] as const);
  const wanted = [
    'Expected facts:\\nIt is for Ann',
    'How relevant',
    'Criterion:\\nIs short',
    '- clear\\n- polite',
    'mentions Ann',
  ];
  for (const text of wanted)
    expect(asked.filter(([name, body]) => name === 'large' && body?.includes(text))).toHaveLength(1);
  expect(outcome.ran).toContain('judge is 4; expected: less than 3: The parcel for Ann is polite');
  expect(outcome.report).toContain(
    'test 1: "Rain" (similar)\n               Tests have no condition like "similar" with a threshold (0.8).',
  );
  expect(outcome.report).toContain('5 mapped, 0 partly, 3 missing');
});

test('an assertion in several tests and prompts is listed once, with what its set loses', async () => {
  const set =
    '{ type: assert-set, threshold: 0.5, assert: [{ type: contains, value: parcel }, { type: ruby, value: x }] }';
  const outcome = await outcomeOf({
    'promptfooconfig.yaml': `prompts: [A, B, C]\nproviders: ['ollama:chat:tiny']\ntests: [{ assert: [${set}] }, { assert: [${set}] }]\n`,
  });
  expect(outcome.report.match(/"parcel"/g)).toHaveLength(1);
  expect(outcome.report).toContain(
    'partly       "parcel" in 2 tests, in 3 prompts (contains): a condition\n               The threshold 0.5 of its assert-set is not used: all checks of the set must hold.',
  );
  expect(outcome.report).toContain('missing      "x" in 2 tests, in 3 prompts (ruby)\n');
  expect(titles(outcome, '✓')).toEqual(['test 1', 'test 2']);
});

test('without tests, the usual variables and assertions are one case', async () => {
  const outcome = await outcomeOf({
    'promptfooconfig.yaml': `${head}defaultTest: { vars: { name: Ann }, assert: [{ type: not-regex, value: '(?i)PARCEL' }] }\n`,
  });
  expect(outcome.ran).toContain('answer.text matches PARCEL.');
});
