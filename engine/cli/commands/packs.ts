/**
 * Defines the commands about agents and packs: setting up folders, creating files, building, installing, updating and
 * removing packs, and showing this machine's keys and paths.
 */
import type { Command } from 'commander';
import type { InitFlags } from '../actions/init.ts';
import type { CliNewFileKind } from '../actions/new-file.ts';
import type { PackOptions } from '../actions/pack-folder.ts';
import type { InstallFlags } from '../actions/packs.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `init` and `init-base` to the program. */
export function addInitCommands(program: Command, context: CliContext): void {
  program
    .command('init')
    .description('Make a folder a workspace for agents without overwriting anything')
    .argument('[dir]', 'Workspace folder', '.')
    .option('--skill', 'Also write a skill that teaches coding agents the file formats and the commands')
    .action(async (dir: string, _: unknown, command: Command) => {
      const { init } = await import('../actions/init.ts');
      await init(context, dir, command.optsWithGlobals<InitFlags>());
    });
  program
    .command('init-base')
    .description('Check the base folder and restore bundled packs')
    .action(async (_: unknown, command: Command) => {
      const { initBaseFolder } = await import('../actions/init.ts');
      await initBaseFolder(context, command.optsWithGlobals<GlobalOptions>());
    });
}

/** Adds `install` to the program. */
export function addInstallCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('install')
    .description('Install a pack (packs contain code; install only those you trust)')
    .argument('[uri]', 'namespace@name, the address of an archive or a git repository, or an .aipack file')
    .option('--force', 'Install even if a newer version is installed')
    .option('--frozen', "Install exactly the packs in the workspace's packs.lock file")
    .action(async (uri: string | undefined, _: unknown, command: Command) => {
      const { install } = await import('../actions/packs.ts');
      finish(await install(context, uri, command.optsWithGlobals<InstallFlags>()));
    });
}

/** Adds `list` to the program. */
export function addListCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('list')
    .description('List the workspace packs, your own and installed packs, and the products in the workspace')
    .argument('[filter]', 'namespace@, @name, namespace@name, or part of a name')
    .action(async (filter: string | undefined, _: unknown, command: Command) => {
      const { listPacks } = await import('../actions/list-packs.ts');
      finish(await listPacks(context, filter, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `update` to the program. */
export function addUpdateCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('update')
    .description('Install newer versions of packs, each from its original source')
    .argument('[ref]', 'namespace@name (default: all packs)')
    .action(async (ref: string | undefined, _: unknown, command: Command) => {
      const { update } = await import('../actions/packs.ts');
      finish(await update(context, ref, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `uninstall` to the program. */
export function addUninstallCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('uninstall')
    .description('Move an installed pack to the trash')
    .argument('<ref>', 'namespace@name')
    .action(async (ref: string, _: unknown, command: Command) => {
      const { uninstall } = await import('../actions/packs.ts');
      finish(await uninstall(context, ref, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `unpack` to the program. */
export function addUnpackCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('unpack')
    .description('Copy a pack into the workspace so that you can change it')
    .argument('<ref>', 'namespace@name')
    .option('--force', 'Replace an existing copy, and move it to the trash')
    .action(async (ref: string, _: unknown, command: Command) => {
      const { unpack } = await import('../actions/packs.ts');
      finish(await unpack(context, ref, command.optsWithGlobals<GlobalOptions & { force?: true }>()));
    });
}

const kinds: Readonly<Record<CliNewFileKind, string>> = {
  agent: 'Create an agent file in the current folder',
  pack: 'Create a pack in the workspace; its name is namespace@name',
  flow: 'Create a flow file in the current folder',
};

/** Adds `new` with its subcommands to the program. */
export function addNewCommand(program: Command, context: CliContext): void {
  const added = program.command('new').description('Create a starter agent, pack or flow');
  for (const [kind, description] of Object.entries(kinds)) {
    added
      .command(kind)
      .description(description)
      .argument('<name>', 'Name of the new file or pack')
      .action(async (name: string, _: unknown, command: Command) => {
        const { writeNew } = await import('../actions/new-file.ts');
        await writeNew(context, { kind: kind as CliNewFileKind, name }, command.optsWithGlobals<GlobalOptions>());
      });
  }
}

/** Adds `pack` to the program. */
export function addPackCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('pack')
    .description('Create an archive of a pack folder')
    .argument('<dir>', 'Pack folder')
    .option('-o, --output <dir>', 'Folder for the archive (default: the current folder)')
    .option('--yes', 'Write a missing pack.toml without asking')
    .action(async (dir: string, _: unknown, command: Command) => {
      const { packOneFolder } = await import('../actions/pack-folder.ts');
      finish(await packOneFolder(context, dir, command.optsWithGlobals<PackOptions>()));
    });
}

/** Adds `check-keys` to the program. */
export function addCheckKeysCommand(program: Command, context: CliContext): void {
  program
    .command('check-keys')
    .description('Show which model provider key variables are set, without their values')
    .action(async (_: unknown, command: Command) => {
      const { checkKeys } = await import('../actions/check-keys.ts');
      checkKeys(context, command.optsWithGlobals<GlobalOptions>());
    });
}

/** Adds `licenses` to the program. */
export function addLicensesCommand(program: Command, { terminal }: CliContext): void {
  program
    .command('licenses')
    .description('Print the third-party software in the program, with its licenses')
    .action(async () => {
      const { printLicenses } = await import('../actions/licenses.ts');
      printLicenses(terminal);
    });
}

export function addSelfCommand(program: Command, context: CliContext): void {
  program
    .command('self')
    .description('Print the version and the folders that Millrace uses')
    .action(async (_: unknown, command: Command) => {
      const { printSelf } = await import('../actions/self.ts');
      printSelf(context, command.optsWithGlobals<GlobalOptions>());
    });
}
