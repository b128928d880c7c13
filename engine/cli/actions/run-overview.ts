/**
 * Implements `runs stats`, `runs label` and `runs note`.
 */
import { isoTime } from '../../base/clock.ts';
import type { Engine } from '../../index.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { durationText, oneLine } from '../progress/phrases.ts';
import { resolveRunReference } from '../run-reference.ts';
import { dollarText } from './estimate.ts';
import { type FilterFlags, filterOf } from './runs.ts';
import { withEngine, withHistory } from './with-engine.ts';

type ReadOptions = GlobalOptions & SharedOptions;
type Stats = Awaited<ReturnType<Engine['readRunStats']>>;
type Failures = Stats['failures'][number];

/** Prints statistics of the selected runs; with `--json`, one value. */
export async function showStats(
  context: CliContext,
  flow: string | undefined,
  options: ReadOptions & FilterFlags,
): Promise<void> {
  const { readRunStats } = await import('../../host/reads/run-stats.ts');
  await withHistory(context, options, async (reads) => {
    const stats = await readRunStats(reads, filterOf(context, { ...options, ...(flow === undefined ? {} : { flow }) }));
    if (options.json === true) context.terminal.json(`${JSON.stringify(stats)}\n`);
    else if (stats.runs === 0) context.terminal.err('No runs match.');
    else context.terminal.out(`${linesOf(stats).join('\n')}\n`);
  });
}

function linesOf(stats: Stats): readonly string[] {
  const { runs, isCut, statuses, flows, nodes, nodeRuns, failures } = stats;
  const counts = Object.entries(statuses).map(([status, count]) => `${countText(count)} ${status}`);
  return [
    `${isCut ? 'The newest ' : ''}${runsText(runs)}: ${counts.join(', ')}`,
    ...section('', spreadRows(stats)),
    ...(flows.length < 2 ? [] : section('Flows', flowRows(flows))),
    ...(nodes.length === 0 ? [] : section(`Nodes in the newest ${runsText(nodeRuns)}`, nodeRows(nodes))),
    ...(failures.length === 0 ? [] : ['', 'Failures', ...failures.flatMap(failureLines)]),
  ];
}

/** Aligns columns: the first one to the left, the others to the right. */
function section(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  return ['', ...(title === '' ? [] : [title]), ...lines.map((cells) => `  ${cells.join('  ')}`.trimEnd())];
}

function spreadRows({ durationMs, tokens, costUsd }: Stats): readonly (readonly string[])[] {
  const rowOf = (name: string, spread: Stats['tokens'], textOf: (value: number) => string): readonly string[][] =>
    spread === undefined ? [] : [[name, textOf(spread.p50), textOf(spread.p95), textOf(spread.total)]];
  return [
    ['', 'p50', 'p95', 'total'],
    ...rowOf('time', durationMs, durationText),
    ...rowOf('tokens', tokens, countText),
    ...rowOf('cost', costUsd, dollarText),
  ];
}

function flowRows(flows: Stats['flows']): readonly (readonly string[])[] {
  return [
    ['', 'runs', 'failed', 'time p50', 'cost'],
    ...flows.map(({ sourcePath, runs, failed, durationMs, costUsd }) => [
      oneLine(sourcePath),
      ...[countText(runs), countText(failed), durationText(durationMs?.p50)],
      costUsd === undefined ? '' : dollarText(costUsd.total),
    ]),
  ];
}

function nodeRows(nodes: Stats['nodes']): readonly (readonly string[])[] {
  return [
    ['', 'p50', 'p95', 'times', 'failed'],
    ...nodes.map(({ nodeId, count, failed, durationMs }) => [
      oneLine(nodeId),
      ...[durationText(durationMs.p50), durationText(durationMs.p95), countText(count), countText(failed)],
    ]),
  ];
}

function failureLines({ nodeId, runs, last, message, streak }: Failures): readonly string[] {
  const name = nodeId === undefined ? 'no node' : oneLine(nodeId);
  const since =
    streak === undefined
      ? `, most recently in run #${last.number}`
      : `; in every run since #${streak.first.number} (${isoTime(streak.first.startedAt).slice(0, 10)}, ${runsText(streak.runs)})`;
  return [
    `  ${name}: failed in ${runsText(runs)}${since}`,
    ...(message === undefined ? [] : [`    ${oneLine(message)}`]),
    ...(streak === undefined ? [] : changeLines(streak)),
  ];
}

function changeLines({ before, changes }: NonNullable<Failures['streak']>): readonly string[] {
  if (before === undefined) return [];
  if (changes === undefined) return [`    The definition has changed since run #${before.number}.`];
  if (changes.length === 0) return [`    The definition is the same as in run #${before.number}, which was fine.`];
  return [
    `    Changed since run #${before.number}, which was fine:`,
    ...changes.map((change) => `      ${oneLine(change)}`),
  ];
}

function runsText(count: number): string {
  return count === 1 ? '1 run' : `${countText(count)} runs`;
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** Options of `runs label`. */
export interface LabelFlags extends ReadOptions {
  readonly remove?: true;
}

/** Adds labels to a run, or removes them. @throws EngineError `run.not-found` | `run.bad-mark` | `cli.usage` */
export async function labelRun(
  context: CliContext,
  { run, labels }: { readonly run: string; readonly labels: readonly string[] },
  options: LabelFlags,
): Promise<void> {
  await markRun(
    context,
    { run, ...(options.remove === true ? { removeLabels: labels } : { addLabels: labels }) },
    options,
  );
}

/** Sets the note of a run. @throws EngineError `run.not-found` | `run.bad-mark` | `cli.usage` */
export async function noteRun(
  context: CliContext,
  { run, note }: { readonly run: string; readonly note: string },
  options: ReadOptions,
): Promise<void> {
  await markRun(context, { run, note }, options);
}

async function markRun(
  context: CliContext,
  { run, ...change }: { readonly run: string } & Parameters<Engine['markRun']>[1],
  options: ReadOptions,
): Promise<void> {
  if (isShared(options)) throw usageError('Runs in a shared history have no labels and notes.');
  await withEngine(context, { workspace: resolveWorkspace(context, options), store: options.store }, async (engine) => {
    const runId = await resolveRunReference(engine, run);
    await engine.markRun(runId, change);
    const { number, labels = [], note } = await engine.getRun(runId);
    if (options.json === true) context.terminal.json(`${JSON.stringify({ runId, labels, note: note ?? '' })}\n`);
    else
      context.terminal.err(
        `Run #${number}: ${[...labels.map((label) => `[${label}]`), note ?? ''].join(' ').trim() || 'no labels, no note'}`,
      );
  });
}
