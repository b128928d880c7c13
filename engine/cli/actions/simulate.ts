/**
 * Implements `simulate`.
 */
import type { RunReads } from '../../index.ts';
import type { AutonomyLevel } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { oneLine } from '../progress/phrases.ts';
import { resolveRunReference } from '../run-reference.ts';
import { withEngine } from './with-engine.ts';

/** Options of `simulate`. */
export interface SimulateOptions extends GlobalOptions {
  readonly autonomy: AutonomyLevel;
}

type Report = Awaited<ReturnType<RunReads['simulateAutonomy']>>;

/**
 * Prints where a run would have asked, or only suggested an action, at another level. @throws EngineError
 * `run.not-found`
 */
export async function simulate(context: CliContext, run: string, options: SimulateOptions): Promise<void> {
  const { terminal } = context;
  const workspace = resolveWorkspace(context, options);
  await withEngine(context, { workspace, store: options.store }, async (reads: RunReads) => {
    const runId = await resolveRunReference(reads, run);
    const report = await reads.simulateAutonomy({ runId, level: options.autonomy });
    if (options.json === true) terminal.json(`${JSON.stringify({ runId, ...report })}\n`);
    else terminal.out(`${linesOf(report).join('\n')}\n`);
  });
}

function linesOf(report: Report): readonly string[] {
  const { level, ranAt, pauses, suggestions, acts } = report;
  const ran = ranAt === null ? 'It ran without an autonomy level.' : `It ran at ${ranAt}.`;
  const rest = pauses + suggestions - acts.length;
  const { unknown = [], notPredicted } = report;
  return [
    `At ${level}: ${summaryOf(report)} ${ran}`,
    ...acts.map(lineOf),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(notPredicted === undefined ? [] : [oneLine(notPredictedText(notPredicted))]),
    ...unknown.map((nodeId) => oneLine(`unknown: what ${nodeId} would have done with another input`)),
  ];
}

function notPredictedText({ why, nodes }: NonNullable<Report['notPredicted']>): string {
  const what = nodes.length === 0 ? 'the effects of a suggestion' : `what ${nodes.join(', ')} would have done`;
  return `not predicted: ${what}, because ${why}`;
}

function summaryOf({ pauses, suggestions, refused }: Pick<Report, 'pauses' | 'suggestions' | 'refused'>): string {
  if (refused !== undefined) return refused;
  const parts = [
    ...(pauses === 0 ? [] : [`it would have paused ${timesText(pauses)}`]),
    ...(suggestions === 0 ? [] : [`it would have made ${suggestions} suggestion${suggestions === 1 ? '' : 's'}`]),
  ];
  return parts.length === 0 ? 'it would not have paused or made suggestions.' : `${parts.join(', and ')}.`;
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function lineOf({ kind, nodeId, tool, params, byModel }: Report['acts'][number]): string {
  const what = tool === undefined ? '' : `, where ${byModel === true ? 'its model' : 'it'} calls ${tool}`;
  return oneLine(`${kind === 'pause' ? 'pauses at' : 'suggests for'} ${nodeId}${what}: ${JSON.stringify(params)}`);
}
