/** Tests that workers are replaced by a newer version while runs are in progress. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { type CountingService, startCountingService } from '../../testing/counting-service.ts';
import { type DurableWorld, openDurableTest, type TestWorker } from '../../testing/durable-world.ts';
import { freePort } from '../../testing/free-port.ts';
import { testRounds } from '../../testing/test-rounds.ts';

type Version = 'old' | 'new';

const called = 'called.flow.yaml';

function calledFlow(version: Version): string {
  return `
flow: { name: Called, outputs: { text: "{{text.text}}" } }
nodes:
  - { id: wait, type: control.wait, input: { ms: 30 } }
  - { id: text, type: echo, input: { text: ${version} } }
edges: [{ from: wait, to: text }]
`;
}

interface TestedFlow {
  readonly service: CountingService;
  readonly version: Version;
  /** Whether the run waits for an approval; otherwise, its loop waits for the service. */
  readonly asks: boolean;
}

/** Calls another flow after it has been approved or released. Each request to the service has a separate key. */
function flowText({ service, version, asks }: TestedFlow): string {
  const post = (how: 'book' | 'hold', key: string): string =>
    `http.request, input: { method: POST, url: "${service.url}/${how}/${version} ${key}" }`;
  const gate = asks ? 'human_approval, input: { title: "Go on?" }' : post('hold', 'gate {{flow.input.id}}');
  const hold = asks ? 'echo, input: { text: x }' : post('hold', 'item {{flow.input.id}} {{item}}');
  return `
flow: { name: Upgraded, policy: { maxParallel: 3 }, inputs: { id: { type: string, required: true } } }
nodes:
  - { id: first, type: ${post('book', 'first {{flow.input.id}}')} }
  - { id: each, type: control.foreach, input: { items: [a, b], maxParallel: 2, body: [pause, hold, work] } }
  - { id: pause, type: control.wait, input: { ms: 30 } }
  - { id: hold, type: ${hold} }
  - { id: work, type: ${post('book', 'work {{flow.input.id}} {{item}}')} }
  - { id: gate, type: ${gate} }
  - { id: call, type: flow, input: { flow: ${called} } }
  - { id: end, type: constant, input: { value: ["${version}", "{{call.outputs.text}}"] } }
edges:
  - { from: first, to: gate }
  - { from: pause, to: hold }
  - { from: hold, to: work }
  - { from: gate, to: call }
  - { from: call, to: end }
  - { from: each, to: end }
`;
}

let service: CountingService;
let world: DurableWorld | { readonly missing: string };

beforeAll(async () => {
  service = await startCountingService();
  world = await openDurableTest({ files: { [called]: calledFlow('old') } });
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
  await service.close();
});

interface StartedRun {
  readonly runId: RunId;
  readonly id: string;
  readonly version: Version;
  readonly asks: boolean;
}

async function startRuns(durable: DurableWorld, version: Version, count: number): Promise<readonly StartedRun[]> {
  const runs: StartedRun[] = [];
  for (let index = 0; index < count; index++) {
    const [id, asks] = [String(index), index % 2 === 0];
    const runId = await durable.start(flowText({ service, version, asks }), { id });
    runs.push({ runId, id, version, asks });
  }
  return runs;
}

/** Keys of the requests that a run without an approval waits for. */
function heldKeys(id: string): readonly string[] {
  return [`gate ${id}`, `item ${id} a`, `item ${id} b`];
}

/** Resolves when all runs wait for an approval, or for the service in three places. */
async function whenAllWait(durable: DurableWorld, runs: readonly StartedRun[]): Promise<void> {
  const held = runs.flatMap(({ version, asks, id }) => (asks ? [] : heldKeys(id).map((key) => `${version} ${key}`)));
  await vi.waitFor(
    async () => {
      const waiting = new Set((await durable.history.listWaiting(10_000)).map(({ runId }) => runId));
      expect(runs.filter(({ asks, runId }) => asks && !waiting.has(runId))).toEqual([]);
      expect(held.filter((key) => !service.booked.has(key))).toEqual([]);
    },
    { timeout: 600_000, interval: 100 },
  );
}

async function approve(durable: DurableWorld, runs: readonly StartedRun[]): Promise<void> {
  for (const { runId, asks } of runs) if (asks) await durable.answer(runId, 'gate', { approved: true });
}

/** Checks logs, outputs and the requests to the service. */
async function checkEnds(durable: DurableWorld, runs: readonly StartedRun[]): Promise<void> {
  for (const { runId, id, version, asks } of runs) {
    const log = await durable.whenEnded(runId);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
    const { status, failedNodes, nodes } = foldRun(emptyRunState, log);
    expect({ status, failed: [...failedNodes] }).toEqual({ status: 'completed', failed: [] });
    const end = [...nodes.values()].find(({ nodeId }) => nodeId === 'end');
    expect(end?.output).toEqual({ value: [version, version] });
    const booked = [`first ${id}`, `work ${id} a`, `work ${id} b`, ...(asks ? [] : heldKeys(id))];
    for (const key of booked) expect([key, service.booked.get(`${version} ${key}`)]).toEqual([key, 1]);
  }
}

/** Returns the address of the worker that executes each run. */
async function addressesOf(durable: DurableWorld): Promise<ReadonlyMap<string, string>> {
  const rows = await durable.query<{ run: string; endpoint: string }>(
    `SELECT i.target_service_key AS run, d.endpoint AS endpoint FROM sys_invocation i
     JOIN sys_deployment d ON d.id = i.pinned_deployment_id WHERE i.target_handler_name = 'run'`,
  );
  return new Map(rows.map(({ run, endpoint }) => [run, endpoint.replace(/\/$/, '')]));
}

/** Highest resident memory of a process so far, in MB. */
function peakMemory({ process: { pid } }: TestWorker): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

test('13.11 a newer worker takes the new runs, and runs in progress end with the worker and the text they started with', {
  timeout: 3_600_000,
}, async (context) => {
  if ('missing' in world) return context.skip(world.missing);
  const durable = world;
  const begun = Date.now();
  const [oldPort, newPort] = [await freePort(), await freePort()];
  const oldWorker = await durable.startWorker(oldPort);
  const oldRuns = await startRuns(durable, 'old', testRounds(6));
  await whenAllWait(durable, oldRuns);

  await writeFile(path.join(durable.workspace, called), calledFlow('new'));
  const newWorker = await durable.startWorker(newPort);
  const newRuns = await startRuns(durable, 'new', testRounds(6));
  await whenAllWait(durable, newRuns);
  service.release();
  const [early, late] = [newRuns.filter(({ asks }) => !asks), newRuns.filter(({ asks }) => asks)];
  await approve(durable, oldRuns);
  await checkEnds(durable, [...oldRuns, ...early]);
  const peaks = [oldWorker, newWorker].map(peakMemory);
  expect(await oldWorker.drain()).toBe(0);
  await approve(durable, late);
  await checkEnds(durable, late);

  const runs = [...oldRuns, ...newRuns];
  const addresses = await addressesOf(durable);
  const expected = { old: `http://127.0.0.1:${oldPort}`, new: `http://127.0.0.1:${newPort}` };
  for (const { runId, version } of runs) expect(addresses.get(runId)).toBe(expected[version]);
  expect([...service.booked.values()].filter((count) => count > 1)).toEqual([]);
  const seconds = Math.round((Date.now() - begun) / 1000);
  await context.annotate(`${runs.length} runs in ${seconds} s, peak memory ${peaks.join(' and ')} MB`);
});
