/** Files with many records, one of which is odd: errors name the odd record, and readable records stay readable. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDb } from '../store/db.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

const write = (name: string, text: string) => at.write(`workspace/${name}`, text);

const call = (text: string) => `- kind: model\n  request: ${text}\n  response: ${text}\n`;

test.each([
  ['without an answer', '- kind: model\n  request: b\n', 6],
  ['with a kind that is a number', '- { kind: 7, request: b, response: b }\n', 6],
  ['with an error that has no code', '- kind: model\n  request: b\n  error: { message: x }\n', 6],
  ['that is a number', '- 7\n', 6],
  ['that is nothing', '-\n', 6],
])('a cassette with a call %s is refused with the line of that call', async (_, odd, line) => {
  const file = write('tests/a.cassette.yaml', `cassette: 1\ncalls:\n${call('a')}${odd}${call('c')}`);
  const opened = at.open({ cassette: { file, mode: 'replay' } });
  await expect(opened).rejects.toMatchObject({
    code: 'cassette.unreadable',
    message: expect.stringContaining(`line ${line}: calls.1`),
  });
});

const locked = (name: string) =>
  `[packs."acme@${name}"]\nversion = "1.0.0"\nsource = "aipack.ai"\nsha256 = "${'0'.repeat(64)}"\n`;

test.each([
  ['with an odd version', `[packs."acme@b"]\nversion = 7\n`],
  ['without anything', '[packs."acme@b"]\n'],
  ['that is a number', '[packs]\n"acme@b" = 7\n'],
])('packs.lock with an entry %s is refused by the name of that entry, and stays as it is', async (_, odd) => {
  const isTable = odd.startsWith('[packs."');
  const text = isTable
    ? `version = 1\n${locked('a')}${odd}${locked('c')}`
    : `version = 1\n${odd}${locked('a')}${locked('c')}`;
  const file = write('packs.lock', text);
  const engine = await at.open();
  await expect(engine.installPack({ uri: at.at('x.aipack') })).rejects.toMatchObject({
    code: 'pack.bad-lock',
    message: expect.stringContaining(`${file} cannot be used: acme@b `),
  });
});

test('a run with an event that this version does not know is listed, read and exported like the others', async () => {
  const flow = 'flow: { name: F }\nnodes:\n  - { id: n, type: echo, input: { text: hi } }\nedges: []\n';
  const first = await at.open();
  const ids = [];
  for (const path of ['a.flow.yaml', 'b.flow.yaml', 'c.flow.yaml']) {
    const { runId } = await first.startRun({ path, text: flow, inputs: {} });
    await first.whenEnded(runId);
    ids.push(runId);
  }
  await first.close();
  const db = await openDb(at.at('workspace/.millrace/runs.db'));
  db.exec(
    `UPDATE event_group SET json = replace(json, '"type":"node:input"', '"type":"node:dreamt"')
     WHERE id / 4294967296 = (SELECT max(id) / 4294967296 - 1 FROM event_group)`,
  );
  db.close();
  const engine = await at.open();
  const runs = engine.listRuns({ limit: 9 });
  expect(runs.map(({ sourcePath, status }) => [sourcePath, status])).toEqual([
    ['c.flow.yaml', 'completed'],
    ['b.flow.yaml', 'completed'],
    ['a.flow.yaml', 'completed'],
  ]);
  const types = ids.map((id) => new Set(engine.readEvents(id, -1, 5000).map(({ event }) => String(event.type))));
  expect(types.map((seen) => seen.has('node:dreamt'))).toEqual([false, true, false]);
  for (const [index, id] of ids.entries()) {
    await engine.exportRun(id, join(at.root, `${index}.json`));
    await engine.exportRun(id, join(at.root, `traces-${index}`), 'trace');
  }
});
