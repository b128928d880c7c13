import { afterEach, describe, expect, test } from 'vitest';
import { createEngineStandIn, type EngineStandIn, settled } from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { createStores, type Stores } from '../stores.ts';
import { createDirectDocuments } from '../testing/direct-documents.ts';
import type { ModelProblem } from './models.ts';

const path = 'a.flow.yaml';
const text = `flow: { name: One }
nodes:
  - id: plain
    type: prompt
    input: { prompt: hi }
  - { id: named, type: prompt, input: { prompt: hi }, config: { model: "openai::x" } }
  - { id: off, disabled: true, type: prompt, input: { prompt: hi }, config: { model: "gone::x" } }
  - { id: words, type: echo, input: { text: hi } }
edges: []
`;

let stores: Stores | undefined;
afterEach(() => {
  stores?.dispose();
  stores = undefined;
});

let problems: readonly ModelProblem[];
let asked: (readonly (string | null)[])[];

async function open(): Promise<{ stores: Stores; engine: EngineStandIn }> {
  asked = [];
  const engine = createEngineStandIn({
    readFlow: () => ({ text }),
    listModels: () => ({ defaultModel: null, scripted: [], used: [], priced: [] }),
    checkModels: (models) => {
      asked.push(models);
      return problems.filter(({ model }) => models.includes(model));
    },
  });
  const main = createMainStandIn({});
  const made = createStores({
    ...{ engine: engine.client, main: main.client, documents: createDirectDocuments() },
    nextFrame: (callback) => {
      const timer = setTimeout(callback, 0);
      return () => clearTimeout(timer);
    },
  });
  stores = made;
  engine.connect();
  await settled();
  await made.openFiles.getState().open(path);
  await settled();
  return { stores: made, engine };
}

function warnings({ openFiles }: Stores): string[] {
  const { diagnostics = [] } = openFiles.getState().files.get(path) ?? {};
  return diagnostics.map(({ severity, code, nodeId, range }) => `${severity} ${code} ${nodeId} ${range.line}`);
}

const missing: ModelProblem = { model: null, code: 'model.missing', message: 'No model is set.' };
const keyless: ModelProblem = {
  ...{ model: 'openai::x', code: 'model.missing-key', message: 'It needs a key.' },
  ...{ provider: 'openai', variable: 'OPENAI_API_KEY' },
};

test('nodes without a model, or without the key for it, have warnings at their positions, and others have none', async () => {
  problems = [missing, keyless];
  const { stores: made } = await open();
  expect(warnings(made)).toEqual(['warning model.missing plain 3', 'warning model.missing-key named 6']);
  expect(asked).toEqual([[null, 'openai::x']]);
});

test('an edit keeps the warnings, and checks no model twice', async () => {
  problems = [missing];
  const { stores: made } = await open();
  await made.edits.change(path, { do: 'set-node', id: 'words', path: ['input', 'text'], value: 'ho' });
  await settled();
  expect(warnings(made)).toEqual(['warning model.missing plain 3']);
  await made.edits.change(path, { do: 'set-node', id: 'plain', path: ['config', 'model'], value: 'openai::x' });
  await settled();
  expect(warnings(made)).toEqual([]);
  expect(asked).toHaveLength(1);
});

test('changed settings or scripts cause a new check', async () => {
  problems = [missing];
  const { stores: made, engine } = await open();
  problems = [];
  engine.push('watchFiles', { paths: ['.aipack/config.toml'], isTree: false });
  await settled();
  await settled();
  expect(warnings(made)).toEqual([]);
  problems = [{ model: 'openai::x', code: 'files.not-found', message: 'There is no file.' }];
  engine.push('watchFiles', { paths: ['talk.yaml'], isTree: true });
  await settled();
  await settled();
  expect(warnings(made)).toEqual(['warning model.unusable named 6']);
});

describe('of an agent', () => {
  const prompt = '# Instruction\n\nSay hi.\n';
  async function found(agent: string): Promise<readonly string[]> {
    const engine = createEngineStandIn({
      readAgent: () => ({ text: agent, file: '/ws/a.aip', path: 'a.aip', isWritable: true }),
      checkAgent: () => [],
      listModels: () => ({ defaultModel: null, scripted: [], used: [], priced: [] }),
      checkModels: (models) => {
        asked.push(models);
        return problems.filter(({ model }) => models.includes(model));
      },
    });
    const main = createMainStandIn({});
    stores?.dispose();
    const made = createStores({
      ...{ engine: engine.client, main: main.client, documents: createDirectDocuments() },
      nextFrame: () => () => undefined,
    });
    stores = made;
    engine.connect();
    await made.openFiles.getState().open('a.aip', 'agent');
    for (let turn = 0; turn < 5; turn++) await settled();
    const { diagnostics = [] } = made.openFiles.getState().files.get('a.aip') ?? {};
    return diagnostics.map(({ severity, message, range }) => `${severity} ${range.line} ${message}`);
  }

  test('a missing model, or one that lacks its key, is a warning at its prompt', async () => {
    asked = [];
    problems = [
      { model: null, code: 'model.missing', message: 'none' },
      {
        model: 'openai::x',
        code: 'model.missing-key',
        message: 'no key',
        provider: 'openai',
        variable: 'OPENAI_API_KEY',
      },
    ];
    expect(await found(prompt)).toEqual([
      'warning 1 No model is chosen for this agent. Choose one in its options, or a default in Settings > Models.',
    ]);
    const options = '# Options\n\n```toml\nmodel = "mine"\nmodel_aliases = { mine = "openai::x" }\n```\n\n';
    expect(await found(`${options}${prompt}`)).toEqual([
      'warning 8 openai::x needs a key for "openai". Enter it in Settings > Models, or set the environment variable OPENAI_API_KEY.',
    ]);
    expect(asked).toEqual([[null], ['openai::x']]);
  });

  test('has no warning without prompts, or if its script chooses the model', async () => {
    asked = [];
    problems = [{ model: null, code: 'model.missing', message: 'none' }];
    const script = '# Data\n\n```lua\nreturn aip.flow.data_response({ options = { model = "a::b" } })\n```\n\n';
    expect(await found(`${script}${prompt}`)).toEqual([]);
    expect(await found('# Data\n\n```lua\nreturn 1\n```\n')).toEqual([]);
    expect(asked).toEqual([]);
  });
});
