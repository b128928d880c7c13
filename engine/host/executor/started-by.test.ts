import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEngine, type Engine, type EngineOptions, inMemory } from '../../index.ts';
import type { RunId, StartedBy } from '../../isomorphic.ts';
import { readWholeRun } from '../../isomorphic.ts';

let folder: string;
let engine: Engine;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-starter-'));
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = 'flow: { name: Say }\nnodes: [{ id: a, type: control.noop, input: {} }]\nedges: []\n';

async function open(options: Partial<EngineOptions> = {}): Promise<void> {
  writeFileSync(join(folder, 'say.flow.yaml'), text);
  engine = await createEngine({ workspace: folder, homeFolder: join(folder, 'home'), storeFile: inMemory, ...options });
}

/** Who started a run, in its first event, in lists and in its state. */
async function startersOf(runId: RunId): Promise<unknown> {
  await engine.whenEnded(runId);
  const { events } = await readWholeRun(engine, runId);
  const start = events.find(({ event }) => event.type === 'run:start')?.event;
  const [listed] = await engine.listRuns({ limit: 1 });
  return [start !== undefined && 'startedBy' in start && start.startedBy, listed?.startedBy];
}

test('13.14: a run records who started it: the host, or who the request names', async () => {
  await open();
  const first = await engine.startRun({ path: 'say.flow.yaml', text, inputs: {} });
  expect(await startersOf(first.runId)).toEqual([{ kind: 'library' }, { kind: 'library' }]);
  const byTrigger = { kind: 'trigger', name: 'daily' } as const;
  const second = await engine.startRun({ path: 'say.flow.yaml', text, inputs: {}, startedBy: byTrigger });
  expect(await startersOf(second.runId)).toEqual([byTrigger, byTrigger]);
  const again = await engine.redo({ runId: second.runId });
  expect(await startersOf(again.runId)).toEqual([{ kind: 'library' }, { kind: 'library' }]);
});

test('13.8: a run whose firing another process has started is refused without a notice about the history', async () => {
  await open();
  const added = { flow: 'say.flow.yaml', trigger: 'in', key: 'one', event: {}, priority: 0, createdAt: 0 };
  const request = { path: 'say.flow.yaml', text, inputs: {}, firing: { added } };
  const { runId } = await engine.startRun(request);
  await engine.whenEnded(runId);
  await expect(engine.startRun(request)).rejects.toMatchObject({ code: 'firing.taken' });
  expect(engine.notices).toEqual([]);
});

test('13.14: the host names itself once for all runs, agents included', async () => {
  await open({ startedBy: { kind: 'person' } });
  writeFileSync(join(folder, 'note.aip'), '# Data\n\n```lua\nreturn { ok = true }\n```\n');
  const accepted = await engine.startAgent({ agent: 'note.aip' });
  if (!('runId' in accepted)) throw new Error('The agent needs no consent.');
  expect(await startersOf(accepted.runId)).toEqual([{ kind: 'person' }, { kind: 'person' }]);
});

test('13.14: lists can be restricted to a kind of start, and to one name of it', async () => {
  await open();
  const start = async (startedBy: StartedBy): Promise<RunId> => {
    const { runId } = await engine.startRun({ path: 'say.flow.yaml', text, inputs: {}, startedBy });
    await engine.whenEnded(runId);
    return runId;
  };
  const listed = async (startedBy: StartedBy) =>
    (await engine.listRuns({ startedBy, limit: 9 })).map(({ runId }) => runId);
  const short = await start({ kind: 'trigger', name: 'day "1"' });
  const long = await start({ kind: 'trigger', name: 'day "1" and more' });
  const person = await start({ kind: 'person', name: 'trigger' });
  expect(await listed({ kind: 'trigger' })).toEqual([long, short]);
  expect(await listed({ kind: 'trigger', name: 'day "1"' })).toEqual([short]);
  expect(await listed({ kind: 'person' })).toEqual([person]);
  expect(await listed({ kind: 'http' })).toEqual([]);
});
