/**
 * Reports changes of a shared history to the subscribers of an engine: events of runs, other changes of the history, and
 * flows with a new definition.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { Listeners } from '../../base/listeners.ts';
import type { Engine } from '../../engine.ts';
import type { SharedChange, SharedHistory } from '../../history/postgres/shared-history.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { warn } from '../executor/warn.ts';
import { followSharedRuns, type SharedRunEvents } from '../reads/shared-run-events.ts';
import type { RemoteConnection } from './remote-connection.ts';
import { LatestRuns } from './remote-flows.ts';

/** Minimum time between two reports, in milliseconds. A report makes each window read its lists again. */
const pauseMs = 1000;

/** Number of runs among which new ones are looked for. */
const mostNew = 100;

type FileChange = Parameters<Parameters<Engine['watchFiles']>[0]>[0];

export class RemoteChanges {
  readonly #connection: RemoteConnection;
  readonly #clock: Clock;
  readonly #events = new Listeners<[events: readonly EventEnvelope[]]>();
  readonly #history = new Listeners<[]>();
  readonly #flows = new Listeners<[paths: readonly string[]]>();
  readonly #files = new Listeners<[change: FileChange]>();
  readonly #latest = new LatestRuns();
  #followed: SharedRunEvents | undefined;
  #stopWatching: (() => void) | undefined;
  #changes = new Set<SharedChange>();
  #stopTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(connection: RemoteConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
    connection.onChange(() => this.#connectionChanged());
  }

  readonly subscribe: Engine['subscribe'] = (listener) => this.#added(this.#events.add(listener));
  readonly watchHistory: Engine['watchHistory'] = (listener) => this.#added(this.#history.add(listener));
  readonly watchFlows: Engine['watchFlows'] = (listener) => this.#added(this.#flows.add(listener));
  readonly watchFiles: Engine['watchFiles'] = (listener) => this.#added(this.#files.add(listener));

  close(): void {
    this.#isClosed = true;
    this.#stopTimer?.();
    this.#stopWatching?.();
    this.#followed?.close();
    for (const listeners of [this.#events, this.#history, this.#flows, this.#files]) listeners.clear();
  }

  #added(stop: () => void): () => void {
    if (this.#followed === undefined)
      void this.#connection
        .use(async (history) => this.#follow(history))
        // The connection opens itself again, and reports that.
        .catch(tolerate);
    return stop;
  }

  #follow(history: SharedHistory): void {
    if (this.#followed !== undefined || this.#isClosed) return;
    this.#followed = followSharedRuns(history);
    this.#followed.subscribe((events) => this.#events.tell(warn, events));
    this.#stopWatching = history.watch((changes) => {
      for (const change of changes) this.#changes.add(change);
      this.#reportLater();
    });
  }

  #connectionChanged(): void {
    if (this.#isClosed) return;
    // Windows read the notices again together with the flows.
    this.#flows.tell(warn, []);
    if (this.#connection.problem !== undefined) return;
    this.#added(() => undefined);
    this.#files.tell(warn, { paths: [], isTree: true });
    this.#history.tell(warn);
  }

  #reportLater(): void {
    if (this.#isClosed) return;
    this.#stopTimer ??= this.#clock.setTimer(() => {
      const changes = this.#changes;
      this.#changes = new Set();
      void this.#report(changes)
        .catch(tolerate)
        .finally(() => {
          this.#stopTimer = undefined;
          if (this.#changes.size > 0) this.#reportLater();
        });
    }, pauseMs);
  }

  /** Events are reported by themselves. Answers, and runs that have no events yet, are not. */
  async #report(changes: ReadonlySet<SharedChange>): Promise<void> {
    const runs = await this.#connection.use((history) => history.listRuns({ limit: mostNew }));
    const { paths, hasNew } = this.#latest.take(runs);
    if (hasNew || changes.has('answers') || changes.has('requests')) this.#history.tell(warn);
    if (paths.length === 0 || this.#isClosed) return;
    this.#flows.tell(warn, paths);
    this.#files.tell(warn, { paths, isTree: true });
  }
}

/** `RemoteConnection.use` has noted that the history cannot be reached. */
function tolerate(error: unknown): void {
  if (!EngineError.is(error)) warn(error);
}
