/**
 * Defines the commands about teams: the team file, and packages that contain it.
 */
import type { Command } from 'commander';
import type { PackageFlags, TeamFlags } from '../actions/team.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

const actions = (): Promise<typeof import('../actions/team.ts')> => import('../actions/team.ts');

/** Adds `package` to the program. */
export function addPackageCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('package')
    .description('Create a team package with the team file and the packs that it names')
    .requiredOption('--team <file>', 'Team file (millrace.team.yaml)')
    .option('--out <dir>', 'Folder for the packages (default: the current folder)')
    .option('--sign <key>', 'Private Ed25519 key (PEM); also creates a signed zip, for systems other than Debian')
    .action(async (_: unknown, command: Command) => {
      const { packageTeam } = await actions();
      finish(await packageTeam(context, command.optsWithGlobals<PackageFlags>()));
    });
}

/** Adds `team` with its subcommands to the program. */
export function addTeamCommand(program: Command, context: CliContext, finish: Finish): void {
  const team = program.command('team').description('Show and manage the team settings on this machine');
  team
    .command('show')
    .description('Show the active team file and its settings')
    .action(async (_: unknown, command: Command) => {
      const { showTeam } = await actions();
      finish(showTeam(context, command.optsWithGlobals<GlobalOptions>()));
    });
  team
    .command('check')
    .description('Report all problems in a team file')
    .argument('<file>', 'Team file')
    .action(async (file: string, _: unknown, command: Command) => {
      const { checkTeam } = await actions();
      finish(checkTeam(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
  team
    .command('verify')
    .description('Check the signature and content of a team zip')
    .argument('<file>', 'Zip file')
    .option('--key <key>', 'Public Ed25519 key (PEM) of the required signer')
    .action(async (file: string, _: unknown, command: Command) => {
      const { verifyTeam } = await actions();
      finish(await verifyTeam(context, file, command.optsWithGlobals<TeamFlags>()));
    });
  team
    .command('install')
    .description('Check a team zip, ask, and install it for you')
    .argument('<file>', 'Zip file')
    .option('--key <key>', 'Public Ed25519 key (PEM) of the required signer')
    .option('--yes', 'Install without asking (only with --key)')
    .option('--force', 'Install even if the installed version is newer')
    .action(async (file: string, _: unknown, command: Command) => {
      const { installTeamPackage } = await actions();
      finish(await installTeamPackage(context, file, command.optsWithGlobals<TeamFlags>()));
    });
  team
    .command('remove')
    .description('Remove the installed team package')
    .action(async (_: unknown, command: Command) => {
      const { removeInstalledTeam } = await actions();
      finish(await removeInstalledTeam(context, command.optsWithGlobals<GlobalOptions>()));
    });
}
