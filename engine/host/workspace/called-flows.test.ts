import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { type Diagnostic, toErrorRecord } from '../../isomorphic.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';

let folder: TestFolder;
const engines: Engine[] = [];
beforeEach(() => {
  folder = createTestFolder();
  for (const path of ['workspace/flows/sub', 'workspace/products/shop/flows', 'workspace/.aipack/.keep', 'elsewhere'])
    mkdirSync(folder.at(path), { recursive: true });
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  folder.remove();
});

async function open(more: Partial<EngineOptions> = {}): Promise<Engine> {
  const place = { workspace: folder.at('workspace'), homeFolder: folder.at('home'), env: {}, isTrusted: true as const };
  const engine = await createEngine({ ...place, ...more });
  engines.push(engine);
  return engine;
}

/** Returns a flow with a call of each of these. */
function calling(...names: readonly string[]): string {
  const nodes = names.map(
    (name, index) => `  - id: call${index}\n    type: flow\n    input: { flow: ${JSON.stringify(name)} }\n`,
  );
  return `flow: { name: Calls }\nnodes:\n${nodes.join('')}edges: []\n`;
}

const plain =
  'flow: { name: Plain, outputs: { said: "{{say.text}}" } }\nnodes:\n  - { id: say, type: echo, input: { text: hi } }\nedges: []\n';

function put(path: string, text: string): void {
  writeFileSync(folder.at(`workspace/${path}`), text);
}

/** Returns the position and message of the first problem. No run is recorded. */
async function problemOf(engine: Engine, text: string, path = 'flows/a.flow.yaml') {
  put(path, text);
  const error: unknown = await engine.startRun({ path, text, inputs: {} }).catch((thrown: unknown) => thrown);
  expect(await engine.listRuns({ limit: 1 })).toEqual([]);
  const { code, details } = toErrorRecord(error);
  expect(code).toBe('flow.invalid');
  const [first] = details as readonly Diagnostic[];
  return { code: first?.code, at: `${first?.range.line}:${first?.range.column}`, message: first?.message };
}

async function outputOf(engine: Engine, text: string, path = 'flows/a.flow.yaml') {
  put(path, text);
  const { runId } = await engine.startRun({ path, text, inputs: {} });
  await engine.whenEnded(runId);
  const end = (await engine.readEvents(runId, -1, 1000)).at(-1)?.event;
  return end?.type === 'run:end' ? (end.output ?? end.error) : end;
}

test('BB-30 a path is relative to the folder of the calling flow, also for a flow that was called', async () => {
  put('flows/sub/b.flow.yaml', calling('../c.flow.yaml'));
  put('flows/c.flow.yaml', plain);
  expect(await outputOf(await open(), calling('sub/b.flow.yaml', './c.flow.yaml'))).toEqual({
    call0: { outputs: { call0: { outputs: { said: 'hi' } } } },
    call1: { outputs: { said: 'hi' } },
  });
});

test('BB-30 a flow of a pack is called by its reference, and can call others of its pack', async () => {
  const pack = folder.at('home/pack/custom/my@tools'.replace('@', '/'));
  mkdirSync(`${pack}/more`, { recursive: true });
  writeFileSync(`${pack}/pack.toml`, '[pack]\nnamespace = "my"\nname = "tools"\nversion = "1.0.0"\n');
  writeFileSync(`${pack}/x.flow.yaml`, calling('more/y.flow.yaml'));
  writeFileSync(`${pack}/more/y.flow.yaml`, plain);
  expect(await outputOf(await open(), calling('my@tools/x.flow.yaml'))).toEqual({
    call0: { outputs: { call0: { outputs: { said: 'hi' } } } },
  });
});

describe('BB-30 an invalid call is rejected before the start, at its position, with a fix', () => {
  test.each<[string, string, RegExp]>([
    [
      'gone',
      'gone.flow.yaml',
      /Flow "gone.flow.yaml" does not exist\. The path is relative to the folder of this file\./,
    ],
    [
      'broken',
      'broken.flow.yaml',
      /cannot be called\. flows\/broken\.flow\.yaml:3:\d+: Node type "ecco" does not exist/,
    ],
    ['a file that is not a flow', 'text.md', /cannot be called\. flows\/text\.md:1:1/],
    ['an agent', 'a.aip', /is an agent: run it with a node of type "agent"/],
    ['absolute', '/etc/passwd', /is not a relative path/],
    ['outside', '../../elsewhere/out.flow.yaml', /is outside the workspace/],
    ['through a link', 'link.flow.yaml', /is outside the workspace/],
    [
      'of a missing pack',
      'no@such/x.flow.yaml',
      /is part of pack no@such, which is not installed\. Install it: millrace install no@such/,
    ],
    ['a pack itself', 'no@such', /is not a flow of a pack/],
  ])('%s', async (_name, path, message) => {
    put('flows/broken.flow.yaml', plain.replace('echo', 'ecco'));
    put('flows/text.md', 'Just words.');
    writeFileSync(folder.at('elsewhere/out.flow.yaml'), plain);
    symlinkSync(folder.at('elsewhere/out.flow.yaml'), folder.at('workspace/flows/link.flow.yaml'));
    const engine = await open();
    const problem = await problemOf(engine, calling(path));
    expect(problem).toMatchObject({ code: 'flow.not-callable', at: '5:20' });
    expect(problem.message).toMatch(message);
  });

  test('reports inputs that the called flow does not accept, each at its position', async () => {
    put(
      'flows/b.flow.yaml',
      plain.replace(
        'name: Plain',
        'name: Plain, inputs: { n: { type: integer, required: true }, t: { type: string } }',
      ),
    );
    const call = (input: string) =>
      `flow: { name: A }\nnodes:\n  - id: call\n    type: flow\n    input: { flow: b.flow.yaml, input: ${input} }\nedges: []\n`;
    const engine = await open();
    expect(await problemOf(engine, call('{ n: two }'))).toMatchObject({
      code: 'flow.bad-inputs',
      at: '5:45',
      message: 'The input "n" must be a whole number, not "two". It is an input of "flows/b.flow.yaml".',
    });
    expect((await problemOf(engine, call('{ m: 1, n: 2 }'))).message).toContain('The flow has no input "m".');
    expect((await problemOf(engine, call('{ t: x }'))).message).toContain('The input "n" is missing');
    expect(
      await outputOf(engine, call('{ n: "{{flow.input.x}}" }').replace('name: A', 'name: A, input: { x: 2 }')),
    ).toEqual({
      call: { outputs: { said: 'hi' } },
    });
  });
});

test('BB-30 a missing flow named by a bound path fails its node', async () => {
  const engine = await open();
  const text = calling('{{flow.input.f}}').replace('name: Calls', 'name: Calls, input: { f: gone.flow.yaml }');
  expect(await outputOf(engine, text)).toMatchObject({
    code: 'flow.not-callable',
    nodeId: 'call0',
    message: expect.stringContaining('Flow "gone.flow.yaml" does not exist'),
  });
});

test('BB-31 a flow that calls itself through three others is rejected with the chain of names', async () => {
  put('flows/b.flow.yaml', calling('c.flow.yaml'));
  put('flows/c.flow.yaml', calling('sub/d.flow.yaml'));
  put('flows/sub/d.flow.yaml', calling('../a.flow.yaml'));
  const engine = await open();
  const chain =
    'flows/a.flow.yaml -> flows/b.flow.yaml -> flows/c.flow.yaml -> flows/sub/d.flow.yaml -> flows/a.flow.yaml';
  const problem = await problemOf(engine, calling('b.flow.yaml'));
  expect(problem).toMatchObject({ code: 'flow.not-callable', at: '5:20' });
  expect(problem.message).toContain(`cycle: ${chain}. Remove one of these calls.`);
  expect((await problemOf(engine, calling('a.flow.yaml'))).message).toContain('flows/a.flow.yaml -> flows/a.flow.yaml');
});

test('BB-31 the maximum depth is 16 flows', async () => {
  for (let level = 1; level <= 16; level++)
    put(`flows/${level}.flow.yaml`, level === 16 ? plain : calling(`${level + 1}.flow.yaml`));
  const engine = await open();
  expect(JSON.stringify(await outputOf(engine, calling('1.flow.yaml')))).toContain('"said":"hi"');
  put('flows/0.flow.yaml', calling('1.flow.yaml'));
  put('flows/top.flow.yaml', calling('0.flow.yaml'));
  const error: unknown = await engine
    .startRun({ path: 'flows/top.flow.yaml', text: calling('0.flow.yaml'), inputs: {} })
    .catch((thrown: unknown) => thrown);
  expect(JSON.stringify(toErrorRecord(error))).toContain('nested more than 16 calls deep');
});

describe('flows that cannot call flows', () => {
  test('BB-32 in a product, the type is rejected by name, even with a bound path', async () => {
    put('products/shop/flows/b.flow.yaml', plain);
    const engine = await open();
    const path = 'products/shop/flows/a.flow.yaml';
    for (const name of ['b.flow.yaml', '{{flow.input.f}}']) {
      const problem = await problemOf(engine, calling(name), path);
      expect(problem.code).toBe('flow.not-callable');
      expect(problem.message).toMatch(
        /Flows of a product cannot call other flows, so nodes of type "flow" are not allowed here/,
      );
    }
    expect(await outputOf(engine, calling('../products/shop/flows/b.flow.yaml'))).toEqual({
      call0: { outputs: { said: 'hi' } },
    });
  });

  test('BB-32 in a step flow, it is rejected by name', async () => {
    const engine = await open();
    const steps = 'id: a\nsteps:\n  - id: one\n    type: flow\n';
    const error: unknown = await engine
      .startRun({ path: 'a.flow.yaml', text: steps, inputs: {} })
      .catch((thrown) => thrown);
    const found = (toErrorRecord(error).details as readonly Diagnostic[]).map(({ range, message }) => [
      range.line,
      message,
    ]);
    expect(found).toContainEqual([
      4,
      expect.stringContaining('Step flows cannot call other flows: a step of type "flow" is not allowed.'),
    ]);
  });
});

test('reads at most 200 called flows', async () => {
  const many = Array.from({ length: 15 }, (_, index) => `${index}.flow.yaml`);
  for (const name of many) put(`flows/sub/${name}`, plain);
  put('flows/sub/all.flow.yaml', calling(...many));
  const engine = await open();
  const text = calling(...Array.from({ length: 14 }, (_, index) => `${'./'.repeat(index)}sub/all.flow.yaml`));
  expect((await problemOf(engine, text)).message).toContain('a flow and the flows it calls are limited to 200 files');
  rmSync(folder.at('workspace/flows/sub'), { recursive: true });
});

describe('BB-30 secrets of a called flow', () => {
  const using =
    'flow: { name: Uses }\nnodes:\n  - { id: get, type: http.request, input: { url: "http://127.0.0.1:9/{{secret.TOKEN}}" }, policy: { continueOnError: true } }\nedges: []\n';

  test('are requested before the start if they have no value, wherever the called flow is', async () => {
    put('flows/b.flow.yaml', calling('sub/c.flow.yaml'));
    put('flows/sub/c.flow.yaml', using);
    const engine = await open();
    const text = calling('b.flow.yaml');
    const start = () => engine.startRun({ path: 'flows/a.flow.yaml', text, inputs: {} });
    await expect(start()).rejects.toMatchObject({ code: 'secret.missing', details: { names: ['TOKEN'] } });
    expect(await engine.listRuns({ limit: 1 })).toEqual([]);
    await engine.setSecret({ name: 'TOKEN', value: 'open sesame' });
    const { runId } = await start();
    expect((await engine.whenEnded(runId)).status).toBe('completed');
    const log = JSON.stringify(await engine.readEvents(runId, -1, 1000));
    expect(log).toContain('•••TOKEN•••');
    expect(log).not.toContain('sesame');
  });

  test('belong to the called file: allowed by its text, not by that of its caller', async () => {
    put('flows/b.flow.yaml', using);
    const engine = await open({ isTrusted: undefined } as never);
    await engine.setSecret({ name: 'TOKEN', value: 'open sesame' });
    const start = () => engine.startRun({ path: 'flows/a.flow.yaml', text: calling('b.flow.yaml'), inputs: {} });
    const refusal = toErrorRecord(await start().catch((thrown: unknown) => thrown));
    expect(refusal).toMatchObject({
      code: 'secret.not-allowed',
      details: { path: 'flows/b.flow.yaml', names: ['TOKEN'] },
    });
    const { definitionHash } = refusal.details as { readonly definitionHash: string };
    await engine.allowSecrets({ path: 'flows/b.flow.yaml', definitionHash, names: ['TOKEN'] });
    const { runId } = await start();
    expect((await engine.whenEnded(runId)).status).toBe('completed');
  });
});
