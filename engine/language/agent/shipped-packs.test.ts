import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError, fromErrorRecord } from '../../base/engine-error.ts';
import { readPackManifest } from '../../packs/pack/pack-manifest.ts';
import type { AgentLocation } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { ModelRequest } from '../../runtime/kernel/models/model-capability.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createFastClock } from '../../testing/fast-clock.ts';
import { type AgentRunInTest, runAgentText } from '../../testing/run-agent-file.ts';
import { createLuaRuntime } from '../../world/lua/lua-runtime.ts';
import { createModelRouter } from '../../world/model/model-router.ts';
import { createScriptHost } from '../../world/script/script-host.ts';
import { createScripts } from '../../world/script/scripts.ts';
import { createTestWorld, type TestWorld } from '../../world/script/testing/test-world.ts';
import type { JsonValue } from '../json/json-value.ts';
import { parseAgent } from './parse-agent.ts';

const shipped = path.resolve(import.meta.dirname, '../../../resources/packs');
const packs = ['core/ask', 'demo/loop', 'demo/proof'];
const agents = packs.flatMap((pack) =>
  readdirSync(path.join(shipped, pack))
    .filter((file) => file.endsWith('.aip'))
    .map((file) => `${pack}/${file}`),
);

const lua = createLuaRuntime();
let world: TestWorld;
/** Returns the response of the user's own model, also for child runs. */
let answer: (request: ModelRequest) => string;

beforeEach(() => {
  answer = () => 'ok';
  world = createTestWorld({
    packPath: async (reference) => {
      const match = /^(\w+)@(\w+)(\$workspace)?(?:\/(.*))?$/.exec(reference);
      if (match === null) throw new EngineError({ code: 'pack.not-found', message: reference });
      const [, namespace = '', name = '', scope, rest = ''] = match;
      return path.join(
        scope === undefined ? packFolder(`${namespace}/${name}`) : supportFolder(`${namespace}/${name}`),
        rest,
      );
    },
    runAgent: async ({ name, inputs }) => {
      const { result } = await runPack(`${name.replace('@', '/')}/main.aip`, inputs === null ? {} : { inputs });
      if (result.error !== undefined) throw fromErrorRecord(result.error);
      return { outputs: [...(result.outputs ?? [])], afterAll: result.afterAll, redoRequested: result.redoRequested };
    },
  });
  cpSync(shipped, world.folder.at('base/pack/installed'), { recursive: true });
});

afterEach(() => world.end());

const packFolder = (pack: string): string => world.folder.at(`base/pack/installed/${pack}`);
const supportFolder = (pack: string): string => world.folder.at(`workspace/.aipack/support/pack/${pack}`);

interface PackRun {
  readonly inputs?: readonly JsonValue[];
  readonly redoCount?: number;
}

/** Runs an agent of a pack as if it were installed. Its scripts and the scripted model are real. */
async function runPack(agent: string, { inputs, redoCount = 0 }: PackRun = {}): Promise<AgentRunInTest> {
  const [namespace = '', name = '', file = ''] = agent.split('/');
  const pack = `${namespace}/${name}`;
  const place: AgentLocation = {
    name: `${namespace}@${name}`,
    file: path.join(packFolder(pack), file),
    shownPath: `${namespace}@${name}`,
    pack: {
      namespace,
      name,
      folder: packFolder(pack),
      subPath: '',
      baseSupportFolder: world.folder.at('none'),
      workspaceSupportFolder: supportFolder(pack),
    },
  };
  const fake = createFakeCapabilities({
    reply: (request) => ({ text: answer(request), finishReason: 'stop' }),
  }).capabilities;
  const clock = createFastClock(1000);
  const router = createModelRouter({
    baseFolder: world.folder.at('base'),
    keyOf: () => undefined,
    files: fake.files,
    clock,
  });
  const modelOf = (model: string | undefined) => (model?.startsWith('scripted::') ? router : fake.model);
  const model: typeof router = {
    resolve: (name) => modelOf(name).resolve(name),
    settingsOf: (name) => modelOf(name).settingsOf(name),
    ask: (request, options) => modelOf(request.model).ask(request, options),
  };
  const scripts = createScripts(lua, (scope) => createScriptHost(world.world, scope));
  return await runAgentText(readFileSync(place.file, 'utf8'), {
    place,
    scripts,
    clock,
    redoCount,
    capabilities: { ...fake, model },
    ...(inputs === undefined ? {} : { inputs }),
  });
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(world.folder.at(`workspace/${file}`)), { recursive: true });
  writeFileSync(world.folder.at(`workspace/${file}`), text);
}

const written = (file: string): string => readFileSync(world.folder.at(`workspace/${file}`), 'utf8');
const fileInput = (file: string): JsonValue => ({ _type: 'FileInfo', path: file });

test('each pack has a manifest with its name', async () => {
  for (const pack of packs) {
    const { namespace, name } = await readPackManifest(path.join(shipped, pack));
    expect(`${namespace}/${name}`).toBe(pack);
  }
});

test.each(agents)('%s has no problems and sets no model', (agent) => {
  const { doc, diagnostics } = parseAgent(readFileSync(path.join(shipped, agent), 'utf8'));
  expect(diagnostics).toEqual([]);
  expect(doc?.options.model).toBeUndefined();
});

describe('core@ask', () => {
  test('without a question it describes itself, without any settings', async () => {
    const { result } = await runPack('core/ask/main.aip');
    expect(result.error).toBeUndefined();
    expect(result.outputs).toEqual([expect.stringContaining('answers questions about files')]);
  });

  test('a question includes the files that it references with @', async () => {
    write('src/a.txt', 'The answer is 42.');
    answer = ({ messages }) => messages[1]?.content ?? '';
    const { result } = await runPack('core/ask/main.aip', { inputs: ['What does @src/a.txt say? And @nobody?'] });
    expect(result.outputs).toEqual([
      '\n<FILE name="a.txt">\nThe answer is 42.\n</FILE>\n\nWhat does @src/a.txt say? And @nobody?\n\n',
    ]);
  });

  test('files are sent together with the question of the workspace', async () => {
    write('a.txt', 'one');
    write('b.txt', 'two');
    write('.aipack/support/pack/core/ask/question.md', 'Which is longer?');
    answer = ({ messages }) => messages[1]?.content ?? '';
    const { result } = await runPack('core/ask/main.aip', { inputs: [fileInput('a.txt'), fileInput('b.txt')] });
    expect(result.outputs).toEqual([expect.stringMatching(/one.*two.*Which is longer\?/s)]);
  });

  test('a glob without matches sends nothing', async () => {
    expect((await runPack('core/ask/main.aip', { inputs: [] })).result).toMatchObject({ status: 'skipped' });
  });
});

describe('demo@proof', () => {
  const corrected = () => '<PROOF>\nGood text.\n</PROOF>\n\n- spelling';

  test('without a file it corrects its sample', async () => {
    const { result } = await runPack('demo/proof/main.aip');
    expect(result).toMatchObject({ status: 'completed', afterAll: { corrected: 1, files: 1 } });
    expect(written('out/sample.proof.md')).toContain('The library is open from Monday to Friday.');
  });

  test('saves a copy next to each file with mistakes and leaves other files unchanged', async () => {
    write('notes/a.md', 'Godo text.\n');
    write('b.md', 'Good text.\n');
    write('c.txt', 'Godo text.\n');
    const inputs = ['notes/a.md', 'b.md', 'c.txt', 'notes/a.proof.md'].map(fileInput);
    answer = corrected;
    const { result } = await runPack('demo/proof/main.aip', { inputs });
    expect(result).toMatchObject({ status: 'completed', afterAll: { corrected: 1, files: 4 } });
    expect([written('notes/a.proof.md'), written('notes/a.md')]).toEqual(['Good text.\n', 'Godo text.\n']);
    expect(existsSync(world.folder.at('workspace/b.proof.md'))).toBe(false);
  });

  test('a response without the marker saves nothing and fails the file', async () => {
    write('a.md', 'Godo text.\n');
    const { result } = await runPack('demo/proof/main.aip', { inputs: [fileInput('a.md')] });
    expect(result).toMatchObject({ status: 'failed', error: { stage: 'Output' } });
    expect(existsSync(world.folder.at('workspace/a.proof.md'))).toBe(false);
  });

  test('in-place saves to the original file', async () => {
    write('a.md', 'Godo text.\n');
    answer = corrected;
    const { result } = await runPack('demo/proof/in-place.aip', { inputs: [fileInput('a.md')] });
    expect(result).toMatchObject({ status: 'completed', outputs: null, afterAll: { corrected: 1, files: 1 } });
    expect(written('a.md')).toBe('Good text.\n');
    expect((await runPack('demo/proof/in-place.aip')).result.status).toBe('skipped');
  });
});

describe('demo@loop', () => {
  /** Runs all redos of a chain as the engine does. */
  async function runChain(run: PackRun): Promise<AgentRunInTest['result'][]> {
    const results = [(await runPack('demo/loop/main.aip', run)).result];
    while (results.at(-1)?.redoRequested) {
      results.push((await runPack('demo/loop/main.aip', { ...run, redoCount: results.length })).result);
    }
    return results;
  }

  test('shortens its sample sufficiently in three iterations', async () => {
    const results = await runChain({});
    expect(results.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(results.at(-1)?.afterAll).toMatchObject({ rounds: 3, words: 12 });
  });

  test('calls a model that makes no progress five times', async () => {
    answer = () => 'word '.repeat(15);
    const results = await runChain({ inputs: ['word '.repeat(20)] });
    expect(results).toHaveLength(5);
    expect(results.at(-1)?.afterAll).toMatchObject({ rounds: 5, words: 15 });
  });

  test('does not send a text that is short enough', async () => {
    const [result] = await runChain({ inputs: ['Short.'] });
    expect(result).toMatchObject({ status: 'completed', outputs: [null], afterAll: { rounds: 1, words: 1 } });
  });
});
