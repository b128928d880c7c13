/**
 * Defines the policy commands, which show the active policies, whether a file is valid, and what it would have refused.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

const actions = (): Promise<typeof import('../actions/policy.ts')> => import('../actions/policy.ts');

/** Adds `policy` with its subcommands to the program. */
export function addPolicyCommand(program: Command, context: CliContext, finish: Finish): void {
  const policy = program.command('policy').description('Check policies and test them against earlier runs');
  policy
    .command('check')
    .description('Report all problems in a policy')
    .argument('[file]', 'Policy file (default: all policies that apply here)')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const { checkPolicies } = await actions();
      finish(await checkPolicies(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
  policy
    .command('try')
    .description('Show what a policy would have denied in earlier runs, without running anything')
    .argument('[file]', 'Policy file (default: all policies that apply here)')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const { tryPolicy } = await actions();
      finish(await tryPolicy(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
}
