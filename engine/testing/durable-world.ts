/**
 * Restate, a shared history and workers for tests: real servers, and workers that are the built program.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { Engine } from '../engine.ts';
import { openSharedHistory } from '../history/postgres/open-shared-history.ts';
import { hashOfCut, type SharedHistory } from '../history/postgres/shared-history.ts';
import { RestateClient } from '../host/durable/restate-client.ts';
import { parseRestateUrl } from '../host/durable/restate-url.ts';
import { SharedRuns } from '../host/durable/shared-runs.ts';
import { createIdSource } from '../host/executor/id-source.ts';
import { createEngine } from '../index.ts';
import type { JsonMap } from '../language/json/json-value.ts';
import type { EventEnvelope, RunEvent } from '../runtime/kernel/events/run-event.ts';
import type { BreakpointsByFile } from '../runtime/kernel/hub/run-pause.ts';
import { checkAnswer } from '../runtime/kernel/requests/check-answer.ts';
import { builtPart } from './built-program.ts';
import { freePort } from './free-port.ts';
import { isMissing, sharedPostgres, startPostgres } from './test-postgres.ts';
import { findWorkerNode, sharedRestate, startRestate } from './test-restate.ts';

/** A worker: a process of the built program. */
export interface TestWorker {
  readonly process: ChildProcess;
  /** Ends the process at once (`SIGKILL`). */
  kill(): Promise<void>;
  /** Lets the process finish its running steps (`SIGTERM`). Resolves with its exit code. */
  drain(): Promise<number | null>;
}

interface KillableServer {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Runs of one workspace on a durable host. */
export interface DurableWorld {
  readonly workspace: string;
  /** URL of Restate, as for `--on`. */
  readonly on: string;
  /** URL of the history, as for `--history`. */
  readonly historyUrl: string;
  readonly history: SharedHistory;
  /** The servers that can be killed: Restate and PostgreSQL. */
  readonly servers: readonly KillableServer[];
  /**
   * @param port a run continues only with a worker at the address where it started; the same one by default
   * @param options further arguments of `millrace worker`
   */
  startWorker(port?: number, options?: readonly string[]): Promise<TestWorker>;
  start(text: string, inputs?: JsonMap, breakpoints?: BreakpointsByFile): Promise<RunId>;
  /** Records a run like a program that ended a minute ago, before it could start the run. */
  record(text: string, inputs?: JsonMap): Promise<RunId>;
  /** Answers the first open request of a node. Resolves when the answer is stored. */
  answer(runId: RunId, nodeId: string, payload: JsonMap): Promise<void>;
  /** Approves all open requests, also those about interrupted work. */
  approveAll(runId: RunId): Promise<void>;
  /** Reads Restate's tables with SQL. */
  query<Row extends object>(sql: string): Promise<readonly Row[]>;
  /** Resolves with the log when the run has ended. @param onEvent called with each event of the root run */
  whenEnded(runId: RunId, onEvent?: (event: RunEvent) => void): Promise<readonly EventEnvelope[]>;
  close(): Promise<void>;
}

interface DurableWorldOptions {
  /** Text of the workspace's files, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Starts servers that only this workspace uses, so that they can be killed. */
  readonly hasOwnServers?: true;
  /** Starts a Restate that only this workspace uses, with further environment variables. */
  readonly restateEnv?: Readonly<Record<string, string>>;
}

/** Opens a workspace with the servers. Returns why this is impossible instead if they cannot be started. */
export async function openDurableTest({
  files,
  hasOwnServers,
  restateEnv,
}: DurableWorldOptions): Promise<DurableWorld | { readonly missing: string }> {
  const postgres = await (hasOwnServers === true ? startPostgres({ isDurable: true }) : sharedPostgres());
  const hasOwnRestate = hasOwnServers === true || restateEnv !== undefined;
  const restate = await (hasOwnRestate ? startRestate(restateEnv) : sharedRestate());
  const node = findWorkerNode();
  if (isMissing(postgres)) return postgres;
  if ('missing' in restate) return restate;
  if (typeof node !== 'string') return node;
  const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-durable-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
    await writeFile(path.join(workspace, name), text);
  }
  const url = await postgres.createDatabase();
  const name = path.basename(workspace);
  const on = restate.onUrl(name);
  const history = await openSharedHistory({ url, workspace: name });
  const engine = await createEngine({ workspace, storeFile: ':memory:', homeFolder: path.join(workspace, 'no-home') });
  const world = new TestWorld({ workspace, history, engine, on });
  const cli = path.join(await builtPart('cli'), 'cli.cjs');
  // Restate continues a run only at the address where it began.
  const usualPort = await freePort();
  const workers: TestWorker[] = [];
  return Object.assign(world, {
    servers: serversIn(restate, postgres),
    historyUrl: url,
    async startWorker(port = usualPort, options: readonly string[] = []) {
      const listen = `127.0.0.1:${port}`;
      const place = ['--on', on, '--history', url, '--workspace', workspace, '--listen', listen];
      const worker = await startWorkerProcess(node, [cli, 'worker', ...place, '--trust', ...options], workspace);
      workers.push(worker);
      return worker;
    },
    async close() {
      for (const worker of workers) await worker.kill();
      await engine.close();
      await history.close();
      await rm(workspace, { recursive: true, force: true });
    },
  });
}

function serversIn(
  restate: object & Partial<KillableServer>,
  { outage }: object & { readonly outage?: KillableServer },
): readonly KillableServer[] {
  const { kill, start } = restate;
  const own = kill === undefined || start === undefined ? [] : [{ kill, start }];
  return outage === undefined ? own : [...own, outage];
}

async function startWorkerProcess(node: string, args: readonly string[], workspace: string): Promise<TestWorker> {
  const env = { ...process.env, MILLRACE_HOME: path.join(workspace, 'no-home') };
  const child = spawn(node, args, { cwd: workspace, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      if (errors.includes('is ready on')) resolve();
    });
    child.once('exit', () => reject(new Error(`The worker has ended: ${errors}`)));
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    process: child,
    kill: () => end('SIGKILL'),
    async drain() {
      await end('SIGTERM');
      return child.exitCode;
    },
  };
}

interface TestWorldParts {
  readonly workspace: string;
  readonly history: SharedHistory;
  readonly engine: Engine;
  readonly on: string;
}

/** How often the history is read, in milliseconds. */
const readEveryMs = 30;

class TestWorld {
  readonly workspace: string;
  readonly history: SharedHistory;
  readonly on: string;
  readonly #engine: Engine;
  readonly #client: RestateClient;
  readonly #runs: SharedRuns;
  readonly #ids = createIdSource(systemClock);

  constructor({ workspace, history, engine, on }: TestWorldParts) {
    this.workspace = workspace;
    this.history = history;
    this.on = on;
    this.#engine = engine;
    this.#client = new RestateClient(parseRestateUrl(on), history.workspace);
    const onNote = (note: Error): void => {
      throw note;
    };
    this.#runs = new SharedRuns({ history, clock: systemClock, ids: this.#ids, onNote });
  }

  async start(text: string, inputs: JsonMap = {}, breakpoints?: BreakpointsByFile): Promise<RunId> {
    const run = await this.#engine.prepareRun({ path: 'test.flow.yaml', text, inputs });
    const wanted = breakpoints === undefined ? {} : { breakpoints };
    return (await this.#runs.start({ run, ...wanted }, this.#client)).runId;
  }

  async record(text: string, inputs: JsonMap = {}): Promise<RunId> {
    const run = await this.#engine.prepareRun({ path: 'test.flow.yaml', text, inputs });
    const [runId, sessionId] = [this.#ids.runId(), this.#ids.sessionId()];
    const queued = { kind: 'flow', queuedAt: systemClock.now() - 60_000, host: { engine: 'restate' } } as const;
    await this.history.createRun({ ...run, ...queued, runId, sessionId, hostInput: { sessionId } });
    return runId;
  }

  async answer(runId: RunId, nodeId: string, payload: JsonMap): Promise<void> {
    for (;;) {
      const asks = await this.history.asksOf(runId, { name: nodeId });
      const asked = asks.find(({ isAnswered }) => !isAnswered)?.asked;
      if (asked === undefined) {
        await new Promise((resolve) => setTimeout(resolve, readEveryMs));
        continue;
      }
      const checked = checkAnswer(asked.request, payload);
      if (!checked.ok) throw new Error(`The answer does not fit: ${JSON.stringify(checked.misfits)}`);
      const { key, requestHash } = asked;
      const answer = { name: nodeId, key, requestHash, payload: checked.payload, by: 'kim', at: systemClock.now() };
      await this.history.claimAnswer(runId, answer);
      return;
    }
  }

  async approveAll(runId: RunId): Promise<void> {
    for (const { name, asked, askedSeq, isAnswered } of await this.history.asksOf(runId)) {
      if (isAnswered) continue;
      const { key = '', requestHash = hashOfCut(askedSeq) } = asked ?? {};
      const answer = { name, key, requestHash, payload: { approved: true }, by: 'kim', at: systemClock.now() };
      await this.history.claimAnswer(runId, answer).catch((error: unknown) => {
        // The run has ended, or no longer waits for this.
        if (!EngineError.is(error) || error.code !== 'run.invalid-state') throw error;
      });
    }
  }

  async query<Row extends object>(sql: string): Promise<readonly Row[]> {
    const response = await fetch(`${parseRestateUrl(this.on).admin}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: sql }),
    });
    if (!response.ok) throw new Error(`Restate refused the query: ${await response.text()}`);
    return ((await response.json()) as { rows: Row[] }).rows;
  }

  async whenEnded(
    runId: RunId,
    onEvent: (event: RunEvent) => void = () => undefined,
  ): Promise<readonly EventEnvelope[]> {
    const log: EventEnvelope[] = [];
    for (;;) {
      const events = await this.history.readEvents(runId, log.at(-1)?.seq ?? -1, 1000);
      log.push(...events);
      for (const { rootRunId, event } of events) if (rootRunId === undefined) onEvent(event);
      const last = log.at(-1);
      if (last?.rootRunId === undefined && (last?.event.type === 'run:end' || last?.event.type === 'run:refused'))
        return log;
      if (events.length === 0) await new Promise((resolve) => setTimeout(resolve, readEveryMs));
    }
  }
}
