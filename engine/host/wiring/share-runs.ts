/**
 * Connects an engine to a history that several machines share: its runs appear there, and can be answered and canceled
 * from there.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { basename, resolve } from 'node:path';
import { type Clock, sleep } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { contentHash } from '../../history/store/large-value.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { Executor } from '../executor/executor.ts';
import type { EngineNotices } from '../executor/notices.ts';
import { warn } from '../executor/warn.ts';

/** A shared history, and the name of the workspace in it. */
export interface SharedHistoryPlace {
  /** For example `postgres://USER@HOST/DATABASE?schema=millrace`. */
  readonly url: string;
  /** Defaults to the name of the workspace folder. */
  readonly workspace?: string;
}

interface SharingParts {
  /** Undefined if the engine shares nothing. */
  readonly place: SharedHistoryPlace | undefined;
  /** Path of the workspace. */
  readonly workspace: string;
  readonly store: RunStore;
  readonly executor: Pick<Executor, 'subscribe' | 'resumeRun' | 'cancelRun'>;
  readonly clock: Clock;
  readonly notices: EngineNotices;
}

export interface SharedRuns {
  /** Waits at most some seconds until all events are in the shared history; the next start copies the rest. */
  close(): Promise<void>;
}

const pauseMs = 5_000;
const longestFlushMs = 10_000;

/**
 * Starts to share runs. The shared history is opened in the background, because runs must not depend on it.
 * @throws EngineError `store.bad-url`
 */
export async function shareRuns({ place, ...parts }: SharingParts): Promise<SharedRuns | undefined> {
  if (place === undefined) return undefined;
  // Loaded only here: most engines share nothing.
  const { parseSharedUrl } = await import('../../history/postgres/connection-url.ts');
  parseSharedUrl(place.url);
  const stop = new AbortController();
  const opened = openPatiently(place, parts, stop.signal);
  const working = opened.then((shared) => shared && startSharing(shared, parts));
  working.catch(warn);
  return {
    async close() {
      stop.abort();
      await (await working)?.close();
      await (await opened)?.close();
    },
  };
}

/** Repeats opening while the server cannot be reached. Returns undefined if that is impossible, or it was stopped. */
async function openPatiently(
  place: SharedHistoryPlace,
  { workspace, store, clock, notices }: Omit<SharingParts, 'place'>,
  stop: AbortSignal,
): Promise<SharedHistory | undefined> {
  const { openSharedHistory } = await import('../../history/postgres/open-shared-history.ts');
  // The path identifies the history on this machine. One in memory ends with this engine.
  const home = store.file === null ? randomUUID() : contentHash(JSON.stringify([hostname(), resolve(store.file)]));
  const name = place.workspace ?? basename(workspace);
  while (!stop.aborted) {
    try {
      return await openSharedHistory({ url: place.url, workspace: name, home });
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      notices.noteRecordFailure(error);
      if (!error.recoverable) return undefined;
      // Rejects only if it was stopped.
      await sleep(clock, pauseMs, stop).catch(() => undefined);
    }
  }
  return undefined;
}

async function startSharing(
  shared: SharedHistory,
  { store, executor, clock, notices }: Omit<SharingParts, 'place'>,
): Promise<{ close(): Promise<void> }> {
  const [{ SharedProjection }, { SharedDelivery }] = await Promise.all([
    import('../executor/shared-projection.ts'),
    import('../executor/shared-delivery.ts'),
  ]);
  const { subscribe, resumeRun, cancelRun } = executor;
  const projection = new SharedProjection({ store, shared, subscribe, clock, onFailure: notices.noteRecordFailure });
  const delivery = new SharedDelivery({ store, shared, resumeRun, cancelRun, onRefused: notices.note });
  return {
    async close() {
      await delivery.close();
      const flushed = new AbortController();
      const limit = sleep(clock, longestFlushMs, flushed.signal).catch(() => undefined);
      await Promise.race([projection.copied(), limit]);
      flushed.abort();
      await projection.close();
    },
  };
}
