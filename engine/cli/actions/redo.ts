/**
 * Implements `redo`.
 */
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { showingProblems } from '../flow-source.ts';
import { followRun } from '../follow-run.ts';
import { resolveRunReference } from '../run-reference.ts';
import { startAsking } from './ask-before-start.ts';
import { withEngine } from './with-engine.ts';

/**
 * Runs the flow of an earlier run again with the current file.
 * @returns the exit code
 * @throws EngineError `run.not-found` | `files.not-found`
 */
export async function redo(context: CliContext, run: string, options: GlobalOptions): Promise<number> {
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store, trust: options.trust }, async (engine) => {
    const runId = await resolveRunReference(engine, run);
    return await showingProblems(context, { engine, runId }, () =>
      followRun(context, { engine, json: options.json }, () => startAsking(engine, () => engine.redo({ runId }))),
    );
  });
}
