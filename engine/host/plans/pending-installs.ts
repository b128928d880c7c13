/**
 * Manages work that needs a person's consent: installing packs, which contain third-party code, that a run requires.
 */

import type { Clock } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { IdSource } from '../../base/ids.ts';
import type { WorkRecord, WorkStore } from '../../history/store/work-store.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { StartAgent } from '../executor/start-request.ts';

export interface PendingInstallsOptions {
  readonly works: WorkStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Installs a pack by its reference and returns its version. @throws EngineError `pack.*` */
  readonly installPack: (reference: string, signal: AbortSignal) => Promise<string>;
}

export class PendingInstalls {
  readonly #options: PendingInstallsOptions;
  readonly #stop = new AbortController();

  constructor(options: PendingInstallsOptions) {
    this.#options = options;
  }

  /** Records a request to install a pack and then run the agent. */
  add(packRef: string, request: StartAgent): WorkRecord {
    const { works, clock, ids } = this.#options;
    // The request consists only of JSON values.
    const data = { packRef, request: request as unknown as JsonMap };
    return works.create({ workId: ids.runId(), kind: 'install', data }, clock.now());
  }

  /**
   * Installs the pack and returns the request that was waiting for it. @throws EngineError like
   * `RunActions.confirmWork`
   */
  async install(workId: string): Promise<StartAgent> {
    const { data } = this.#waiting(workId);
    const { works, clock, installPack } = this.#options;
    const packRef = String(data['packRef']);
    works.setStatus(workId, { status: 'running', at: clock.now() });
    try {
      const version = await installPack(packRef, this.#stop.signal);
      works.setStatus(workId, { status: 'completed', message: `${packRef} v${version}`, at: clock.now() });
    } catch (thrown) {
      const { message } = asEngineError(thrown);
      works.setStatus(workId, { status: 'failed', message: `Installation failed: ${message}`, at: clock.now() });
      throw thrown;
    }
    return data['request'] as unknown as StartAgent;
  }

  /** @throws EngineError `work.not-found` | `work.done` */
  cancel(workId: string): void {
    const { workId: id } = this.#waiting(workId);
    this.#options.works.setStatus(id, { status: 'cancelled', at: this.#options.clock.now() });
  }

  /** Aborts installations in progress. */
  close(): void {
    this.#stop.abort();
  }

  #waiting(workId: string): WorkRecord {
    const work = this.#options.works.get(workId);
    if (work === undefined)
      throw new EngineError({ code: 'work.not-found', message: `Work ${workId} does not exist.` });
    if (work.status === 'waiting') return work;
    throw new EngineError({
      code: 'work.done',
      message: `Work ${workId} is ${work.status} and is not waiting for an answer.`,
    });
  }
}

/** Returns the missing pack that a run needs and that can be installed; undefined for any other failure. */
export function missingPackOf(error: unknown): string | undefined {
  if (!EngineError.is(error) || error.code !== 'pack.not-found') return undefined;
  const { details } = error;
  const hasRef = typeof details === 'object' && details !== null && 'ref' in details;
  return hasRef && typeof details.ref === 'string' ? details.ref : undefined;
}
