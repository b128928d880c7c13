/**
 * Implements `runs list`, `show`, `events`, `value`, `export` and `delete`.
 */
import path from 'node:path';
import { programVersion } from '../../base/program-version.ts';
import { exportRun } from '../../host/reads/export-run.ts';
import { type ExportFormat, exportSpans, saveTrace } from '../../host/reads/export-trace.ts';
import type { RunHistoryReader } from '../../index.ts';
import {
  emptyRunState,
  foldRun,
  type RunId,
  type RunState,
  type RunSummary,
  readPages,
  readWholeRun,
  type StartedBy,
} from '../../isomorphic.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { sourcePathOf } from '../flow-source.ts';
import { outputText } from '../progress/output-text.ts';
import { durationText, endLine, endReasonText, nodeLine, oneLine, wayOn } from '../progress/phrases.ts';
import { resolveRunReference } from '../run-reference.ts';
import { withEngine, withHistory } from './with-engine.ts';

type ReadOptions = GlobalOptions & SharedOptions;

/** Options of `runs export`. */
export interface ExportFlags {
  readonly format: ExportFormat;
  readonly out?: string;
  readonly redact?: true;
  readonly content?: true;
}

/** Options that select runs. */
export interface FilterFlags {
  readonly startedBy?: StartedBy;
  readonly status?: RunSummary['status'];
  readonly flow?: string;
  readonly label?: string;
  readonly text?: string;
  /** Epoch milliseconds, as `until`. */
  readonly since?: number;
  readonly until?: number;
}

/** Options of `runs list`. */
export interface ListFlags extends FilterFlags {
  readonly limit: number;
}

/** Returns the query for the options. The file of a flow is named relative to the current folder, and need not exist. */
export function filterOf(
  context: CliContext,
  options: GlobalOptions & FilterFlags,
): Omit<Parameters<RunHistoryReader['listRuns']>[0], 'limit'> {
  const { startedBy, status, flow, label, text, since, until } = options;
  const pathOf = (shown: string): string =>
    sourcePathOf(resolveWorkspace(context, options), path.resolve(context.folder, shown));
  return {
    ...(startedBy === undefined ? {} : { startedBy }),
    ...(status === undefined ? {} : { status }),
    ...(flow === undefined ? {} : { sourcePath: pathOf(flow) }),
    ...(label === undefined ? {} : { label }),
    ...(text === undefined ? {} : { find: { content: text } }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** Lists up to `limit` of a workspace's runs, newest first. */
export async function listRuns(context: CliContext, options: ReadOptions & ListFlags): Promise<void> {
  await withHistory(context, options, async (reads) => {
    const filter = filterOf(context, options);
    const runs = await reads.listRuns({ ...filter, limit: options.limit });
    if (options.json === true) context.terminal.json(runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
    else printList(context, runs, { isOfMany: isShared(options), isFiltered: Object.keys(filter).length > 0 });
  });
}

/** Prints a line for each run. */
export function printList(
  { terminal }: CliContext,
  runs: readonly RunSummary[],
  { isOfMany, isFiltered }: { readonly isOfMany: boolean; readonly isFiltered: boolean },
): void {
  if (runs.length === 0) terminal.err(isFiltered ? 'No runs match.' : 'No runs in this workspace yet.');
  const statusWidth = Math.max(...runs.map(({ status }) => status.length));
  const numberWidth = Math.max(...runs.map(({ number }) => `#${number}`.length));
  for (const run of runs) {
    const time = durationText(run.durationMs).padStart(9);
    const way = remarkOn(run, isOfMany) ?? wayOn(run) ?? automaticText(run);
    const hint = way === undefined ? '' : terminal.colors.dim(`  → ${way}`);
    const labels = (run.labels ?? []).map((label) => ` [${oneLine(label)}]`).join('');
    const number = `#${run.number}`.padStart(numberWidth);
    terminal.out(
      `${oneLine(run.runId)}  ${number}  ${run.status.padEnd(statusWidth)}  ${time}  ${oneLine(run.sourcePath)}${labels}${hint}\n`,
    );
  }
}

/** Returns what started a run without a person. */
function automaticText({ startedBy }: RunSummary): string | undefined {
  return startedBy?.kind === 'trigger' || startedBy?.kind === 'http'
    ? `started by ${starterText(startedBy)}`
    : undefined;
}

/** Returns a note about a run, which is listed next to its status. A run of a shared history cannot be deleted. */
function remarkOn({ damage, number, endReason }: RunSummary, isOfMany: boolean): string | undefined {
  if (damage !== undefined)
    return `damaged: ${damage}${isOfMany ? '' : `. To remove it: millrace runs delete ${number}`}`;
  return endReason === undefined ? undefined : endReasonText(endReason);
}

/** Shows one run: its nodes and its output. @throws EngineError `run.not-found` */
export async function showRun(context: CliContext, run: string, options: ReadOptions): Promise<void> {
  await withHistory(context, options, async (reads) => {
    const runId = await resolveRunReference(reads, run);
    if (options.json === true) context.terminal.json(`${JSON.stringify(await reads.getRun(runId))}\n`);
    else {
      const way = await printRun(context, reads, runId);
      if (way !== undefined) context.terminal.out(`To continue: ${way}\n`);
    }
  });
}

/** Prints a run. Returns the command that continues it; undefined if it has ended or is running. */
export async function printRun(
  { terminal }: CliContext,
  reads: RunHistoryReader,
  runId: RunId,
): Promise<string | undefined> {
  const { run: summary, events } = await readWholeRun(reads, runId);
  const run = foldRun(emptyRunState, events);
  terminal.out(`${headLines(summary).join('\n')}\n\n`);
  for (const node of run.nodes.values())
    terminal.out(`${nodeLine(node, { colors: terminal.colors, inputs: run.inputs })}\n`);
  terminal.out(`\n${lastLine(summary, run, terminal.colors)}\n${outputText(run.output)}`);
  return wayOn(summary, run);
}

function headLines(summary: RunSummary): string[] {
  const { name, number, runId, sourcePath, startedAt, redoOf, rerunOf, startedBy, labels, note } = summary;
  const redo = redoOf === undefined ? [] : [`redo of  ${redoOf}`];
  const rerun = rerunOf === undefined ? [] : [`rerun of ${rerunOf}`];
  const run = [`run      ${runId}, #${number}`, ...redo, ...rerun];
  const marks = [
    ...(labels === undefined ? [] : [`labels   ${labels.map(oneLine).join(', ')}`]),
    ...(note === undefined ? [] : [`note     ${oneLine(note)}`]),
  ];
  const by = startedBy === undefined ? '' : ` by ${starterText(startedBy)}`;
  return [oneLine(name), ...run, `file     ${oneLine(sourcePath)}`, `started  ${momentText(startedAt)}${by}`, ...marks];
}

function lastLine({ status, error }: RunSummary, run: RunState, colors: CliContext['terminal']['colors']): string {
  const line = run.durationMs === null ? status : endLine(run, colors);
  return error === undefined ? line : `${line}\n${colors.red(oneLine(error.message))}`;
}

const starterNames: Readonly<Record<StartedBy['kind'], string>> = {
  person: 'a person',
  cli: 'the command line',
  library: 'a program',
  trigger: 'trigger',
  http: 'a request',
  mcp: 'an MCP client',
  test: 'a test',
  assistant: 'the assistant',
};

function starterText({ kind, name }: StartedBy): string {
  return name === undefined ? starterNames[kind] : `${starterNames[kind]} ${oneLine(name)}`;
}

function momentText(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** Prints all events of a run, one envelope per line. @throws EngineError `run.not-found` */
export async function printEvents(context: CliContext, run: string, options: ReadOptions): Promise<void> {
  await withHistory(context, options, async (reads) => {
    const runId = await resolveRunReference(reads, run);
    await reads.getRun(runId);
    for await (const events of readPages(reads, runId))
      for (const event of events) context.terminal.json(`${JSON.stringify(event)}\n`);
  });
}

/** Prints the value of a handle. @throws EngineError `value.not-found` */
export async function printValue(context: CliContext, hash: string, options: ReadOptions): Promise<void> {
  await withHistory(context, options, async (reads) => {
    context.terminal.json(`${JSON.stringify(await reads.readValue(hash))}\n`);
  });
}

/**
 * Exports one run: as a bundle or spans to stdout or to a file, which is replaced atomically, or as a trace to a
 * folder.
 * @throws EngineError `run.not-found` | `export.not-own`; `cli.usage` for conflicting options, or if the file cannot be
 * written
 */
export async function exportOneRun(
  context: CliContext,
  run: string,
  options: ReadOptions & ExportFlags,
): Promise<void> {
  const { format, out, redact, content } = options;
  if (content === true && format !== 'otlp') throw usageError('--content is only for --format otlp.');
  if (format === 'trace' && out === undefined) {
    throw usageError('--format trace writes a folder. Set it with --out DIR.');
  }
  await withHistory(context, options, async (engine) => {
    const runId = await resolveRunReference(engine, run);
    await engine.getRun(runId);
    if (format === 'bundle') await print(context, out, exportRun(engine, runId, { isRedacted: redact }));
    else if (format === 'otlp') {
      await print(context, out, exportSpans(engine, runId, { version: programVersion, hasContent: content }));
    } else {
      const folder = await saveTrace(engine, runId, path.resolve(context.folder, out ?? ''));
      context.terminal.err(`Wrote ${path.relative(context.folder, folder) || '.'}.`);
    }
  });
}

async function print(context: CliContext, out: string | undefined, pieces: AsyncIterable<string>): Promise<void> {
  if (out === undefined) {
    for await (const piece of pieces) context.terminal.json(piece);
    return;
  }
  await save(path.resolve(context.folder, out), { shown: out, pieces });
  context.terminal.err(`Wrote ${out}.`);
}

/**
 * Deletes runs one after the other and stops at the first failure.
 * @throws EngineError `run.not-found` | `run.invalid-state`
 */
export async function deleteRuns(context: CliContext, named: readonly string[], options: ReadOptions): Promise<void> {
  if (isShared(options)) throw usageError('Runs in a shared history are deleted by age, not one by one.');
  const workspace = resolveWorkspace(context, options);
  await withEngine(context, { workspace, store: options.store }, async (engine) => {
    const ids = await Promise.all(named.map((run) => resolveRunReference(engine, run)));
    const runs = await Promise.all(ids.map((runId) => engine.getRun(runId)));
    for (const { runId, number } of runs) {
      await engine.deleteRun(runId);
      context.terminal.err(`Deleted run #${number}.`);
    }
  });
}

async function save(file: string, { shown, pieces }: { shown: string; pieces: AsyncIterable<string> }): Promise<void> {
  try {
    await writeFileAtomically(file, pieces);
  } catch (error) {
    throw usageError(`--output ${shown} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
