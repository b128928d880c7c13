import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { toErrorRecord } from '../../isomorphic.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';

let folder: TestFolder;
const engines: Engine[] = [];
beforeEach(() => {
  folder = createTestFolder();
  for (const path of ['workspace/flows', 'workspace/schemas', 'workspace/.millrace', 'elsewhere'])
    mkdirSync(folder.at(path), { recursive: true });
  writeFileSync(folder.at('workspace/schemas/name.json'), '{ "type": "object", "required": ["name"] }');
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  folder.remove();
});

async function open(more: Partial<EngineOptions> = {}): Promise<Engine> {
  const place = { workspace: folder.at('workspace'), homeFolder: folder.at('home'), env: {} };
  const engine = await createEngine({ ...place, ...more });
  engines.push(engine);
  return engine;
}

const flow = (schemaFile: string, type = 'json.parse'): string =>
  `
flow: { name: Reads }
nodes:
  - id: read
    type: ${type}
    input: ${type === 'prompt' ? '{ prompt: hi }' : '{ text: "{}" }'}
    config: ${type === 'prompt' ? `{ output: { schemaFile: ${JSON.stringify(schemaFile)} } }` : `{ schemaFile: ${JSON.stringify(schemaFile)} }`}
edges: []`.trimStart();

/** Returns the position and message of the problem. */
async function problemOf(engine: Engine, text: string, path = 'flows/a.flow.yaml'): Promise<unknown> {
  const error: unknown = await engine.startRun({ path, text, inputs: {} }).catch((thrown: unknown) => thrown);
  expect(await engine.listRuns({ limit: 1 })).toEqual([]);
  const { details } = toErrorRecord(error);
  return (details as { code: string; message: string; range: object }[]).map(({ code, message, range }) => ({
    code,
    message,
    range,
  }));
}

test('BB-05 resolves a file relative to the folder of the flow', async () => {
  const engine = await open();
  const text = flow('../schemas/name.json');
  const { runId } = await engine.startRun({ path: 'flows/a.flow.yaml', text, inputs: {} });
  expect(await engine.whenEnded(runId)).toMatchObject({ status: 'failed', error: { code: 'json.unfit' } });
  expect(await engine.readSchemas({ path: 'flows/a.flow.yaml', names: ['../schemas/name.json', 'no.json'] })).toEqual([
    ['../schemas/name.json', { schema: { type: 'object', required: ['name'] } }],
    ['no.json', { problem: expect.stringContaining('File "no.json" does not exist') }],
  ]);
});

test.each(['prompt', 'json.parse'])('BB-05 reports a problem with %s at the name of the file', async (type) => {
  const [problem] = (await problemOf(await open(), flow('gone.json', type))) as { range: { line: number } }[];
  expect(problem).toMatchObject({ code: 'node.bad-schema-file', range: { line: 6, endLine: 6 } });
  const config = flow('gone.json', type).split('\n')[5] ?? '';
  expect(problem).toMatchObject({ range: { column: config.indexOf('"gone.json"') + 1 } });
});

describe('BB-05 a file without a valid schema is reported before anything starts:', () => {
  const deep = `${'{"not":'.repeat(70)}{}${'}'.repeat(70)}`;
  test.each<[string, string | null, string]>([
    ['gone.json', null, 'File "gone.json" does not exist'],
    ['bad.json', '{ "type": "objekt" }', 'bad.json is not a valid JSON Schema at type: type must be one of'],
    ['cut.json', '{\n  "type": "object"', 'cut.json is not a JSON Schema: line 2, column 19.'],
    ['list.json', '[]', 'A schema must be true, false or a map'],
    ['remote.json', '{ "$ref": "https://example.com/a.json" }', 'Other schemas are not loaded'],
    ['circle.json', '{ "$ref": "#" }', 'refers back to itself'],
    ['deep.json', deep, 'at most 64 levels'],
    ['large.json', JSON.stringify({ enum: ['x'.repeat(300_000)] }), 'at most 256 KB'],
    ['huge.json', ' '.repeat(1024 * 1024 + 1), 'larger than 1 MiB'],
    ['bytes.json', '{\0}', 'is not UTF-8 text'],
    ['pattern.json', '{ "pattern": "(" }', 'is not a valid regular expression'],
    ['.', null, 'is'],
    ['../../elsewhere/x.json', null, 'is outside the workspace'],
    ['../.millrace/.env', null, 'private'],
    ['/etc/hosts', null, 'is not a relative path'],
    ['C:\\schema.json', null, 'is not a relative path'],
    ['a\\b.json', null, 'is not a relative path'],
  ])('%s', async (name, text, message) => {
    writeFileSync(folder.at('workspace/.millrace/.env'), 'TOKEN={}\n');
    writeFileSync(folder.at('elsewhere/x.json'), '{}');
    if (text !== null) writeFileSync(folder.at(`workspace/flows/${name}`), text);
    expect(await problemOf(await open(), flow(name))).toEqual([
      { code: 'node.bad-schema-file', message: expect.stringContaining(message), range: expect.anything() },
    ]);
  });

  test.skipIf(process.platform === 'win32')('a link that leads out of the workspace', async () => {
    writeFileSync(folder.at('elsewhere/x.json'), '{}');
    symlinkSync(folder.at('elsewhere/x.json'), folder.at('workspace/flows/link.json'));
    expect(await problemOf(await open(), flow('link.json'))).toMatchObject([{ code: 'node.bad-schema-file' }]);
  });
});

test('BB-05 a flow elsewhere finds its files beside it or in its pack, and web pages cannot have them read', async () => {
  mkdirSync(folder.at('elsewhere/flows'));
  const path = folder.at('elsewhere/flows/a.flow.yaml');
  writeFileSync(folder.at('elsewhere/flows/near.json'), 'true');
  writeFileSync(folder.at('elsewhere/above.json'), 'true');
  const names = ['near.json', '../above.json'];
  const isRead = async (engine: Engine): Promise<boolean[]> =>
    (await engine.readSchemas({ path, names })).map(([, file]) => 'schema' in file);
  expect(await isRead(await open())).toEqual([true, false]);
  expect(await isRead(await open({ confinesReading: true }))).toEqual([false, false]);
  expect(await isRead(await open({ confinesReading: true, isTrusted: true }))).toEqual([true, false]);
  writeFileSync(folder.at('elsewhere/pack.toml'), '[pack]\n');
  expect(await isRead(await open())).toEqual([true, true]);
});

test('a schema and a schema file together are rejected', async () => {
  const text = flow('../schemas/name.json').replace('{ schemaFile', '{ schema: true, schemaFile');
  expect(await problemOf(await open(), text)).toEqual([
    { code: 'node.bad-config', message: expect.stringContaining('keep one of them'), range: expect.anything() },
  ]);
});
