/**
 * `millrace run FILE`: runs a flow and shows it until it has ended.
 */
import type { Command } from 'commander';
import { checkFlow, hasErrors } from '../../isomorphic.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import { type CliContext, type GlobalOptions, withEngine } from '../cli-context.ts';
import { exitCode, type Finish } from '../exit-code.ts';
import { readFlowSource, showProblems, sourcePathOf } from '../flow-source.ts';
import { followRun } from '../follow-run.ts';
import { parseCount } from '../parse-count.ts';
import { gatherInputs, type InputOptions } from '../run-inputs.ts';
import { findRunTarget, type RunTarget } from '../run-target.ts';

interface RunOptions extends GlobalOptions, InputOptions {
  readonly parallel?: number;
}

/** Adds `run` to the program. */
export function addRunCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('run')
    .description('run a flow and show it until it has ended')
    .argument('<flow>', 'a flow file, for example review.flow.yaml, or PRODUCT/FLOW')
    .option('--input <key=value>', 'an input; the value is JSON when it parses, else text (repeatable)', collect, [])
    .option('--input-file <file>', 'inputs from a file with a JSON object')
    .option('--parallel <n>', 'how many nodes may run at once', parseCount)
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RunOptions>();
      finish(await run(context, findRunTarget(context, options, name), options));
    });
}

async function run(context: CliContext, { shown, workspace }: RunTarget, options: RunOptions): Promise<number> {
  const source = await readFlowSource(context, shown);
  const { diagnostics } = checkFlow(source.text, builtinRegistry);
  showProblems(context, source.shown, diagnostics);
  if (hasErrors(diagnostics)) return exitCode.refused;
  const inputs = gatherInputs(options, context.folder);
  if ((options.parallel ?? 1) > 1)
    context.terminal.err('note: nodes run one at a time for now; --parallel has no effect');
  return await withEngine(context, { workspace, store: options.store }, (engine) =>
    followRun(context, { engine, json: options.json }, () =>
      engine.startRun({
        path: sourcePathOf(engine.workspace, source.file),
        text: source.text,
        inputs,
        ...(options.parallel === undefined ? {} : { maxParallel: options.parallel }),
      }),
    ),
  );
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
