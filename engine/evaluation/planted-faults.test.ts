/** Plants faults in the examples, one at a time, and measures how many their tests notice. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExampleWorkspace, failuresOf, openExamples } from '../testing/example-workspace.ts';
import { type HarmlessEdit, harmlessEdits, renamedNodes } from '../testing/harmless-edits.ts';
import { plantedFaults } from '../testing/planted-faults.ts';

/** Of 30 faults, this many may stay unnoticed. */
const unnoticedOf30 = 3;

/** The examples use no network, so this flow and its recording are added to them. */
const orders = {
  'orders.flow.yaml': `
flow: { name: Orders, inputs: { number: { type: string, default: A-17 }, total: { type: number, default: 42 } } }
nodes:
  - id: send
    type: http.request
    input:
      url: "https://shop.example/orders/{{flow.input.number}}"
      method: POST
      headers: { content-type: application/json, x-shop: north }
      body: { total: "{{flow.input.total}}" }
edges: []`,
  'tests/orders.test.yaml': `
target: ../orders.flow.yaml
cassette: orders.cassette.yaml
cases:
  - name: an order is sent to the shop
    expect:
      outputs: { send.status: 201, send.body.number: A-17 }`,
  'tests/orders.cassette.yaml': `
cassette: 1
calls:
- kind: http
  request:
    method: POST
    url: https://shop.example/orders/A-17
    headers: { content-type: application/json, x-shop: north }
    maxBytes: 10485760
    json: { total: 42 }
  response: { status: 201, headers: { content-type: application/json }, json: { number: A-17 } }`,
};

let examples: ExampleWorkspace;

beforeAll(async () => {
  examples = await openExamples();
  for (const [name, text] of Object.entries(orders)) await examples.write(name, text);
});
afterAll(() => examples.close());

const readText = (file: string): Promise<string> => readFile(path.join(examples.folder, file), 'utf8');

/** Returns the text with the edits. Each replaced text occurs once, so that exactly one place changes. */
function planted(text: string, edits: readonly (readonly [from: string, to: string])[]): string {
  return edits.reduce((changed, [from, to]) => {
    expect(text.split(from).length, from).toBe(2);
    return changed.replace(from, () => to);
  }, text);
}

/** Returns what fails in the tests of a flow after an edit. */
async function failuresAfter({ flow, edit }: HarmlessEdit): Promise<readonly string[]> {
  const file = `${flow}.flow.yaml`;
  const text = await readText(file);
  const changed = edit(text);
  expect(changed).not.toBe(text);
  const tests = [flow.includes('/') ? `${flow}.test.yaml` : `tests/${flow}.test.yaml`];
  return failuresOf(await examples.test({ files: tests, texts: { [file]: changed } }));
}

test('without a fault, the added test passes', async () => {
  expect(failuresOf(await examples.test({ files: ['tests/orders.test.yaml'] }))).toEqual([]);
});

test('at least 27 of 30 planted faults turn a test red', async () => {
  const unnoticed: string[] = [];
  for (const { what, file, edits, tests } of plantedFaults) {
    const texts = { [file]: planted(await readText(file), edits) };
    const failures = failuresOf(await examples.test({ files: tests, texts }));
    if (failures.length === 0) unnoticed.push(`${what} (${file})`);
  }
  process.stdout.write(`Faults that no test notices: ${unnoticed.join(', ') || 'none'}\n`);
  expect(plantedFaults.length).toBeGreaterThanOrEqual(30);
  expect(unnoticed.length).toBeLessThanOrEqual(unnoticedOf30);
}, 120_000);

test('no harmless edit turns a test red', async () => {
  const red: string[] = [];
  for (const one of harmlessEdits) {
    const failures = await failuresAfter(one);
    if (failures.length > 0) red.push(`${one.what} (${one.flow}): ${failures.join('\n')}`);
  }
  expect(red).toEqual([]);
  expect(harmlessEdits.length).toBeGreaterThanOrEqual(30);
}, 120_000);

test('no renamed node turns a test red', async () => {
  const red: string[] = [];
  for (const one of renamedNodes) {
    const failures = await failuresAfter(one);
    if (failures.length > 0) red.push(`${one.what} (${one.flow}): ${failures.join('\n')}`);
  }
  expect(red).toEqual([]);
}, 60_000);
