/**
 * Registers a new worker with Restate.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RestateClient } from './restate-client.ts';

/** How long Restate may fail to reach a new worker, in milliseconds. */
const patienceMs = 60_000;

/** Pause between two attempts, in milliseconds. */
const pauseMs = 500;

/**
 * Registers a worker. Tries again for a minute if Restate cannot reach it, because a balancer passes requests on only
 * after it has noticed the worker.
 * @param uri address at which Restate reaches the worker
 * @param onNote receives the reason of the first failure
 * @throws EngineError `restate.refused` | `restate.unreachable`
 */
export async function registerWorker(
  client: Pick<RestateClient, 'register'>,
  uri: string,
  { clock, onNote }: { readonly clock: Clock; readonly onNote: (note: EngineError) => void },
): Promise<void> {
  const until = clock.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await client.register(uri);
      return;
    } catch (error) {
      const mayRepeat = EngineError.is(error) && error.code === 'restate.refused' && error.recoverable;
      if (!mayRepeat || clock.now() >= until) throw error;
      if (isFirst) onNote(error);
    }
    await new Promise<void>((resolve) => clock.setTimer(resolve, pauseMs));
  }
}
