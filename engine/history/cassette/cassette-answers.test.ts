/** Tests that a cassette contains what people gave nodes, and that a replay uses it and names them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEngine, type Engine, inMemory } from '../../index.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import type { CassetteMode } from './cassette-player.ts';

const inner = `
flow: { name: Inner, outputs: { said: "{{after.text}}" } }
nodes:
  - { id: inside, type: echo, input: { text: inner } }
  - { id: after, type: echo, input: { text: "{{inside.text}}?" } }
edges: [{ from: inside, to: after }]
`;
const outer = `
flow: { name: Outer }
nodes:
  - { id: draft, type: echo, input: { text: model } }
  - { id: each, type: control.foreach, input: { items: [p, q], body: [say] } }
  - { id: say, type: echo, input: { text: "{{item}}" } }
  - { id: ask, type: prompt, config: { model: "scripted::model.yaml" }, input: { prompt: "ask {{draft.text}}" } }
  - { id: call, type: flow, input: { flow: inner.flow.yaml } }
  - { id: last, type: echo, input: { text: "{{ask.text}} {{call.outputs.said}} {{each.iterations.1.outputs.say.text}}" } }
edges: [{ from: draft, to: each }, { from: each, to: ask }, { from: ask, to: call }, { from: call, to: last }]
`;

let folder: TestFolder;
let engine: Engine;
beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(folder.at('workspace'));
  folder.write('workspace/inner.flow.yaml', inner);
  folder.write('workspace/outer.flow.yaml', outer);
  writeModel(['ask model', 'not this'], ['ask by Kim', 'yes'], ['ask by Lee', 'no']);
});
afterEach(async () => {
  await engine.close();
  folder.remove();
});

function writeModel(...replies: readonly (readonly [match: string, reply: string])[]): void {
  const lines = replies.map(([match, reply]) => `  - { match: "^${match}$", reply: "${reply}" }\n`);
  writeFileSync(folder.at('workspace/model.yaml'), `replies:\n${lines.join('')}`);
}

/** Opens an engine with an empty history. */
async function open(mode: CassetteMode): Promise<void> {
  engine = await createEngine({
    ...{ workspace: folder.at('workspace'), homeFolder: folder.at('home'), env: {}, isTrusted: true },
    ...{ storeFile: inMemory, cassette: { file: folder.at('a.cassette.yaml'), mode } },
  });
}

async function run(breakpoints?: Parameters<Engine['startRun']>[0]['breakpoints']) {
  const request = { path: 'outer.flow.yaml', text: outer, inputs: {} };
  const { runId } = await engine.startRun({ ...request, ...(breakpoints === undefined ? {} : { breakpoints }) });
  await engine.whenEnded(runId);
  return runId;
}

async function stateOf(runId: Awaited<ReturnType<typeof run>>) {
  const log = await engine.readEvents(runId, -1, 1000);
  const givens = log.flatMap(({ event }) => (event.type === 'node:reused' && event.given ? [event] : []));
  return { ...foldRun(emptyRunState, log), givens };
}

test('a replay has the outputs of a run that people changed, and says who changed them', async () => {
  await open('record');
  const runId = await run({
    'outer.flow.yaml': [{ node: 'say', item: 2 }, { node: 'ask' }],
    'inner.flow.yaml': [{ node: 'after' }],
  });
  const by = 'Kim';
  await engine.resumeRun({ runId, action: 'skip', output: { text: 'x'.repeat(50_000) }, by });
  await engine.whenEnded(runId);
  await engine.resumeRun({ runId, action: 'edit', input: { prompt: 'ask by Kim' }, by });
  await engine.whenEnded(runId);
  await engine.changeOutput({ runId, nodeId: 'call/inside', output: { text: 'by Kim' }, by });
  await engine.resumeRun({ runId, action: 'continue' });
  await engine.whenEnded(runId);
  const recorded = await stateOf(runId);
  expect(recorded.status).toBe('completed');
  await engine.close();

  // The model has no responses now.
  writeModel(['nothing', 'nothing']);
  await open('replay');
  const again = await run();
  const replayed = await stateOf(again);
  expect([replayed.status, replayed.output]).toEqual(['completed', recorded.output]);
  expect(replayed.nodes.get('ask')).toMatchObject({ output: { text: 'yes' }, edited: { by } });
  expect(replayed.givens.map(({ nodeId, given }) => [nodeId, given?.by])).toEqual([
    ['each[1].say', 'Kim'],
    ['inside', 'Kim'],
  ]);
  expect(readFileSync(folder.at('a.cassette.yaml'), 'utf8')).toContain('kind: given\n');
});

test('an output that a rerun was given is in the recording, and the latest one counts', async () => {
  await open('record');
  const first = await run();
  for (const text of ['by Lee', 'by Kim']) {
    const { runId } = await engine.rerunFrom({ runId: first, given: { draft: { text } }, by: text.slice(3) });
    await engine.whenEnded(runId);
  }
  await engine.close();
  await open('auto');
  const { nodes, givens } = await stateOf(await run());
  expect(nodes.get('ask')?.output).toMatchObject({ text: 'yes' });
  expect(givens).toMatchObject([{ nodeId: 'draft', output: { text: 'by Kim' }, given: { by: 'Kim' } }]);
});

test('another flow, and an entry that was edited into something else, are not affected', async () => {
  const entry = (flow: string, response: string) =>
    `- kind: given\n  request: { flow: ${flow}, node: draft }\n  response: ${response}\n`;
  const text = `cassette: 1\ncalls:\n${entry('other.flow.yaml', '{ output: 1 }')}${entry('outer.flow.yaml', '{ by: Kim }')}`;
  folder.write('a.cassette.yaml', text);
  await open('auto');
  const { nodes, givens } = await stateOf(await run());
  expect([givens, nodes.get('draft')?.output]).toEqual([[], expect.objectContaining({ text: 'model' })]);
});
