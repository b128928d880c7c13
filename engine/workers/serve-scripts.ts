/**
 * The worker's side: runs the scripts that it is sent, and sleeps while it waits for one, or for the engine's answer to a call.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { fromErrorRecord } from '../base/engine-error.ts';
import { ownThread } from './computing-time.ts';
import type { HostAnswer, ScriptOutcome, WorkerReport, WorkerSetup } from './worker-protocol.ts';

/** Asks the engine and waits. @throws EngineError what the engine refuses */
type CallHost = (name: string, params: unknown) => unknown;

interface Machine<Script> {
  /** @throws unknown when the machine is broken and must not be used again */
  run(script: Script, callHost: CallHost): ScriptOutcome;
  /** Bytes that its memory takes; it never shrinks. */
  memorySize(): number;
}

/** Serves until the worker is ended. @param start makes the machine of this worker */
export async function serveScripts<Script>(
  start: (module: WebAssembly.Module) => Machine<Script> | Promise<Machine<Script>>,
): Promise<void> {
  const { module, answers, flag } = workerData as WorkerSetup;
  const answered = new Int32Array(flag);
  const report = (what: WorkerReport): void => parentPort?.postMessage(what);
  const receive = (): unknown => {
    // Waking up is not enough: the engine may have been interrupted before it woke the worker for a message that is already answered.
    while (Atomics.exchange(answered, 0, 0) === 0) Atomics.wait(answered, 0, 0);
    return receiveMessageOnPort(answers)?.message;
  };
  const callHost: CallHost = (name, params) => {
    report({ type: 'call', name, params });
    const answer = receive() as HostAnswer;
    if (answer.isOk) return answer.value;
    throw fromErrorRecord(answer.error);
  };
  const machine = await start(module);
  report({ type: 'ready', thread: ownThread() });
  // The event loop of the worker would take longer for each script than a short script.
  for (;;) {
    const outcome = machine.run(receive() as Script, callHost);
    report({ type: 'done', outcome, memoryBytes: machine.memorySize() });
  }
}
