/**
 * The worker's side of its connection to the engine, for all kinds of workers.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { ownThread } from './computing-time.ts';
import type { WorkerReady, WorkerSetup } from './worker-protocol.ts';

/** A worker's connection to the engine. */
export interface EngineLink {
  /** The WebAssembly used by its program. */
  readonly module: WebAssembly.Module | undefined;
  /** Reports that it can take its first order. */
  ready(): void;
  /**
   * Sleeps until the engine sends a message, and returns it. This is faster than waiting in an event loop. The engine
   * sends one message at a time: an order, then an answer to each report that needs one.
   */
  receive(): unknown;
  report(what: unknown): void;
}

/** Opens the connection. Call it once, in a worker that a pool has started. */
export function openEngineLink(): EngineLink {
  const { module, flag } = workerData as WorkerSetup;
  const port = parentPort as MessagePort;
  const sent = new Int32Array(flag);
  return {
    module,
    ready: () => port.postMessage({ thread: ownThread() } satisfies WorkerReady),
    receive() {
      // Checks the flag after waking up, because the wake-up may belong to an earlier message that was already
      // received.
      while (Atomics.exchange(sent, 0, 0) === 0) Atomics.wait(sent, 0, 0);
      return receiveMessageOnPort(port)?.message;
    },
    report: (what) => port.postMessage(what),
  };
}
