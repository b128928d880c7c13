/**
 * Defines the commands about policies: which are active, whether a file is valid, and what it would have refused.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

const actions = (): Promise<typeof import('../actions/policy.ts')> => import('../actions/policy.ts');

/** Adds `policy` with its subcommands to the program. */
export function addPolicyCommand(program: Command, context: CliContext, finish: Finish): void {
  const policy = program.command('policy').description('what policies let runs do');
  policy
    .command('check')
    .description('say everything that is wrong with a policy')
    .argument('[file]', 'the policy; without it, all that hold here')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const { checkPolicies } = await actions();
      finish(await checkPolicies(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
  policy
    .command('try')
    .description('say what a policy would have refused of the runs in the history; nothing is run')
    .argument('[file]', 'the policy; without it, all that hold here')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const { tryPolicy } = await actions();
      finish(await tryPolicy(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
}
