/** Runs the tests of all examples: without a network, keys and trust. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExampleWorkspace, failuresOf, openExamples } from '../testing/example-workspace.ts';
import { walkFiles } from '../world/files/walk-files.ts';

let examples: ExampleWorkspace;
let files: readonly string[];

beforeAll(async () => {
  examples = await openExamples();
  files = await walkFiles(examples.folder, { maxDepth: Number.POSITIVE_INFINITY });
});
afterAll(() => examples.close());

/** Flows that only return a constant. The conversation of the support desk runs them. */
const tooSmall = ['collect-orders', 'reconcile', 'report', 'settle-open'].map(
  (name) => `support-desk/${name}.flow.yaml`,
);

test('every flow, agent and catalog of the examples has a test', async () => {
  const listed = await examples.engine.listTests();
  expect(listed.flatMap(({ path: file, problems }) => problems.map((one) => `${file}:${one}`))).toEqual([]);
  const tested = new Set(listed.map(({ target }) => target));
  const targets = files.filter((file) => /\.(?:flow\.yaml|aip|dialogue\.yaml)$|^products\/\w+\/flows\//.test(file));
  expect(targets.filter((file) => !tested.has(file)).sort()).toEqual(tooSmall);
});

test('all tests of the examples pass without calling anything', async () => {
  const results = await examples.test();
  expect(failuresOf(results)).toEqual([]);
  expect(results.length).toBeGreaterThan(120);
  expect(results.filter(({ use }) => use.recorded > 0)).toEqual([]);
}, 60_000);

// git and a secret would be needed to record the stamp again.
test('recorded again, the scripted models respond as in the recordings', async () => {
  const recordings = files.filter((file) => file.endsWith('.cassette.yaml') && !file.endsWith('/stamp.cassette.yaml'));
  const texts = () => Promise.all(recordings.map((file) => readFile(path.join(examples.folder, file), 'utf8')));
  const committed = await texts();
  const testFiles = recordings.map((file) => file.replace('.cassette.yaml', '.test.yaml'));
  const results = await examples.test({ files: testFiles, record: 'all' });
  expect(failuresOf(results)).toEqual([]);
  const recorded = await texts();
  for (const [index, file] of recordings.entries())
    expect(callsIn(recorded[index] ?? ''), file).toEqual(callsIn(committed[index] ?? ''));
}, 120_000);

/** Returns the calls in a stable order: parallel nodes finish in any. */
function callsIn(text: string): readonly string[] {
  return text.split(/^(?=- kind: )/m).sort();
}
