/**
 * A worker: a process that executes the runs of one or more workspaces for Restate.
 */
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { DurableRun } from './durable-run.ts';
import { openDurableWorld } from './durable-world.ts';
import { MessageDelivery } from './message-delivery.ts';
import { Projection } from './projection.ts';
import { RestateClient, registerWorker } from './restate-client.ts';
import type { RestateSdk } from './restate-journal.ts';
import { createRestateService } from './restate-service.ts';
import type { RestatePlace } from './restate-url.ts';
import { WorkerMetrics } from './worker-metrics.ts';
import { WorkerRuns } from './worker-runs.ts';
import { AttemptServer, type ListenAddress, serveStatus } from './worker-server.ts';

/** A workspace, and the history of its runs. */
export interface WorkerWorkspace {
  /** Absolute path. */
  readonly folder: string;
  readonly history: SharedHistory;
}

export interface WorkerOptions {
  readonly restate: RestatePlace;
  readonly workspaces: readonly WorkerWorkspace[];
  readonly listen: ListenAddress;
  /** URI at which Restate reaches the worker; defaults to the address it listens on. */
  readonly address?: string;
  /** Maximum number of runs that have an attempt here at the same time. */
  readonly maxRuns: number;
  /** Port for `/health` and `/metrics`; absent for none. */
  readonly metricsPort?: number;
  /** Public key of Restate; other requests are rejected. */
  readonly identityKey?: string;
  /** Deletes runs that ended more than this many days ago from the histories; absent to keep all. */
  readonly keepDays?: number;
  readonly isTrusted?: true;
  readonly builtInPacks?: string;
  /** Receives notices and errors, for the operator. */
  readonly onNote: (note: EngineError) => void;
  /** How long a run may only wait before it leaves memory, in milliseconds; defaults to 10 seconds. */
  readonly idleMs?: number;
}

export interface Worker {
  readonly address: ListenAddress;
  /** Undefined without `metricsPort`. */
  readonly statusAddress: ListenAddress | undefined;
  /**
   * Accepts no more runs, waits for the running steps, and closes everything but the histories. Other workers continue
   * the runs.
   */
  drain(): Promise<void>;
}

const oldestNode = 22;
const idleMs = 10_000;

/** How often a draining worker checks whether it is done, in milliseconds. */
const checkMs = 100;

/** What a worker has opened, and what it counts. */
class WorkerParts {
  readonly metrics = new WorkerMetrics();
  readonly #closers: (() => unknown)[] = [];

  /** Calls the function when the worker closes. */
  onClose(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Closes everything, in reverse order. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}

/** Starts a worker and registers it with Restate. @throws EngineError `worker.*` | `restate.*` | `store.*` */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  refuseOldNode();
  const parts = new WorkerParts();
  try {
    return await openWorker(options, parts);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function openWorker(options: WorkerOptions, parts: WorkerParts): Promise<Worker> {
  const sdk: RestateSdk = await import('@restatedev/restate-sdk');
  const { metrics } = parts;
  const opened: Awaited<ReturnType<typeof openWorkspace>>[] = [];
  for (const place of options.workspaces) opened.push(await openWorkspace(place, options, parts));
  const allRuns = opened.map(({ runs }) => runs);
  let isDraining = false;
  const sum = (read: (runs: WorkerRuns) => number): number => allRuns.reduce((total, runs) => total + read(runs), 0);
  const handler = sdk.createEndpointHandler({
    services: opened.map(({ history, runs }) => createRestateService(sdk, history.workspace, runs)),
    ...(options.identityKey === undefined ? {} : { identityKeys: [options.identityKey] }),
    logger: ({ level }, ...message) => {
      if (level === 'error')
        options.onNote(
          new EngineError({ code: 'restate.attempt', message: `Restate: ${String(message[0]).split('\n')[0]}` }),
        );
    },
  });
  const server: AttemptServer = new AttemptServer({
    handler,
    mayStart: () => !isDraining && server.active < options.maxRuns,
    onRejected: () => metrics.count('rejected'),
  });
  const address = await server.listen(options.listen);
  parts.onClose(() => server.close());
  const gauges = () => ({
    runs: server.active,
    steps: sum((runs) => runs.working),
    events: sum((runs) => runs.unwritten),
    isDraining,
  });
  const { metricsPort } = options;
  const status =
    metricsPort === undefined
      ? undefined
      : await serveStatus(
          { host: options.listen.host, port: metricsPort },
          { isHealthy: () => !isDraining, metrics: () => metrics.text(gauges()) },
        );
  parts.onClose(() => status?.close());
  const uri = options.address ?? `http://${address.host}:${address.port}`;
  for (const { client } of opened) await registerWorker(client, uri, { clock: systemClock, onNote: options.onNote });
  return {
    address,
    statusAddress: status?.address,
    async drain() {
      isDraining = true;
      for (const runs of allRuns) runs.drain();
      while (server.active > 0) await new Promise<void>((resolve) => systemClock.setTimer(resolve, checkMs));
      await parts.close();
    },
  };
}

async function openWorkspace({ folder, history }: WorkerWorkspace, options: WorkerOptions, parts: WorkerParts) {
  const { restate, isTrusted, builtInPacks, keepDays, onNote } = options;
  const { metrics } = parts;
  const onProblem = (error: EngineError): void => {
    metrics.count('problems');
    onNote(error);
  };
  const world = await openDurableWorld({
    ...{ workspace: folder, history, onNote },
    ...(isTrusted === undefined ? {} : { isTrusted }),
    ...(builtInPacks === undefined ? {} : { builtInPacks }),
  });
  parts.onClose(() => world.close());
  const client = new RestateClient(restate, history.workspace);
  const projection = new Projection({ history, clock: systemClock, onProblem });
  const onStep = (): void => metrics.count('steps');
  const own = { world, projection, idleMs: options.idleMs ?? idleMs, onStep };
  const runs = new WorkerRuns({
    open: (input) => DurableRun.open(input, own),
    onAttempt: () => metrics.count('attempts'),
    onEnded: () => metrics.count('ended'),
  });
  const delivery = new MessageDelivery({
    ...{ history, client, clock: systemClock, onProblem },
    onDelivered: () => metrics.count('messages'),
  });
  parts.onClose(() => delivery.close());
  if (keepDays !== undefined) parts.onClose(removeOldRunsDaily({ history, keepDays, clock: systemClock, onProblem }));
  return { history, client, runs };
}

/** @throws EngineError `worker.old-node` if this process cannot load Restate's SDK */
export function refuseOldNode(): void {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= oldestNode) return;
  const message = `A worker needs Node.js ${oldestNode} or newer, but this is ${process.versions.node}. Run the same command with a newer Node.js.`;
  throw new EngineError({ code: 'worker.old-node', message });
}

interface RemovalOptions {
  readonly history: Pick<SharedHistory, 'removeOldRuns'>;
  /** Runs that ended more than this many days ago are deleted. */
  readonly keepDays: number;
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Receives errors, after which the deletion is repeated. */
  readonly onProblem: (error: EngineError) => void;
}

/** Maximum number of runs per transaction. */
const mostAtOnce = 200;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Deletes old runs now and once a day; after an error, an hour later. Several workers may do it at the same time.
 * Returns a function that ends it.
 */
export function removeOldRunsDaily({ history, keepDays, clock, onProblem }: RemovalOptions): () => void {
  let isClosed = false;
  let stopTimer = (): void => undefined;
  const remove = async (): Promise<void> => {
    let pauseMs = dayMs;
    try {
      let hasMore = true;
      while (hasMore && !isClosed) ({ hasMore } = await history.removeOldRuns({ keepDays, limit: mostAtOnce }));
    } catch (thrown) {
      if (!isClosed) onProblem(asEngineError(thrown));
      pauseMs = hourMs;
    }
    if (!isClosed) stopTimer = clock.setTimer(() => void remove(), pauseMs);
  };
  void remove();
  return () => {
    isClosed = true;
    stopTimer();
  };
}
