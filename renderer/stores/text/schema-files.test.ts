import { afterEach, expect, test } from 'vitest';
import type { SchemaFile } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';

const path = 'flows/a.flow.yaml';
const text = `flow: { name: A }
nodes:
  - { id: read, type: json.parse, input: { text: "{}" }, config: { schemaFile: one.json } }
edges: []
`;

let window: TestWindow;
let held: Record<string, SchemaFile>;
let asked: { path: string; names: readonly string[] }[];
afterEach(() => window.close());

async function open(): Promise<void> {
  asked = [];
  window = openTestWindow({
    readFlow: () => ({ text }),
    readSchemas: (request) => {
      asked.push(request);
      return request.names.map((name) => [name, held[name] ?? { problem: `There is no ${name}.` }]);
    },
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
}

const file = () => window.stores.openFiles.getState().files.get(path);
const problems = (): string[] =>
  file()?.diagnostics.map(({ code, message, range }) => `${range.line}:${range.column} ${code} ${message}`) ?? [];

test('BB-05 requests the content of a schema file from the engine, and shows its problem at its name', async () => {
  held = {};
  await open();
  const column = text.split('\n')[2]?.indexOf('one.json') ?? 0;
  await window.until(() => expect(problems()).toEqual([`3:${column + 1} node.bad-schema-file There is no one.json.`]));
  expect(asked).toEqual([{ path, names: ['one.json'] }]);

  held = { 'two.json': { schema: { type: 'object' } } };
  const start = text.indexOf('one.json');
  window.stores.edits.type(path, [{ start, end: start + 3, text: 'two' }]);
  await window.until(() =>
    expect([...(file()?.schemas ?? [])]).toEqual([['two.json', { schema: { type: 'object' } }]]),
  );
  await window.until(() => expect(problems()).toEqual([]));
});

test('BB-05 reads a changed file again', async () => {
  held = { 'one.json': { schema: true } };
  await open();
  await window.until(() => expect(file()?.schemas.size).toBe(1));
  expect(problems()).toEqual([]);
  held = { 'one.json': { problem: 'one.json is not a JSON Schema.' } };
  window.engine.push('watchFiles', { paths: ['flows/one.json'], isTree: false });
  await window.until(() => expect(problems()).toEqual([expect.stringContaining('one.json is not a JSON Schema.')]));
  held = { 'one.json': { schema: {} } };
  window.engine.push('watchFiles', { paths: ['flows/one.json'], isTree: false });
  await window.until(() => expect(problems()).toEqual([]));
});
