import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine, inMemory } from '../../index.ts';
import { openSentEngine } from '../../remote.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';

const called = `flow: { name: Called, inputs: { n: { type: number } } }
nodes:
  - { id: double, type: script.js, config: { code: "return input.n * 2" }, input: { n: "{{flow.input.n}}" } }
edges: []
`;

/** Uses everything that a replay evaluates: branches, a loop, a child run, a retry, a person; and effects. */
const flow = `flow: { name: Tea, inputs: { kind: { type: string, default: green } } }
nodes:
  - { id: note, type: file.write, input: { path: out.txt, text: "{{flow.input.kind}} for kim@mail.example.org" } }
  - { id: read, type: file.read, input: { path: out.txt } }
  - { id: each, type: control.foreach, input: { items: [1, 2, 3], body: [call, odd, skip] } }
  - { id: call, type: flow, input: { flow: called.flow.yaml, input: { n: "{{item}}" } } }
  - { id: odd, type: control.if, input: { condition: { equals: { var: item, value: 2 } } } }
  - { id: skip, type: echo, input: { text: "two" } }
  - { id: ask, type: human_approval, input: { title: "Send {{read.text}}?" } }
  - { id: fail, type: control.fail, input: { message: "no" }, policy: { continueOnError: true } }
  - { id: last, type: template, config: { template: "{{#each all}}{{this}};{{/each}}" }, input: { all: ["{{read.text}}", "{{ask.route}}"] } }
edges:
  - { from: note, to: read }
  - { from: read, to: ask }
  - { from: odd, to: skip, when: { equals: { var: odd.condition, value: true } } }
  - { from: ask, to: last, when: { equals: { var: ask.route, value: approved } } }
`;

let folder: TestFolder;
let elsewhere: string;
let engine: Engine | undefined;
beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(folder.at('elsewhere'));
  elsewhere = folder.at('elsewhere');
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  folder.remove();
});

async function readState(reads: Engine, runId: string): Promise<RunState> {
  const events: readonly EventEnvelope[] = await reads.readEvents(runId as never, -1, 10_000);
  return foldRun(emptyRunState, events);
}

/** Runs the flow until its end, and sends it. Returns the state of the run. */
async function sendOne(text = flow): Promise<RunState> {
  folder.write('work/tea.flow.yaml', text);
  folder.write('work/called.flow.yaml', called);
  const own = await createEngine({
    ...{ workspace: folder.at('work'), homeFolder: folder.at('home'), env: {}, isTrusted: true, storeFile: inMemory },
  });
  try {
    const { runId } = await own.startRun({ path: 'tea.flow.yaml', text, inputs: {} });
    const { status } = await own.whenEnded(runId);
    if (status === 'suspended') {
      await own.resumeRun({ runId, decision: 'approve', comment: 'fine' });
      await own.whenEnded(runId);
    }
    await own.sendRun({ runId, to: folder.at('run.json') });
    return await readState(own, runId);
  } finally {
    await own.close();
  }
}

async function openSent(): Promise<Engine> {
  engine = await openSentEngine({
    ...{ file: folder.at('run.json'), workspace: elsewhere, homeFolder: folder.at('home2'), env: {} },
  });
  return engine;
}

/** Returns what can be compared of the nodes of a run. Private values are replaced, and names of child runs differ. */
function outcomesOf({ nodes }: RunState): unknown {
  const parts = [...nodes].map(([name, { status, output, skip }]) => [name, { status, output, skip: skip?.reason }]);
  return JSON.parse(JSON.stringify(Object.fromEntries(parts)).replaceAll(/\w+@[\w.]+/g, '[email]'));
}

test('a sent run is shown without its workspace, and everything else is refused', async () => {
  const original = await sendOne();
  const sent = await openSent();
  const [run] = await sent.listRuns({ limit: 10 });
  expect(run).toMatchObject({ number: 1, name: 'Tea', status: 'completed' });
  expect(outcomesOf(await readState(sent, run?.runId ?? ''))).toEqual(outcomesOf(original));
  expect(await sent.listFlows()).toMatchObject([{ path: 'tea.flow.yaml' }, { path: 'called.flow.yaml' }]);
  expect(await sent.readFlow('called.flow.yaml')).toMatchObject({ text: called, loss: expect.any(String) });
  const refused: readonly (() => unknown)[] = [
    () => sent.startRun({ path: 'tea.flow.yaml', text: flow, inputs: {} }),
    () => sent.rerunFrom({ runId: run?.runId as never, nodeId: 'note' }),
    () => sent.resumeRun({ runId: run?.runId as never }),
    () => sent.cancelRun(run?.runId),
    () => sent.writeFile({ path: 'a.flow.yaml', text: 'flow: {}' }),
    () => sent.setTrust(true),
    () => sent.readFlow('../../etc/passwd'),
  ];
  for (const act of refused) await expect(Promise.resolve().then(act)).rejects.toThrow(/sent run/);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a replay gives the recorded results without files, code, models or people', async () => {
  const original = await sendOne();
  expect(original.status).toBe('completed');
  const sent = await openSent();
  const heard: string[] = [];
  const ended = new Promise<void>((resolve) => {
    sent.subscribe((events) => {
      for (const { event, rootRunId } of events) {
        heard.push(event.type);
        if (event.type === 'run:end' && rootRunId === undefined) resolve();
      }
    });
  });
  const { runId } = await sent.replayRun();
  await ended;
  const replayed = await readState(sent, runId);
  expect(outcomesOf(replayed)).toEqual(outcomesOf(original));
  expect(replayed.status).toBe('completed');
  expect(heard).toEqual(expect.arrayContaining(['approval:requested', 'approval:resolved', 'edge:skipped']));
  expect(await sent.getRun(runId as never)).toMatchObject({ number: 2, status: 'completed', rerunOf: original.runId });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a replay fails at the first node without a recorded result, and names it', async () => {
  await sendOne();
  const text = JSON.parse(readFileSync(folder.at('run.json'), 'utf8'));
  text.events = text.events.filter(
    ({ event }: EventEnvelope) => !(event.type === 'task:complete' && event.nodeId === 'read'),
  );
  writeFileSync(folder.at('run.json'), JSON.stringify(text));
  const sent = await openSent();
  const { runId } = await sent.replayRun();
  await expect.poll(async () => (await sent.getRun(runId as never)).status).toBe('failed');
  expect(await sent.getRun(runId as never)).toMatchObject({
    error: { code: 'replay.missing', nodeId: 'read', message: expect.stringContaining('"read"') },
  });
});
