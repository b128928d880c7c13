/** Tests that a test that is created from a run contains no secrets and no personal data. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SavedTests } from '../testing/saved-tests.ts';
import { expectNoForm } from '../testing/secret-world.ts';

const secret = 'tok-4711-very-secret';
const found = `sk-${'abcdefgh12345678'.repeat(2)}`;
const password = 'hunter2-hunter2-1';
const mail = 'kim.example@mail.example.org';
const phone = '+49 30 1234567';

let tests: SavedTests;
beforeEach(async () => {
  tests = await SavedTests.open({ MILLRACE_SECRET_DESK: secret });
});
afterEach(() => tests.close());

/** Returns the contents of everything that was saved. */
function savedFiles(): readonly Buffer[] {
  const workspace = tests.world.folder.at('workspace');
  return readdirSync(workspace, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:test|cassette)\.yaml$/.test(entry.name))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)));
}

const flow = (url: string, prompt: string): string => `
flow: { name: A }
nodes:
  - id: get
    type: http.request
    input: { method: POST, url: "${url}", headers: { authorization: "Bearer {{secret.DESK}}" }, body: "{{flow.input}}" }
  - { id: ask, type: prompt, config: { model: "p::tiny" }, input: { prompt: "${prompt}" } }
edges: [{ from: get, to: ask }]
`;

test('13.13 secrets are masked in every place, and personal data is replaced by the same invented values everywhere', async () => {
  tests.world.answer = ({ body }) => ({ body: JSON.stringify({ echo: body, token: secret, from: mail, key: found }) });
  tests.models.plan({ pieces: [`Write to ${mail}, call ${phone}, with ${found}`] });
  const text = flow(`${tests.world.base}/login?token=${password}`, 'Sum up {{get.body}} for {{flow.input.mail}}');
  const runId = await tests.run(text, { mail, phone, note: `about ${mail}`, password, hint: `use ${found}` });
  expect(await tests.engine.getRun(runId)).toMatchObject({ status: 'completed' });
  const saved = await tests.save(runId);
  expect(saved).toMatchObject({ calls: 2, missing: [], notes: [] });
  expect(saved.masked).toBeGreaterThanOrEqual(4);
  const files = savedFiles();
  expect(files).toHaveLength(2);
  for (const bytes of files) expectNoForm(bytes, [secret, found, mail, phone, password, 'a-model-key-for-tests-1']);
  const test = tests.read('a.test.yaml');
  expect(test).toContain('mail: person1@example.com');
  expect(test).toContain('note: about person1@example.com');
  expect(tests.read('a.cassettes/run-1.cassette.yaml')).toContain('person1@example.com');
});

test('13.13 personal data in the flow itself stays, and the result says so', async () => {
  const text = flow(`${tests.world.base}/desk`, `Answer as ${mail} to {{flow.input.mail}}`);
  const other = 'lee@mail.example.org';
  const runId = await tests.run(text, { mail: other });
  const saved = await tests.save(runId);
  expect(saved.notes).toEqual(['Email addresses are not replaced, because the flow itself contains them.']);
  const cassette = tests.read('a.cassettes/run-1.cassette.yaml');
  expect(cassette).toContain(mail);
  for (const bytes of savedFiles()) expectNoForm(bytes, [secret, other]);
});

test('13.13 personal data stays if the run depends on it', async () => {
  const text = `
flow: { name: A }
nodes:
  - { id: know, type: condition.equals, input: { left: "{{flow.input.mail}}", right: "{{read.text}}" } }
  - { id: read, type: file.read, input: { path: mail.txt } }
edges: [{ from: read, to: know }]
`;
  tests.write('mail.txt', mail);
  const runId = await tests.run(text, { mail });
  const saved = await tests.save(runId);
  expect(saved.notes).toEqual(['Email addresses are not replaced, because the test fails without them.']);
  expect(tests.read('a.test.yaml')).toContain(mail);
});
