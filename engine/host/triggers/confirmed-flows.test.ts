/** 13.8: what a person has switched on is a flow as it was, with everything that it calls. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEngine, type Engine, inMemory } from '../../index.ts';

const path = 'report.flow.yaml';
const text = `flow:
  name: Report
  triggers:
    - { id: constructor, schedule: { every: 1h } }
nodes: [{ id: call, type: flow, input: { flow: below.flow.yaml } }]
edges: []
`;
const below = 'flow: { name: Below }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n';

let folder: string;
let homeFolder: string;
let engine: Engine;
const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-confirmed-'));
  write(path, text);
  write('below.flow.yaml', below);
  homeFolder = mkdtempSync(join(tmpdir(), 'millrace-confirmed-home-'));
  engine = await createEngine({ workspace: folder, homeFolder, storeFile: inMemory });
  await engine.setTrust(true);
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function onlyTrigger() {
  const [entry] = await engine.listTriggers();
  if (entry === undefined) throw new Error('The flow has a trigger.');
  return entry;
}

test('13.8: a trigger is off until it is switched on, whatever its name, and a change of the flow asks again', async () => {
  expect((await onlyTrigger()).state).toBe('off');
  await engine.switchTriggers({ flow: path, isOn: true, by: 'kim' });
  expect((await onlyTrigger()).state).toBe('on');
  write('below.flow.yaml', below.replace('hi', 'bye'));
  expect((await onlyTrigger()).state).toBe('changed');
  write('below.flow.yaml', below);
  expect((await onlyTrigger()).state).toBe('on');
});

test('only a workspace that is not trusted needs trust, and only triggers without other problems say so', async () => {
  expect(await onlyTrigger()).not.toHaveProperty('needsTrust');
  await engine.setTrust(false);
  expect(await onlyTrigger()).toMatchObject({
    needsTrust: true,
    problem: 'The workspace is not trusted. Trust it in Settings, or add --trust.',
  });
  write(path, `${text}\nwrong: 1\n`);
  expect(await onlyTrigger()).not.toHaveProperty('needsTrust');
});

test('13.8: a change that the service has not noticed yet starts nothing', async () => {
  const { flowHash: unlessChanged } = await onlyTrigger();
  const start = { path, text, inputs: {}, unlessChanged };
  await engine.whenEnded((await engine.startRun(start)).runId);
  write('below.flow.yaml', below.replace('hi', 'bye'));
  await expect(engine.startRun(start)).rejects.toMatchObject({ code: 'flow.changed' });
  write('below.flow.yaml', below);
  const edited = { ...start, text: text.replace('Report', 'Other') };
  await expect(engine.startRun(edited)).rejects.toMatchObject({ code: 'flow.changed' });
  expect(await engine.listRuns({ limit: 10 })).toHaveLength(1);
});

test('13.8: a person switches on only what they have seen', async () => {
  const { hash: seen } = await onlyTrigger();
  write('below.flow.yaml', below.replace('hi', 'bye'));
  const request = { flow: path, trigger: 'constructor', isOn: true, seen };
  await expect(engine.switchTriggers(request)).rejects.toMatchObject({ code: 'flow.changed' });
  expect((await onlyTrigger()).state).toBe('off');
});

test('a firing that was refused starts again with the same event, once, and only while its trigger is on', async () => {
  await engine.switchTriggers({ flow: path, isOn: true });
  const service = await engine.startTriggers({ onNote: () => undefined });
  const first = { flow: path, trigger: 'constructor', key: 'k', event: { dueAt: 'x' }, priority: 3, createdAt: 1 };
  const { firing } = await service.fire({ ...first, state: 'skipped', reason: 'overlap' });
  const again = await engine.fireAgain(firing.id);
  expect(again).toMatchObject({ event: first.event, priority: 3 });
  expect((await engine.fireAgain(firing.id)).id).toBe(again.id);
  await engine.switchTriggers({ flow: path, isOn: false });
  await expect(engine.fireAgain(firing.id)).rejects.toMatchObject({ code: 'trigger.unusable' });
  await service.close();
});

test('13.8: a trigger whose flow is broken or missing for a moment stays on, and one that is deleted does not', async () => {
  await engine.switchTriggers({ flow: path, isOn: true, by: 'kim' });
  write(path, text.replace('every: 1h', 'every: often'));
  expect(await engine.listTriggers()).toMatchObject([
    {
      trigger: 'constructor',
      state: 'changed',
      problem: expect.stringContaining('millrace validate report.flow.yaml'),
    },
  ]);
  rmSync(join(folder, path));
  expect(await engine.listTriggers()).toMatchObject([
    { trigger: 'constructor', state: 'changed', problem: 'There is no flow report.flow.yaml, or it cannot be read.' },
  ]);
  write(path, text);
  expect((await onlyTrigger()).state).toBe('on');
  write(path, text.replace(/ {2}triggers:\n.*\n/, ''));
  expect(await engine.listTriggers()).toEqual([]);
});

test('a trigger of triggers.yaml names its file, and one of the same ID in the flow comes first', async () => {
  write(
    'triggers.yaml',
    `- { flow: ${path}, id: nightly, schedule: { every: 1d } }
- { flow: ${path}, id: constructor, schedule: { every: 2d } }
`,
  );
  expect((await engine.listTriggers()).map(({ trigger, file, doc }) => [trigger, file, doc.schedule])).toEqual([
    ['constructor', undefined, { every: '1h' }],
    ['nightly', 'triggers.yaml', { every: '1d' }],
  ]);
});

test('13.8: flows that would start each other without end need a limit', async () => {
  const chained = (name: string, after: string): void =>
    write(`${name}.flow.yaml`, below.replace('name: Below', `name: ${name}, triggers: [{ id: go, after: ${after} }]`));
  chained('a', '{ flow: b.flow.yaml }');
  chained('b', '{ flow: c.flow.yaml }');
  chained('c', '{ flow: a.flow.yaml }');
  chained('d', '{ flow: a.flow.yaml }');
  const circles = async () =>
    (await engine.listTriggers()).flatMap(({ flow, problem }) =>
      problem === undefined ? [] : [`${flow}: ${problem}`],
    );
  expect(await circles()).toHaveLength(3);
  expect((await circles())[0]).toBe(
    'a.flow.yaml: These flows would start each other without end: a.flow.yaml, then c.flow.yaml, then b.flow.yaml, then a.flow.yaml. Add a limit to the trigger.',
  );
  await expect(engine.switchTriggers({ flow: 'b.flow.yaml', isOn: true, by: 'kim' })).rejects.toMatchObject({
    code: 'trigger.unusable',
  });
  chained('c', '{ flow: a.flow.yaml }, limit: 3');
  expect(await circles()).toEqual([]);
});

test('all triggers are switched on at once, except those with a problem', async () => {
  write('other.flow.yaml', text.replace('below.flow.yaml', 'missing.flow.yaml'));
  write('third.flow.yaml', text);
  await engine.switchTriggers({ isOn: true });
  expect((await engine.listTriggers()).map(({ flow, state }) => `${flow} ${state}`)).toEqual([
    'other.flow.yaml off',
    'report.flow.yaml on',
    'third.flow.yaml on',
  ]);
});

test('13.8: reports a switch by another program', async () => {
  let told = 0;
  const end = engine.watchTriggers(() => told++);
  const other = await createEngine({ workspace: folder, homeFolder, storeFile: inMemory });
  // Switches until the watch, which starts asynchronously, reports one.
  await expect
    .poll(async () => {
      await other.switchTriggers({ flow: path, isOn: true });
      return told > 0;
    })
    .toBe(true);
  await other.close();
  end();
});
