/**
 * `millrace redo RUN`: runs the definition of an earlier run again, as its file is now.
 */
import path from 'node:path';
import type { Command } from 'commander';
import { asRunId, type Diagnostic, EngineError, type RunId } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace, withEngine } from '../cli-context.ts';
import { exitCode, type Finish } from '../exit-code.ts';
import { showProblems } from '../flow-source.ts';
import { followRun } from '../follow-run.ts';

/** Adds `redo` to the program. */
export function addRedoCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('redo')
    .description('run the flow of an earlier run again, as its file is now, with the same inputs')
    .argument('<run>', 'id of the run')
    .action(async (run: string, _: unknown, command: Command) => {
      finish(await redo(context, asRunId(run), command.optsWithGlobals<GlobalOptions>()));
    });
}

async function redo(context: CliContext, runId: RunId, options: GlobalOptions): Promise<number> {
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store }, async (engine) => {
    const { sourcePath } = engine.getRun(runId);
    try {
      return await followRun(context, { engine, json: options.json }, () => engine.redo({ runId }));
    } catch (error) {
      if (!EngineError.is(error) || error.code !== 'flow.invalid') throw error;
      const shown = path.relative(context.folder, path.resolve(engine.workspace, sourcePath));
      showProblems(context, shown, error.details as readonly Diagnostic[]);
      return exitCode.refused;
    }
  });
}
