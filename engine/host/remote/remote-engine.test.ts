/**
 * Tests the engine of a remote history against PostgreSQL.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import { openSharedHistory } from '../../history/postgres/open-shared-history.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { listRemoteWorkspaces, openRemoteEngine } from '../../remote.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { askingLog, asOf } from '../../testing/asking-log.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { isMissing, type PostgresMissing, startPostgres, type TestPostgres } from '../../testing/test-postgres.ts';
import type { RemotePlace } from './remote-place.ts';

// A server of its own, because a test stops it.
const postgres: TestPostgres | PostgresMissing = await startPostgres({ isDurable: true });
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';
const host = { engine: 'restate' };
const patience = { timeout: 30_000, interval: 50 };

describe.skipIf(isMissing(postgres))(`a remote history${why}`, { timeout: 60_000 }, () => {
  let url: URL;
  let place: RemotePlace;
  let asking: readonly EventEnvelope[];
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    if (isMissing(postgres)) return;
    url = new URL(await postgres.createDatabase());
    place = {
      ...{ host: url.hostname, port: Number(url.port), database: url.pathname.slice(1), user: url.username },
      ...{ schema: 'millrace', tls: 'disable' },
    };
    const log = await askingLog();
    const end = log.findIndex(({ event, rootRunId }) => event.type === 'run:suspended' && rootRunId === undefined);
    asking = log.slice(0, end + 1);
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function openHistory(workspace: string, home?: string): Promise<SharedHistory> {
    const history = await openSharedHistory({ url: url.href, workspace, ...(home === undefined ? {} : { home }) });
    ends.unshift(() => history.close());
    return history;
  }

  async function openEngine(
    remoteWorkspace: string,
    password = () => url.password,
    user = place.user,
  ): Promise<Engine> {
    const folder = mkdtempSync(path.join(tmpdir(), 'millrace-remote-'));
    const options = { workspace: path.join(folder), homeFolder: path.join(folder, 'home'), env: {} };
    const engine = await openRemoteEngine({ ...options, place: { ...place, user }, remoteWorkspace, password });
    ends.unshift(async () => {
      await engine.close();
      expect(readdirSync(folder).filter((name) => name !== 'home')).toEqual([]);
      rmSync(folder, { recursive: true });
    });
    return engine;
  }

  function logOf(runId: RunId): readonly EventEnvelope[] {
    return asking.map((event) => asOf(runId, asking, event));
  }

  test('shows runs, their flows and new events in order', async () => {
    const history = await openHistory('orders');
    const first = asRunId('first');
    await history.createRun({ ...newRun(first, { definition: 'flow: { name: Old }\n' }), host });
    const engine = await openEngine('orders');
    expect(await listRemoteWorkspaces(place, url.password)).toContain('orders');
    const heard: EventEnvelope[] = [];
    const changed = vi.fn();
    engine.subscribe((events) => void heard.push(...events));
    engine.watchFlows(changed);
    expect(await engine.listRuns({ limit: 10 })).toMatchObject([{ runId: first, status: 'queued' }]);
    const flows = await engine.listFlows();
    expect(flows).toEqual([{ path: 'flows/report.flow.yaml', change: null }]);
    expect(await engine.listFolder('')).toMatchObject({ entries: [{ name: 'flows', kind: 'folder' }] });
    expect(await engine.listFolder('flows')).toMatchObject({ entries: [{ path: 'flows/report.flow.yaml' }] });
    expect(await engine.readFlow('flows/report.flow.yaml')).toMatchObject({
      text: 'flow: { name: Old }\n',
      loss: expect.stringContaining('latest run'),
    });

    const second = asRunId('second');
    await history.createRun({ ...newRun(second, { definition: 'flow: { name: New }\n' }), host });
    const events = envelopes(second, [runStart, runCompleted]);
    await history.project([{ runId: second, events }]);
    await vi.waitFor(() => expect(heard).toEqual(events), patience);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledWith(['flows/report.flow.yaml']), patience);
    expect((await engine.readFlow('flows/report.flow.yaml')).text).toBe('flow: { name: New }\n');
    expect(await engine.getRun(second)).toMatchObject({ status: 'completed' });
  });

  test('stores answers and requests to cancel for the workers', async () => {
    const history = await openHistory('answers');
    const runId = asRunId('asks');
    await history.createRun({ ...newRun(runId), host });
    await history.project([{ runId, events: logOf(runId) }]);
    const engine = await openEngine('answers');
    const changed = vi.fn();
    engine.watchHistory(changed);
    const waiting = await engine.listWaiting();
    const approval = waiting.find(({ kind }) => kind === 'approval');
    if (approval?.key === undefined) throw new Error('The sample log has no approval.');
    const { name: nodeId, key } = approval;
    await expect(engine.resumeRun({ runId, nodeId: 'nothing', decision: 'approve' })).rejects.toMatchObject({
      code: 'run.invalid-state',
    });
    await engine.resumeRun({ runId, nodeId, key, decision: 'approve', comment: 'fine' });
    const [answer] = await history.undeliveredAnswers('durable', 10);
    expect(answer).toMatchObject({ runId, answer: { name: nodeId, payload: { approved: true, comment: 'fine' } } });
    expect(await engine.listWaiting()).toHaveLength(waiting.length - 1);
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), patience);
    await expect(engine.resumeRun({ runId, nodeId, key, decision: 'reject' })).rejects.toMatchObject({
      code: 'run.invalid-state',
    });
    await engine.cancelRun(runId);
    expect(await history.openRequests('durable', 10)).toMatchObject([{ runId, kind: 'cancel' }]);
  });

  test('13.5 pauses a run of workers, lets it step and continue, and changes none of its values', async () => {
    const history = await openHistory('pausing');
    const [runId, local] = [asRunId('paused'), asRunId('local')];
    await history.createRun({ ...newRun(runId), host });
    await history.project([{ runId, events: envelopes(runId, [runStart]) }]);
    const home = await openHistory('pausing', 'machine');
    await home.createRun(newRun(local));
    await home.project([{ runId: local, events: envelopes(local, [runStart]) }]);
    const engine = await openEngine('pausing');
    await expect(engine.resumeRun({ runId, action: 'continue' })).rejects.toThrow('is not paused');
    await engine.pauseRun(runId);
    expect(await history.openRequests('durable', 10)).toMatchObject([{ runId, kind: 'pause' }]);
    // Its nodes are still running. The latest request counts.
    await engine.resumeRun({ runId, action: 'step', by: 'kim' });
    expect(await history.openRequests('durable', 10)).toMatchObject([{ runId, kind: 'step', by: 'kim' }]);
    const suspended: RunEvent = { type: 'run:suspended', reason: 'breakpoint', nodeId: 'a' };
    await history.project([{ runId, events: envelopes(runId, [suspended], 1) }]);
    await expect(engine.pauseRun(runId)).rejects.toMatchObject({ code: 'run.invalid-state' });
    await engine.resumeRun({ runId, action: 'continue', by: 'kim' });
    expect(await history.openRequests('durable', 10)).toMatchObject([{ runId, kind: 'continue', by: 'kim' }]);
    const changes = [{ action: 'skip', output: 1 }, { action: 'edit', input: {} }, { action: 'raise' }] as const;
    for (const change of changes)
      await expect(engine.resumeRun({ runId, ...change })).rejects.toThrow("can't be changed");
    await expect(engine.pauseRun(local)).rejects.toThrow('on the machine that runs it');
    await expect(engine.pauseRun(asRunId('none'))).rejects.toMatchObject({ code: 'run.not-found' });
  });

  test('a user who may only read watches runs, and cannot answer them', async () => {
    const history = await openHistory('reading');
    const runId = asRunId('seen');
    await history.createRun({ ...newRun(runId), host });
    await history.project([{ runId, events: logOf(runId) }]);
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(`CREATE ROLE reader LOGIN PASSWORD 'r'; GRANT USAGE ON SCHEMA millrace TO reader;
      GRANT SELECT ON ALL TABLES IN SCHEMA millrace TO reader`);
    await client.end();
    const engine = await openEngine('reading', () => 'r', 'reader');
    expect(await engine.getRun(runId)).toMatchObject({ status: 'suspended' });
    expect(await engine.readEvents(runId, -1, 5000)).toHaveLength(logOf(runId).length);
    expect(await engine.listWaiting()).not.toEqual([]);
    await expect(engine.cancelRun(runId)).rejects.toMatchObject({ code: 'store.denied' });
    // The connection itself works.
    await vi.waitFor(() => expect(engine.notices).toEqual([]), patience);
  });

  test('refuses everything that would act on this computer', async () => {
    const engine = await openEngine('refusing');
    const file = { path: 'a.flow.yaml', text: 'flow: {}' };
    const refused: readonly (() => unknown)[] = [
      () => engine.startRun({ path: 'a.flow.yaml', inputs: {} } as never),
      () => engine.startAgent({ agent: 'a.aip', inputs: [] } as never),
      () => engine.redo({ runId: asRunId('a') }),
      () => engine.rerunFrom({ runId: asRunId('a'), nodeId: 'b' }),
      () => engine.writeFile(file),
      () => engine.createFile({ path: 'a.txt', kind: 'file' }),
      () => engine.installPack({ uri: 'acme/pack' }),
      () => engine.setTrust(true),
      () => engine.saveProvider({ name: 'x', kind: 'openai' }),
      () => engine.setSecret({ name: 'A', value: 'b' }),
      () => engine.startConversation({} as never),
      () => engine.tryTool({} as never),
      () => engine.deleteRun(asRunId('a')),
      () => engine.cancelRun(),
    ];
    for (const act of refused)
      await expect(Promise.resolve().then(act)).rejects.toMatchObject({ code: 'engine.remote' });
  });

  test('a wrong password is reported without it, and a new one is used', async () => {
    await openHistory('locked');
    let password = 'wr0ng-s3cret';
    const engine = await openEngine('locked', () => password);
    await expect(engine.listRuns({ limit: 1 })).rejects.toMatchObject({ code: 'store.denied' });
    expect(engine.notices).toMatchObject([{ code: 'store.denied' }]);
    expect(JSON.stringify(engine.notices)).not.toContain(password);
    await expect(listRemoteWorkspaces(place, password)).rejects.toThrow(/^(?!.*wr0ng).*denied access/);
    password = url.password;
    await vi.waitFor(() => expect(engine.notices).toEqual([]), patience);
    expect(await engine.listRuns({ limit: 1 })).toEqual([]);
  });

  test('a lost server is reported, and nothing is missed after it is back', async ({ skip }) => {
    if (isMissing(postgres) || postgres.outage === undefined) return skip('needs a server of its own');
    const history = await openHistory('outage');
    const runId = asRunId('lasting');
    await history.createRun({ ...newRun(runId), host });
    const engine = await openEngine('outage');
    const heard: EventEnvelope[] = [];
    const told = vi.fn();
    engine.subscribe((events) => void heard.push(...events));
    engine.watchFlows(told);
    expect(await engine.listFlows()).toHaveLength(1);
    const [start, end] = [envelopes(runId, [runStart]), envelopes(runId, [runCompleted], 1)];
    await history.project([{ runId, events: start }]);
    await vi.waitFor(() => expect(heard).toEqual(start), patience);

    await postgres.outage.kill();
    await vi.waitFor(() => expect(engine.notices).toMatchObject([{ code: 'store.unreachable' }]), patience);
    expect(told).toHaveBeenCalledWith([]);
    // Known flows stay in the list.
    expect(await engine.listFlows()).toHaveLength(1);
    await postgres.outage.start();
    await vi.waitFor(() => expect(engine.notices).toEqual([]), patience);
    await history.project([{ runId, events: end }]);
    await vi.waitFor(() => expect(heard).toEqual([...start, ...end]), patience);
  });
});
