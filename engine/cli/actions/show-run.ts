/**
 * What `runs show` does.
 */
import type { Engine } from '../../index.ts';
import { asRunId, emptyRunState, foldRun, type RunId, type RunState, type RunSummary } from '../../isomorphic.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { outputText } from '../progress/output-text.ts';
import { endLine, nodeLine, oneLine } from '../progress/phrases.ts';
import { storedEvents } from './stored-events.ts';
import { wayOn } from './way-on.ts';
import { withHistory } from './with-engine.ts';

/** Shows one run: its nodes and what it gave. @throws EngineError `run.not-found` */
export async function showRun(context: CliContext, run: string, options: GlobalOptions): Promise<void> {
  await withHistory(context, options, (engine) => {
    const runId = asRunId(run);
    if (options.json === true) context.terminal.out(`${JSON.stringify(engine.getRun(runId))}\n`);
    else tell(context, engine, runId);
  });
}

function tell({ terminal }: CliContext, engine: Engine, runId: RunId): void {
  const summary = engine.getRun(runId);
  const run = foldRun(emptyRunState, [...storedEvents(engine, runId)]);
  terminal.out(`${headLines(summary).join('\n')}\n\n`);
  for (const node of run.nodes.values())
    terminal.out(`${nodeLine(node, { colors: terminal.colors, inputs: run.inputs })}\n`);
  terminal.out(`\n${lastLine(summary, run, terminal.colors)}\n${outputText(run.output)}`);
  const way = wayOn(summary);
  if (way !== undefined) terminal.out(`To go on: ${way}\n`);
}

function headLines({ name, runId, sourcePath, startedAt, redoOf, rerunOf }: RunSummary): string[] {
  const redo = redoOf === undefined ? [] : [`redo of  ${redoOf}`];
  const rerun = rerunOf === undefined ? [] : [`rerun of ${rerunOf}`];
  const run = [`run      ${runId}`, ...redo, ...rerun];
  return [oneLine(name), ...run, `file     ${sourcePath}`, `started  ${momentText(startedAt)}`];
}

function lastLine({ status, error }: RunSummary, run: RunState, colors: CliContext['terminal']['colors']): string {
  const line = run.durationMs === null ? status : endLine(run, colors);
  return error === undefined ? line : `${line}\n${colors.red(oneLine(error.message))}`;
}

function momentText(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('T', ' ').replace('Z', ' UTC');
}
