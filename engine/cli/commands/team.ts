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
    .description('write the package of a team: its file and the packs that it names')
    .requiredOption('--team <file>', 'the team file (millrace.team.yaml)')
    .option('--out <dir>', 'where the packages go; else the current folder')
    .option('--sign <key>', 'a private Ed25519 key (PEM): writes a signed zip as well, for other systems than Debian')
    .action(async (_: unknown, command: Command) => {
      const { packageTeam } = await actions();
      finish(await packageTeam(context, command.optsWithGlobals<PackageFlags>()));
    });
}

/** Adds `team` with its subcommands to the program. */
export function addTeamCommand(program: Command, context: CliContext, finish: Finish): void {
  const team = program.command('team').description('what a team sets on this machine');
  team
    .command('show')
    .description('say which team file holds, and what it sets')
    .action(async (_: unknown, command: Command) => {
      const { showTeam } = await actions();
      finish(showTeam(context, command.optsWithGlobals<GlobalOptions>()));
    });
  team
    .command('check')
    .description('say everything that is wrong with a team file')
    .argument('<file>', 'the team file')
    .action(async (file: string, _: unknown, command: Command) => {
      const { checkTeam } = await actions();
      finish(checkTeam(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
  team
    .command('verify')
    .description("check the signature and the content of a team's zip")
    .argument('<file>', 'the zip')
    .option('--key <key>', 'the public Ed25519 key (PEM) of whoever must have signed it')
    .action(async (file: string, _: unknown, command: Command) => {
      const { verifyTeam } = await actions();
      finish(await verifyTeam(context, file, command.optsWithGlobals<TeamFlags>()));
    });
  team
    .command('install')
    .description("check a team's zip, ask, and let it hold for you")
    .argument('<file>', 'the zip')
    .option('--key <key>', 'the public Ed25519 key (PEM) of whoever must have signed it')
    .option('--yes', 'do not ask; only with --key')
    .option('--force', 'also when the installed version is newer')
    .action(async (file: string, _: unknown, command: Command) => {
      const { installTeamPackage } = await actions();
      finish(await installTeamPackage(context, file, command.optsWithGlobals<TeamFlags>()));
    });
  team
    .command('remove')
    .description('take away what `team install` has put there')
    .action(async (_: unknown, command: Command) => {
      const { removeInstalledTeam } = await actions();
      finish(await removeInstalledTeam(context, command.optsWithGlobals<GlobalOptions>()));
    });
}
