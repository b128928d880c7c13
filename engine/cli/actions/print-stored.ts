/**
 * What `runs events` and `runs value` do: stored things as they are.
 */
import { asRunId } from '../../isomorphic.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { storedEvents } from './stored-events.ts';
import { withHistory } from './with-engine.ts';

/** Prints all events of a run, one envelope a line. @throws EngineError `run.not-found` */
export async function printEvents(context: CliContext, run: string, options: GlobalOptions): Promise<void> {
  await withHistory(context, options, (engine) => {
    for (const event of storedEvents(engine, asRunId(run))) context.terminal.out(`${JSON.stringify(event)}\n`);
  });
}

/** Prints the value behind a handle. @throws EngineError `value.not-found` */
export async function printValue(context: CliContext, hash: string, options: GlobalOptions): Promise<void> {
  await withHistory(context, options, (engine) => {
    context.terminal.out(`${JSON.stringify(engine.readValue(hash))}\n`);
  });
}
