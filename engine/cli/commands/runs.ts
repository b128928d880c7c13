/**
 * `millrace runs …`: the history of a workspace.
 */
import type { Command } from 'commander';
import type { Engine } from '../../index.ts';
import { asRunId, emptyRunState, foldRun, type RunId, type RunState, type RunSummary } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace, withEngine } from '../cli-context.ts';
import { parseCount } from '../parse-count.ts';
import { outputText } from '../progress/output-text.ts';
import { durationText, endLine, nodeLine, oneLine } from '../progress/phrases.ts';

/** How many stored events are read at once. */
const pageSize = 1000;

/** Adds `runs` with its subcommands to the program. */
export function addRunsCommand(program: Command, context: CliContext): void {
  const runs = program.command('runs').description('what ran in this workspace');
  runs
    .command('list')
    .description('the runs, newest first')
    .option('--limit <n>', 'how many at most', parseCount, 20)
    .action((options: { limit: number }, command: Command) =>
      read(context, command, ({ engine, json }) => list(context, engine.listRuns(options), json)),
    );
  runs
    .command('show')
    .description('one run: its nodes and what it gave')
    .argument('<run>', 'id of the run')
    .action((run: string, _: unknown, command: Command) =>
      read(context, command, ({ engine, json }) => show(context, engine, { runId: asRunId(run), json })),
    );
  runs
    .command('events')
    .description('the events of a run, one JSON value a line')
    .argument('<run>', 'id of the run')
    .action((run: string, _: unknown, command: Command) =>
      read(context, command, ({ engine }) => {
        for (const event of storedEvents(engine, asRunId(run))) context.terminal.out(`${JSON.stringify(event)}\n`);
      }),
    );
  runs
    .command('value')
    .description('a value that was too large for an event, as JSON')
    .argument('<hash>', 'what stands behind "$value" in the event')
    .action((hash: string, _: unknown, command: Command) =>
      read(context, command, ({ engine }) => context.terminal.out(`${JSON.stringify(engine.readValue(hash))}\n`)),
    );
}

type Reader = (history: { engine: Engine; json: boolean }) => void;

async function read(context: CliContext, command: Command, use: Reader): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const workspace = resolveWorkspace(context, options);
  await withEngine(context, { workspace, store: options.store }, async (engine) =>
    use({ engine, json: options.json === true }),
  );
}

function list({ terminal }: CliContext, runs: readonly RunSummary[], json: boolean): void {
  if (json) {
    terminal.out(runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
    return;
  }
  if (runs.length === 0) terminal.err('Nothing has run here yet.');
  const statusWidth = Math.max(...runs.map(({ status }) => status.length));
  for (const { runId, status, sourcePath, durationMs } of runs) {
    const time = durationText(durationMs).padStart(9);
    terminal.out(`${runId}  ${status.padEnd(statusWidth)}  ${time}  ${sourcePath}\n`);
  }
}

function show({ terminal }: CliContext, engine: Engine, { runId, json }: { runId: RunId; json: boolean }): void {
  const summary = engine.getRun(runId);
  if (json) {
    terminal.out(`${JSON.stringify(summary)}\n`);
    return;
  }
  const run = foldRun(emptyRunState, [...storedEvents(engine, runId)]);
  terminal.out(`${headLines(summary).join('\n')}\n\n`);
  for (const node of run.nodes.values()) terminal.out(`${nodeLine(node, terminal.colors)}\n`);
  terminal.out(`\n${lastLine(summary, run, terminal.colors)}\n${outputText(run.output)}`);
}

function headLines({ name, runId, sourcePath, startedAt, redoOf }: RunSummary): string[] {
  const redo = redoOf === undefined ? [] : [`redo of  ${redoOf}`];
  return [oneLine(name), `run      ${runId}`, ...redo, `file     ${sourcePath}`, `started  ${momentText(startedAt)}`];
}

function lastLine({ status, error }: RunSummary, run: RunState, colors: CliContext['terminal']['colors']): string {
  const line = run.durationMs === null ? status : endLine(run, colors);
  return error === undefined ? line : `${line}\n${colors.red(oneLine(error.message))}`;
}

function momentText(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** @throws EngineError `run.not-found` */
function* storedEvents(engine: Engine, runId: RunId): ReturnType<typeof pages> {
  engine.getRun(runId);
  yield* pages(engine, runId);
}

function* pages(engine: Engine, runId: RunId) {
  for (let afterSeq = -1; ; ) {
    const events = engine.readEvents(runId, afterSeq, pageSize);
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}
