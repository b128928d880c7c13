/**
 * Implements `rerun`.
 */
import type { RunReads } from '../../index.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { showingProblems } from '../flow-source.ts';
import { followRun } from '../follow-run.ts';
import { resolveRunReference } from '../run-reference.ts';
import type { Terminal } from '../terminal.ts';
import { startAsking } from './ask-before-start.ts';
import { outputsIn } from './run-options.ts';
import { withEngine } from './with-engine.ts';
import { printEach } from './with-packs.ts';

/** Options of `rerun`. */
export interface RerunOptions extends GlobalOptions {
  /** Node to rerun from. If absent, only the plan of changed nodes is shown. */
  readonly from?: string;
  readonly plan?: true;
  /** Values of the form `NODE=FILE`. */
  readonly output: readonly string[];
  readonly by?: string;
}

type RerunStep = Awaited<ReturnType<RunReads['planRerun']>>[number];

/**
 * Reruns an earlier run from a node, or shows the plan.
 * @returns the exit code
 * @throws EngineError `cli.usage` without a node to rerun from | `run.not-found` | `node.not-found` | `files.not-found`
 */
export async function rerun(context: CliContext, run: string, options: RerunOptions): Promise<number> {
  const { from: nodeId, plan, json, store, trust, by } = options;
  const given = await outputsIn(context, options.output);
  if (nodeId === undefined && plan === undefined && given === undefined) {
    throw usageError(
      'Name the node to run from with --from NODE, give a node an output with --output NODE=FILE, or use --plan to see what would run because of changes.',
    );
  }
  if (by !== undefined && given === undefined) throw usageError('--by requires an output: add --output NODE=FILE.');
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store, trust }, async (engine) => {
    const runId = await resolveRunReference(engine, run);
    const request = {
      runId,
      ...(nodeId === undefined ? {} : { nodeId }),
      ...(given === undefined ? {} : { given }),
      ...(by === undefined ? {} : { by }),
    };
    return await showingProblems(context, { engine, runId }, async () => {
      if (plan === undefined)
        return await followRun(context, { engine, json }, () => startAsking(engine, () => engine.rerunFrom(request)));
      const steps = await engine.planRerun(request);
      const { terminal } = context;
      printEach(context, { json }, { values: steps, lineOf: (step) => line(step, terminal) });
      return exitCode.ok;
    });
  });
}

function line({ nodeId, fate, why }: RerunStep, { colors }: Pick<Terminal, 'colors'>): string {
  switch (fate) {
    case 'reused':
      return `${colors.green('reused')}      ${nodeId}`;
    case 'runs':
      return `${colors.cyan('runs again')}  ${nodeId}: ${why}`;
    case 'maybe':
      return `${colors.yellow('may run')}     ${nodeId}: ${why}`;
    case 'skipped':
      return `${colors.dim('skipped')}     ${nodeId}`;
    case 'pinned':
    case 'given':
      return `${colors.green(fate.padEnd(10))}  ${nodeId}`;
  }
}
