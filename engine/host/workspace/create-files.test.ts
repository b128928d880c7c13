/** Tests new flows, agents and packs: written by the engine, validated as usual, and run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import { parseAgent } from '../../language/agent/parse-agent.ts';
import { checkFlow } from '../../language/flow/check-flow.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { schemaFilesOf } from '../../language/flow/schema-files.ts';
import type { RunEndEvent } from '../../runtime/kernel/events/run-event.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createFastClock } from '../../testing/fast-clock.ts';
import { type AgentWorkspace, createAgentWorkspace, endOf } from '../wiring/test-agent-workspace.ts';
import type { NewFlowSource } from './create-files.ts';

const resources = path.resolve(import.meta.dirname, '../../../resources');
const registry = createNodeRegistry(builtinNodes);

let world: AgentWorkspace;
let engine: Engine;

const shipped = { builtInPacks: path.join(resources, 'packs'), examplesFolder: path.join(resources, 'workspace') };

beforeEach(async () => {
  world = createAgentWorkspace();
  engine = await world.open(shipped);
});

afterEach(() => world.close());

const textOf = (name: string): string => readFileSync(world.at(`workspace/${name}`), 'utf8');

/** Writes a flow, expects no problems, and returns its text. */
async function createChecked(from: NewFlowSource, name = 'new.flow.yaml'): Promise<string> {
  expect(await engine.createFlow({ path: name, from })).toMatchObject({ path: name });
  const text = textOf(name);
  const { doc } = parseFlow(text);
  const names = doc === null ? [] : schemaFilesOf(doc, registry);
  const files = new Map(await engine.readSchemas({ path: name, names }));
  expect(checkFlow(text, registry, files).diagnostics).toEqual([]);
  return text;
}

async function run(name: string): Promise<RunEndEvent> {
  const { runId } = await engine.startRun({ path: name, text: textOf(name), inputs: {} });
  await engine.whenEnded(runId);
  return await endOf(engine, runId);
}

describe('a new flow', () => {
  test('may be empty, and can be run immediately', async () => {
    const text = await createChecked({ kind: 'empty', name: '  A new\n flow: #1 ' });
    expect(text).toBe('flow:\n  name: "A new flow: #1"\n  version: 1\n\nnodes: []\n\nedges: []\n');
    expect(await run('new.flow.yaml')).toMatchObject({ status: 'completed' });
  });

  test('with steps is a chain in which each step uses the previous one, as a person would write it', async () => {
    const steps = [{ type: 'file.read', id: 'notes' }, { type: 'prompt' }, { type: 'prompt' }, { type: 'file.write' }];
    const text = await createChecked({ kind: 'steps', name: 'Notes', steps });
    expect(text).toBe(`flow:
  name: Notes
  version: 1

nodes:
  - id: notes
    type: file.read
    input:
      globs:
        - "*.md"

  - id: prompt
    type: prompt
    input:
      prompt: |-
        Summarize this in one sentence:

        {{notes.text}}

  - id: prompt_2
    type: prompt
    input:
      prompt: |-
        Summarize this in one sentence:

        {{prompt.text}}

  - id: file_write
    type: file.write
    input:
      path: out/result.txt
      text: "{{prompt_2.text}}"

edges:
  - { from: notes, to: prompt }
  - { from: prompt, to: prompt_2 }
  - { from: prompt_2, to: file_write }
`);
  });

  test('with prompts uses the model in the settings', async () => {
    world.write('workspace/.aipack/config.toml', '[options]\nmodel = "scripted::answers.yaml"\n');
    world.write('workspace/answers.yaml', 'replies:\n  - match: ".*"\n    reply: "Ships in May."\n');
    world.write('workspace/plan.md', 'We ship in May.');
    await createChecked({
      kind: 'steps',
      name: 'Plan',
      steps: [{ type: 'file.read' }, { type: 'prompt' }, { type: 'file.write' }],
    });
    await engine.setTrust(true);
    expect(await run('new.flow.yaml')).toMatchObject({ status: 'completed' });
    expect(textOf('out/result.txt')).toBe('Ships in May.');
  });

  // The others need a model, a server, trust, a flow chosen by the person, or an answer, or fail on purpose.
  const outside = ['prompt', 'http.request', 'command.run', 'flow', 'human_approval', 'user_input', 'control.fail'];
  const reachable = builtinNodes.filter(({ type }) => !outside.includes(type));

  test.each(reachable.map(({ type }) => type))('with one step %s, or with it after another, runs', async (type) => {
    await createChecked({ kind: 'steps', name: type, steps: [{ type }] });
    expect(await run('new.flow.yaml')).toMatchObject({ status: 'completed' });
    const steps = [{ type: 'list.filter' }, { type }, { type: 'echo' }];
    await createChecked({ kind: 'steps', name: type, steps }, 'chain.flow.yaml');
    expect(await run('chain.flow.yaml')).toMatchObject({ status: 'completed' });
  });

  test('is active in its product, even if the manifest lists the active flows', async () => {
    const path = 'products/shop/flows/pack.yaml';
    const from = {
      kind: 'text',
      text: 'id: pack\nsteps: [{ id: a, type: human_approval, message: Go on? }]\n',
    } as const;
    world.write('workspace/products/shop/manifest.yaml', 'flows:\n  - refund.yaml # first\n');
    expect(await engine.createFlow({ path, from })).toEqual({
      path,
      files: [],
      listedIn: 'products/shop/manifest.yaml',
    });
    expect(textOf('products/shop/manifest.yaml')).toBe('flows:\n  - refund.yaml # first\n  - pack.yaml\n');
    await expect(engine.createFlow({ path, from })).rejects.toMatchObject({ code: 'files.exists' });
    expect(await engine.listFlows()).toMatchObject([{ path }]);
  });

  test('is rejected with an unknown step type or an invalid ID, and nothing is written', async () => {
    const refused = (steps: readonly { type: string; id?: string }[]) =>
      engine.createFlow({ path: 'new.flow.yaml', from: { kind: 'steps', name: 'x', steps } });
    await expect(refused([{ type: 'no.such' }])).rejects.toMatchObject({ code: 'node.unknown-type' });
    for (const id of ['a b', 'flow', '', 'é']) {
      await expect(refused([{ type: 'echo', id }])).rejects.toMatchObject({ code: 'node.bad-id' });
    }
    const twice = [
      { type: 'echo', id: 'a' },
      { type: 'echo', id: 'a' },
    ];
    await expect(refused(twice)).rejects.toMatchObject({ code: 'node.bad-id' });
    expect(existsSync(world.at('workspace/new.flow.yaml'))).toBe(false);
  });

  test('replaces no file and has the extension of flows', async () => {
    world.write('workspace/a.flow.yaml', 'mine');
    const create = (name: string) => engine.createFlow({ path: name, from: { kind: 'empty', name: 'x' } });
    await expect(create('a.flow.yaml')).rejects.toMatchObject({ code: 'files.exists' });
    for (const name of ['a.yaml', '.flow.yaml', 'sub/.flow.yaml', 'a?.flow.yaml']) {
      await expect(create(name)).rejects.toMatchObject({ code: 'files.bad-name' });
    }
    await expect(create('../a.flow.yaml')).rejects.toMatchObject({ code: 'files.outside' });
    await expect(create('.millrace/a.flow.yaml')).rejects.toMatchObject({ code: 'files.not-writable' });
    expect(textOf('a.flow.yaml')).toBe('mine');
  });
});

describe('an example', () => {
  test('is listed with its description', async () => {
    const examples = await engine.listExamples();
    expect(examples.map(({ id }) => id)).toEqual([
      'feedback',
      'health-check',
      'invitation',
      'look-up',
      'note-statistics',
      'plan-b',
      'reading-time',
      'refunds',
      'release-notes',
      'slow-digest',
      'stamp',
      'triage',
      'log-troubles',
      'watch-logs',
      'welcome-letter',
      'word-count',
    ]);
    for (const { title, description } of examples) expect([title, description]).not.toContain('');
    expect(await (await world.open()).listExamples()).toEqual([]);
  });

  test.each([
    ...['feedback', 'health-check', 'invitation', 'note-statistics', 'reading-time', 'release-notes', 'slow-digest'],
    ...['triage', 'watch-logs', 'word-count'],
  ])('%s runs in any workspace', async (id) => {
    // It waits for ten seconds. All others have time limits, which would also expire earlier on this clock.
    if (id === 'slow-digest') engine = await world.open({ ...shipped, clock: createFastClock(50) });
    const text = await createChecked({ kind: 'example', example: id }, `flows/${id}.flow.yaml`);
    expect(text).toBe(readFileSync(path.join(resources, 'workspace', `${id}.flow.yaml`), 'utf8'));
    const { status, error } = await run(`flows/${id}.flow.yaml`);
    expect({ status, message: error?.message }).toEqual({ status: 'completed', message: undefined });
  });

  test('includes the files that it uses, and keeps existing ones', async () => {
    world.write('workspace/notes/01-conflict-view.md', 'mine');
    const from: NewFlowSource = { kind: 'example', example: 'release-notes' };
    const { files } = await engine.createFlow({ path: 'a.flow.yaml', from });
    expect(files).toContain('scripted-model.yaml');
    expect(files).not.toContain('notes/01-conflict-view.md');
    expect(files).toHaveLength(6);
    expect(textOf('notes/01-conflict-view.md')).toBe('mine');
    expect(readdirSync(world.at('workspace/notes'))).toHaveLength(6);
  });

  test('reports an unknown example', async () => {
    for (const example of ['no', '../packs', 'README']) {
      const created = engine.createFlow({ path: 'a.flow.yaml', from: { kind: 'example', example } });
      await expect(created).rejects.toMatchObject({ code: 'example.not-found' });
    }
  });
});

describe('a new agent', () => {
  test('is valid and runs', async () => {
    expect(await engine.createAgent({ path: 'agents/a.aip', name: 'My agent' })).toEqual({ path: 'agents/a.aip' });
    expect(parseAgent(textOf('agents/a.aip')).diagnostics).toEqual([]);
    const { end } = await world.run(engine, { agent: 'agents/a.aip', inputs: ['four'] });
    expect(end).toMatchObject({ status: 'completed', output: { outputs: [{ characters: 4 }] } });
    await expect(engine.createAgent({ path: 'agents/a.aip', name: 'x' })).rejects.toMatchObject({
      code: 'files.exists',
    });
    await expect(engine.createAgent({ path: 'a.md', name: 'x' })).rejects.toMatchObject({ code: 'files.bad-name' });
  });
});

describe('a new pack', () => {
  test('is listed immediately, with its version, and its main agent runs', async () => {
    const { path: folder, files } = await engine.createPack({ ref: 'acme@tools', version: '1.2.3-beta.1' });
    expect([folder, files]).toEqual([
      '.aipack/pack/custom/acme/tools',
      ['pack.toml', 'README.md', 'main.aip'].map((name) => `${folder}/${name}`),
    ]);
    const packs = await engine.listPacks();
    const pack = packs.find(({ ref }) => ref === 'acme@tools');
    expect(pack).toMatchObject({ version: '1.2.3-beta.1', origin: 'workspace', hasReadme: true });
    expect(pack).not.toHaveProperty('problem');
    const { end } = await world.run(engine, { agent: 'acme@tools', inputs: ['four'] });
    expect(end).toMatchObject({ status: 'completed', output: { outputs: [{ characters: 4 }] } });
  });

  test('replaces no pack, and has a valid name and version', async () => {
    await engine.createPack({ ref: 'acme@tools' });
    await expect(engine.createPack({ ref: 'acme@tools' })).rejects.toMatchObject({ code: 'files.exists' });
    for (const ref of ['acme', '@tools', 'acme@', 'a b@c', 'a@b@c', '../x@y', 'a@..']) {
      await expect(engine.createPack({ ref })).rejects.toMatchObject({ code: 'pack.bad-ref' });
    }
    const bad = engine.createPack({ ref: 'acme@other', version: '1' });
    await expect(bad).rejects.toMatchObject({ code: 'pack.bad-version' });
    expect(readdirSync(world.at('workspace/.aipack/pack/custom'))).toEqual(['acme']);
  });
});

test('an import returns flows without writing them, and keeps code that does not compile as a placeholder', async () => {
  const node = (name: string, jsCode: string) => ({
    ...{ name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
  });
  const nodes = [node('Good', 'return items;'), node('Bad', 'return items map(;')];
  const before = readdirSync(world.at('workspace'));
  const [flow] = await engine.importFlows({ text: JSON.stringify({ nodes, connections: {} }), name: 'orders' });
  expect(flow).toMatchObject({
    file: 'orders.flow.yaml',
    lines: [
      { name: 'Good', status: 'mapped', id: 'good' },
      { name: 'Bad', status: 'placeholder', id: 'bad' },
    ],
  });
  expect(readdirSync(world.at('workspace'))).toEqual(before);
  await expect(engine.importFlows({ text: '{"a": 1}', name: 'orders' })).rejects.toMatchObject({
    code: 'import.unknown-format',
  });
});
