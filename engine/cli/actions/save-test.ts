/**
 * Implements `runs save-test`, which adds a run to a test file as a case.
 */
import path from 'node:path';
import type { Engine } from '../../index.ts';
import type { RunId } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { sourcePathOf } from '../flow-source.ts';
import { resolveRunReference } from '../run-reference.ts';
import { withEngine } from './with-engine.ts';

/** Options of `runs save-test`. */
export interface SaveTestFlags extends GlobalOptions, SharedOptions {
  readonly file?: string;
  readonly name?: string;
  readonly all?: true;
}

/** @throws EngineError as `EvaluationEngine.saveTest`; `cli.usage` for a shared history */
export async function saveTestOfRun(context: CliContext, run: string, flags: SaveTestFlags): Promise<void> {
  const { terminal, folder } = context;
  const { file: named, name, all, store, trust } = flags;
  if (isShared(flags))
    throw usageError('Runs in a shared history cannot become tests: this workspace may not know their secrets.');
  const workspace = resolveWorkspace(context, flags);
  await withEngine(context, { workspace, store, trust }, async (engine) => {
    const runId = await resolveRunReference(engine, run);
    const file = named === undefined ? {} : { file: sourcePathOf(engine.workspace, path.resolve(folder, named)) };
    const checks = all === true ? { checks: await allChecks(engine, runId) } : {};
    const saved = await engine.saveTest({ runId, ...file, ...checks, ...(name === undefined ? {} : { name }) });
    if (flags.json === true) terminal.json(`${JSON.stringify(saved)}\n`);
    else for (const line of linesOf(saved)) terminal.err(line);
  });
}

/** Returns the IDs of the checks that hold, and of the important ones. */
async function allChecks(engine: Engine, runId: RunId): Promise<readonly string[]> {
  const { checks } = await engine.proposeTest(runId);
  return checks.flatMap(({ id, isHeld, isChosen }) => (isHeld || isChosen ? [id] : []));
}

type SaveTestReport = Awaited<ReturnType<Engine['saveTest']>>;

function linesOf({ file, name, cassette, calls, missing, masked, notes }: SaveTestReport): readonly string[] {
  const recorded = `${calls} ${calls === 1 ? 'recorded call' : 'recorded calls'}`;
  return [
    `Added the case "${name}" to ${file}${cassette === undefined ? '.' : `, with ${recorded} in ${cassette}.`}`,
    ...(masked === 0
      ? []
      : [`Replaced ${masked} private ${masked === 1 ? 'value' : 'values'}. Check both files before you commit them.`]),
    ...missing.map((sentence) => `missing: ${sentence}`),
    ...notes.map((note) => `note: ${note}`),
    ...(missing.length === 0 ? [] : ['Record the missing calls: millrace test --record missing']),
  ];
}
