/** Tests a history with an event of another version: its run, and all others, stay readable. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDb } from '../../history/store/db.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

test('a run with an unknown event is listed, read and exported like the others', async () => {
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
  const runs = await engine.listRuns({ limit: 9 });
  expect(runs.map(({ sourcePath, status }) => [sourcePath, status])).toEqual([
    ['c.flow.yaml', 'completed'],
    ['b.flow.yaml', 'completed'],
    ['a.flow.yaml', 'completed'],
  ]);
  const logs = await Promise.all(ids.map((id) => engine.readEvents(id, -1, 5000)));
  const types = logs.map((log) => new Set(log.map(({ event }) => String(event.type))));
  expect(types.map((seen) => seen.has('node:dreamt'))).toEqual([false, true, false]);
  for (const [index, id] of ids.entries()) {
    await engine.exportRun(id, join(at.root, `${index}.json`));
    await engine.exportRun(id, join(at.root, `traces-${index}`), 'trace');
  }
});
