/**
 * Implements `run`.
 */
import {
  type AutonomyLevel,
  type CompiledGraph,
  type Diagnostic,
  EngineError,
  hasErrors,
  lowerOf,
} from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { readFlowSource, showProblems, sourcePathOf } from '../flow-source.ts';
import { followRun } from '../follow-run.ts';
import { findRunTarget } from '../run-target.ts';
import { startAsking } from './ask-before-start.ts';
import { checkFlowSource } from './file-problems.ts';
import { breakpointsIn, type CliRunOptions, cassetteOf, gatherInputs, partOptions } from './run-options.ts';
import { withEngine } from './with-engine.ts';

/**
 * Runs the flow or agent named by `target`.
 * @returns the exit code
 * @throws EngineError `cli.usage`, and errors of the engine before a run starts
 */
export async function run(context: CliContext, target: string, options: CliRunOptions): Promise<number> {
  const isForWorkers = options.on !== undefined;
  if (isForWorkers) (await import('./run-on.ts')).refuseLocalOptions(options);
  const found = await findRunTarget(context, options, target);
  if (found.kind === 'flow') return await runFlow(context, found, options);
  const { workspace } = found;
  if (isForWorkers && !isFlowOfPack(found.agent))
    throw usageError(
      `${target} is an agent, and workers execute only flows. Create a flow with a node of type agent (input: { agent: ${target}, inputs: [ … ] }) and run that with --on, or run the agent on this machine without --on.`,
    );
  if (isFlowOfPack(found.agent)) {
    const shown = await packFlow(context, { ref: found.agent, workspace });
    return await runFlow(context, { shown, workspace }, options);
  }
  const { runAgent } = await import('./run-agent.ts');
  return await runAgent(context, found, options);
}

/** Returns whether the target is a flow in a pack: `namespace@pack/path/NAME.flow.yaml`. */
function isFlowOfPack(target: string): boolean {
  return target.includes('@') && /\.flow\.ya?ml$/.test(target);
}

async function runFlow(
  context: CliContext,
  { shown, workspace }: { readonly shown: string; readonly workspace: string },
  options: CliRunOptions,
): Promise<number> {
  refuseAgentFlags(shown, options);
  const source = await readFlowSource(context, shown);
  const checked = await checkFlowSource(source, { context, workspace });
  showProblems(context, source.shown, checked.diagnostics);
  if (hasErrors(checked.diagnostics)) return exitCode.refused;
  const inputs = gatherInputs(options, { folder: context.folder, inputDocs: checked.flow?.inputDocs });
  const part = partOptions(context, options);
  const autonomy = autonomyOf(context, options.autonomy, checked.flow?.policy.autonomy);
  const { store, trust, history } = options;
  const place = { ...{ workspace, store, trust, history }, ...cassetteOf(context, options) };
  const refused = (error: unknown): number => {
    if (!EngineError.is(error) || error.code !== 'flow.invalid') throw error;
    const known = new Set(checked.diagnostics);
    const details = error.details as readonly Diagnostic[];
    showProblems(
      context,
      source.shown,
      details.filter((one) => !known.has(one)),
    );
    return exitCode.refused;
  };
  const requestIn = (folder: string) => ({
    path: sourcePathOf(folder, source.file),
    text: source.text,
    checked,
    inputs,
    ...(options.parallel === undefined ? {} : { maxParallel: options.parallel }),
    ...autonomy,
    ...part,
    ...breakpointsIn(options.break, { path: sourcePathOf(folder, source.file), ids: nodeIdsOf(checked.flow) }),
  });
  if (options.on !== undefined) {
    const { runOn } = await import('./run-on.ts');
    return await runOn(context, options, { request: requestIn(workspace), workspace }).catch(refused);
  }
  return await withEngine(context, place, (engine) =>
    followRun(context, { engine, json: options.json }, () =>
      startAsking(engine, () => engine.startRun(requestIn(engine.workspace))),
    ),
  ).catch(refused);
}

/**
 * Returns the autonomy level to start at. Warns if the requested level is higher than the declared one, because it then
 * has no effect.
 */
function autonomyOf(
  { terminal }: CliContext,
  asked: AutonomyLevel | undefined,
  declared: AutonomyLevel | undefined,
): { readonly autonomy?: AutonomyLevel } {
  if (asked === undefined) return {};
  if (lowerOf(asked, declared) !== asked)
    terminal.err(
      `The flow declares the autonomy level ${declared}. ${asked} cannot raise it, so it runs at ${declared}.`,
    );
  return { autonomy: asked };
}

/** Returns the IDs of a flow's nodes, also in loops. */
function nodeIdsOf(flow: CompiledGraph | null | undefined): readonly string[] {
  return flow?.nodes.flatMap(({ id, body }) => [id, ...nodeIdsOf(body)]) ?? [];
}

function refuseAgentFlags(shown: string, { onInputs, onFiles, dry, watch, verbose }: CliRunOptions): void {
  const flags = {
    '-i': onInputs.length > 0,
    '-f': onFiles.length > 0,
    '--dry': dry !== undefined,
    '-w': watch === true,
    '-v': verbose === true,
  };
  const given = Object.entries(flags).find(([, isGiven]) => isGiven);
  if (given === undefined) return;
  throw usageError(`${given[0]} is for agents, and ${shown} is a flow. Pass its inputs with --input KEY=VALUE.`);
}

/**
 * Returns the absolute path of a flow in a pack.
 * @param ref `namespace@pack/path/NAME.flow.yaml`
 * @throws EngineError `pack.bad-ref` | `pack.not-found` | `files.outside`; `cli.usage` for a reference to pack data
 */
async function packFlow(
  context: CliContext,
  { ref, workspace }: { readonly ref: string; readonly workspace: string },
): Promise<string> {
  const [{ findPackFlow }, { packWorldOf }] = await Promise.all([
    import('../../packs/pack/pack-locator.ts'),
    import('./with-packs.ts'),
  ]);
  if (ref.includes('$')) throw usageError(`${ref} refers to the data of a pack. Name a flow in the pack itself.`);
  const { baseFolder } = packWorldOf(context, { workspace });
  return await findPackFlow(ref, { workspace, baseFolder });
}
