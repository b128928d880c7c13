/**
 * What `run` does.
 */
import path from 'node:path';
import type { EngineOptions } from '../../index.ts';
import { checkFlow, hasErrors } from '../../isomorphic.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { readFlowSource, showProblems, sourcePathOf } from '../flow-source.ts';
import { followRun } from '../follow-run.ts';
import { gatherInputs, type InputOptions } from '../run-inputs.ts';
import { findRunTarget } from '../run-target.ts';
import { withEngine } from './with-engine.ts';

type Cassette = NonNullable<EngineOptions['cassette']>;

/** Flags of `run`. */
export interface RunOptions extends GlobalOptions, InputOptions {
  readonly parallel?: number;
  readonly cassette?: string;
  readonly mode?: Cassette['mode'];
}

/**
 * Runs the flow that `target` names.
 * @returns the exit code
 * @throws EngineError `cli.usage`, and what the engine throws before a run starts
 */
export async function runFlow(context: CliContext, target: string, options: RunOptions): Promise<number> {
  const { shown, workspace } = findRunTarget(context, options, target);
  const source = await readFlowSource(context, shown);
  const checked = checkFlow(source.text, builtinRegistry);
  showProblems(context, source.shown, checked.diagnostics);
  if (hasErrors(checked.diagnostics)) return exitCode.refused;
  const inputs = gatherInputs(options, context.folder);
  const cassette = cassetteOf(context, options);
  return await withEngine(context, { workspace, store: options.store, ...cassette }, (engine) =>
    followRun(context, { engine, json: options.json }, () =>
      engine.startRun({
        path: sourcePathOf(engine.workspace, source.file),
        text: source.text,
        checked,
        inputs,
        ...(options.parallel === undefined ? {} : { maxParallel: options.parallel }),
      }),
    ),
  );
}

/** @throws EngineError `cli.usage` for a mode without a cassette */
function cassetteOf({ folder }: CliContext, { cassette, mode }: RunOptions): { cassette?: Cassette } {
  if (cassette !== undefined) return { cassette: { file: path.resolve(folder, cassette), mode: mode ?? 'auto' } };
  if (mode === undefined) return {};
  throw usageError(`--mode ${mode} says what a cassette is for: add --cassette FILE.`);
}
