/** Tests that runs survive the death of any process: workers, Restate and PostgreSQL. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { type DurableWorld, openDurableTest, type TestWorker } from '../../testing/durable-world.ts';
import { freePort } from '../../testing/free-port.ts';
import { testRounds } from '../../testing/test-rounds.ts';

let world: DurableWorld | { readonly missing: string };

beforeAll(async () => {
  world = await openDurableTest({ files: {}, hasOwnServers: true });
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
});

function usable({ skip }: TestContext): DurableWorld {
  return 'missing' in world ? skip(world.missing) : world;
}

/** Writes a line for each item, which must happen once, between steps that may happen again. */
const flow = `
flow: { name: Writes, policy: { maxParallel: 3 } }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2, 3, 4, 5, 6], body: [before, pause, write], maxParallel: 3 } }
  - { id: before, type: echo, input: { text: 'item {{item}}' } }
  - { id: pause, type: control.wait, input: { ms: 50 } }
  - id: write
    type: command.run
    config: { program: sh }
    input: { args: [-c, 'echo "$ITEM" >> "$FILE"; sleep 0.3'], env: { ITEM: '{{before.text}}', FILE: '{{flow.input.file}}' } }
edges:
  - { from: before, to: pause }
  - { from: pause, to: write }`;

/** Approves that interrupted work runs again, as a person would after looking at the effects. */
function approveInterrupted(history: DurableWorld['history'], runId: RunId): void {
  const approve = async (): Promise<void> => {
    for (const { name, asked, isAnswered } of await history.asksOf(runId)) {
      if (asked !== undefined || isAnswered) continue;
      const { answerSharedRun } = await import('../reads/shared-answers.ts');
      const request = { runId, nodeId: name, decision: 'approve' as const, by: 'kim' };
      await answerSharedRun(history, request, { now: Date.now(), policies: [] });
    }
  };
  // Another event repeats it if the request is not open yet, or the database is away.
  approve().catch(() => undefined);
}

function linesIn(workspace: string, file: string): readonly string[] {
  return readFileSync(path.join(workspace, file), 'utf8').trim().split('\n');
}

function interruptedIn(log: readonly EventEnvelope[]): readonly string[] {
  return log.flatMap(({ event }) =>
    event.type === 'node:suspended' && event.request.reason === 'operator' ? [event.nodeId] : [],
  );
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('13.11 after a worker was killed, nothing external happens twice without a decision, and the log is exact', async (context) => {
  const { workspace, history, start, startWorker, whenEnded } = bound(usable(context));
  const port = await freePort();
  for (let round = 0; round < testRounds(2); round++) {
    const file = `worker-${round}.txt`;
    let worker: TestWorker = await startWorker(port);
    const runId = await start(flow, { file });
    const ended = whenEnded(runId);
    for (let kill = 0; kill < 3; kill++) {
      await wait(200 + 150 * ((round + kill) % 4));
      await worker.kill();
      worker = await startWorker(port);
    }
    const asking = setInterval(() => approveInterrupted(history, runId), 300);
    const log = await ended.finally(() => clearInterval(asking));
    await worker.kill();
    expect(log.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'completed' });
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
    // Work that ran again was interrupted, and a person has agreed.
    expect(linesIn(workspace, file).length).toBeLessThanOrEqual(6 + interruptedIn(log).length);
    expect(new Set(linesIn(workspace, file)).size).toBe(6);
  }
}, 300_000);

test('13.11 after Restate and PostgreSQL were killed, running steps continue and nothing external happens twice', async (context) => {
  const { workspace, servers, start, startWorker, whenEnded } = bound(usable(context));
  const worker = await startWorker();
  for (let round = 0; round < testRounds(1); round++) {
    for (const [place, server] of servers.entries()) {
      const file = `server-${round}-${place}.txt`;
      const runId = await start(flow, { file });
      await wait(300 + 100 * round);
      await server.kill();
      await wait(300);
      await server.start();
      const log = await whenEnded(runId);
      expect(log.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'completed' });
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
      expect(interruptedIn(log)).toEqual([]);
      expect([...linesIn(workspace, file)].sort()).toEqual([1, 2, 3, 4, 5, 6].map((item) => `item ${item}`));
    }
  }
  await worker.kill();
}, 300_000);

function bound(opened: DurableWorld) {
  const { workspace, history, servers } = opened;
  return {
    ...{ workspace, history, servers },
    start: opened.start.bind(opened),
    startWorker: opened.startWorker.bind(opened),
    // Reads fail while the database is away.
    async whenEnded(runId: RunId): Promise<readonly EventEnvelope[]> {
      for (;;) {
        try {
          return await opened.whenEnded(runId);
        } catch {
          await wait(100);
        }
      }
    },
  };
}
