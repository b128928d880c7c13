/** Tests answers that arrive at the moment a run is suspended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';

const text = `
flow: { name: Approval }
nodes:
  - { id: ask, type: human_approval, input: { title: "Pay?" } }
  - { id: paid, type: echo, input: { text: "paid by {{ask.by}}" } }
edges: [{ from: ask, to: paid }]`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-suspension-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(): Promise<TestExecutor> {
  return createTestExecutor({ openStore: (context) => openRunStore({ file: join(folder, 'runs.db'), ...context }) });
}

/** Answers like another program as soon as the suspension is stored. */
function answerAtSuspension({ executor, store }: TestExecutor): void {
  const stop = executor.subscribe((events) => {
    if (!events.some(({ event }) => event.type === 'run:suspended')) return;
    stop();
    for (const { runId, name, key = '', requestHash = '' } of store.waiting.list(1))
      store.claimAnswer(runId, { name, key, requestHash, payload: { approved: true }, at: 5, by: 'kim' }, false);
  });
}

test('12.1 h the run continues in the same process: a caller that waits for its end receives the end, not the suspension', async () => {
  const world = await open();
  answerAtSuspension(world);
  const { runId } = await world.run(text);
  expect((await world.executor.whenActiveEnded(runId))?.status).toBe('completed');
  await world.close();
});

test('12.1 h if the program closes instead, the answer is kept and the run is not canceled', async () => {
  const world = await open();
  answerAtSuspension(world);
  const { runId, ended } = await world.run(text);
  await Promise.all([world.executor.whenActiveEnded(runId), ended.then(() => world.close())]);
  const later = await open();
  expect(later.store.getRun(runId)?.status).toBe('suspended');
  const { ended: end } = await later.executor.resumeRun({ runId });
  expect((await end).status).toBe('completed');
  await later.close();
});
