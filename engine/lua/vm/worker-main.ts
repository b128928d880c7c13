/**
 * The program of a worker: runs the scripts that it is sent, and sleeps while the engine answers a call of theirs.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { fromErrorRecord } from '../../base/engine-error.ts';
import { apiModules } from '../api/api-modules.ts';
import type { HostCaller } from '../host-calls.ts';
import type { HostAnswer, WorkerOrder, WorkerReport, WorkerSetup } from '../worker-protocol.ts';
import { createMachine } from './machine.ts';

const { module, answers, flag } = workerData as WorkerSetup;
const answered = new Int32Array(flag);
const machine = createMachine(module, apiModules);

function report(what: WorkerReport): void {
  parentPort?.postMessage(what);
}

const callHost = (name: Parameters<HostCaller>[0], params: unknown): unknown => {
  Atomics.store(answered, 0, 0);
  report({ type: 'call', name, params });
  Atomics.wait(answered, 0, 0);
  const answer = receiveMessageOnPort(answers)?.message as HostAnswer;
  if (answer.isOk) return answer.value;
  throw fromErrorRecord(answer.error);
};

parentPort?.on('message', (order: WorkerOrder) => {
  const outcome = machine.run(order, callHost as HostCaller);
  report({ type: 'done', outcome, memoryBytes: machine.memorySize() });
});
report({ type: 'ready' });
