/**
 * `millrace run FILE`: runs a flow and shows it until it has ended.
 */
import type { Command } from 'commander';
import { checkFlow, hasErrors } from '../../isomorphic.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace, withEngine } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { type FlowSource, readFlowSource, showProblems, sourcePathOf } from '../flow-source.ts';
import { followRun } from '../follow-run.ts';
import { parseCount } from '../parse-count.ts';
import type { Finish } from '../run-cli.ts';
import { gatherInputs, type InputOptions } from '../run-inputs.ts';

interface RunOptions extends GlobalOptions, InputOptions {
  readonly parallel?: number;
}

export function addRunCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('run')
    .description('run a flow and show it until it has ended')
    .argument('<file>', 'a flow file, for example review.flow.yaml')
    .option('--input <key=value>', 'an input; the value is JSON when it parses, else text (repeatable)', collect, [])
    .option('--input-file <file>', 'inputs from a file with a JSON object')
    .option('--parallel <n>', 'how many nodes may run at once', parseCount)
    .action(async (file: string, _: unknown, command: Command) => {
      finish(await run(context, await readFlowSource(context, file), command.optsWithGlobals<RunOptions>()));
    });
}

async function run(context: CliContext, source: FlowSource, options: RunOptions): Promise<number> {
  const { diagnostics } = checkFlow(source.text, builtinRegistry);
  showProblems(context, source.shown, diagnostics);
  if (hasErrors(diagnostics)) return exitCode.refused;
  const inputs = gatherInputs(options, context.folder);
  if ((options.parallel ?? 1) > 1)
    context.terminal.err('note: nodes run one at a time for now; --parallel has no effect');
  const workspace = resolveWorkspace(context, options, source.file);
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
