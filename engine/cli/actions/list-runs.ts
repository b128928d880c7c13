/**
 * What `runs list` does.
 */
import type { RunSummary } from '../../isomorphic.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { durationText } from '../progress/phrases.ts';
import { wayOn } from './way-on.ts';
import { withHistory } from './with-engine.ts';

/** Lists the runs of a workspace, newest first, at most `limit`. */
export async function listRuns(context: CliContext, options: GlobalOptions & { limit: number }): Promise<void> {
  await withHistory(context, options, (engine) => {
    const runs = engine.listRuns({ limit: options.limit });
    if (options.json === true) context.terminal.out(runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
    else tell(context, runs);
  });
}

function tell({ terminal }: CliContext, runs: readonly RunSummary[]): void {
  if (runs.length === 0) terminal.err('Nothing has run here yet.');
  const statusWidth = Math.max(...runs.map(({ status }) => status.length));
  for (const run of runs) {
    const time = durationText(run.durationMs).padStart(9);
    const way = wayOn(run);
    const hint = way === undefined ? '' : terminal.colors.dim(`  → ${way}`);
    terminal.out(`${run.runId}  ${run.status.padEnd(statusWidth)}  ${time}  ${run.sourcePath}${hint}\n`);
  }
}
