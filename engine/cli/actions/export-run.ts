/**
 * What `runs export` does.
 */
import path from 'node:path';
import { exportRun } from '../../executor/export-run.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import { asRunId } from '../../isomorphic.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { withHistory } from './with-engine.ts';

/**
 * Writes one run, with all that is needed to read it, to stdout or a file. A file that is there is replaced in one step.
 * @throws EngineError `run.not-found`; `cli.usage` when the file cannot be written
 */
export async function exportOneRun(
  context: CliContext,
  run: string,
  options: GlobalOptions & { output?: string },
): Promise<void> {
  const { output } = options;
  await withHistory(context, options, async (engine) => {
    const runId = asRunId(run);
    engine.getRun(runId);
    const pieces = exportRun(engine, runId);
    if (output === undefined) {
      for (const piece of pieces) context.terminal.out(piece);
      return;
    }
    await save(path.resolve(context.folder, output), { shown: output, pieces });
    context.terminal.err(`Wrote ${output}.`);
  });
}

async function save(file: string, { shown, pieces }: { shown: string; pieces: Iterable<string> }): Promise<void> {
  try {
    await writeFileAtomically(file, pieces);
  } catch (error) {
    throw usageError(`--output ${shown} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
