/**
 * The worker's side of scripts: runs the scripts it receives, and sleeps while the engine handles a call.
 */
import { fromErrorRecord } from '../../base/engine-error.ts';
import { openEngineLink } from './engine-link.ts';
import type { HostAnswer, ScriptOutcome, ScriptReport } from './worker-protocol.ts';

/** Calls the engine and blocks until it answers. @throws EngineError if the engine rejects the call */
type CallHost = (name: string, params: unknown) => unknown;

interface ScriptInterpreter<Script> {
  /** @throws unknown if the interpreter is broken and must not be used again */
  run(script: Script, callHost: CallHost): ScriptOutcome;
  /** Returns the size of its memory in bytes. It never shrinks. */
  memorySize(): number;
}

/** Serves until the worker is terminated. @param start creates this worker's interpreter */
export async function serveScripts<Script>(
  start: (module: WebAssembly.Module) => ScriptInterpreter<Script> | Promise<ScriptInterpreter<Script>>,
): Promise<void> {
  const engine = openEngineLink();
  const report = (what: ScriptReport): void => engine.report(what);
  const callHost: CallHost = (name, params) => {
    report({ type: 'call', name, params });
    const answer = engine.receive() as HostAnswer;
    if (answer.isOk) return answer.value;
    throw fromErrorRecord(answer.error);
  };
  const machine = await start(engine.module as WebAssembly.Module);
  engine.ready();
  for (;;) {
    const outcome = machine.run(engine.receive() as Script, callHost);
    report({ type: 'done', outcome, memoryBytes: machine.memorySize() });
  }
}
