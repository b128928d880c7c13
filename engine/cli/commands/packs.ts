/**
 * Defines the commands about agents and packs: setting up folders, creating files, building, installing, updating and
 * removing packs, and showing keys and paths of this machine.
 */
import type { Command } from 'commander';
import type { CliNewFileKind } from '../actions/new-file.ts';
import type { PackOptions } from '../actions/pack-folder.ts';
import type { InstallFlags } from '../actions/packs.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `init` and `init-base` to the program. */
export function addInitCommands(program: Command, context: CliContext): void {
  program
    .command('init')
    .description('make a folder a workspace for agents; what is there stays')
    .argument('[dir]', 'the folder; else the current one', '.')
    .action(async (dir: string, _: unknown, command: Command) => {
      const { init } = await import('../actions/init.ts');
      await init(context, dir, command.optsWithGlobals<GlobalOptions>());
    });
  program
    .command('init-base')
    .description('look the base folder over and put back packs that came with the program')
    .action(async (_: unknown, command: Command) => {
      const { initBaseFolder } = await import('../actions/init.ts');
      await initBaseFolder(context, command.optsWithGlobals<GlobalOptions>());
    });
}

/** Adds `install` to the program. */
export function addInstallCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('install')
    .description('install a pack; a pack is code')
    .argument('[uri]', 'namespace@name, an address of an archive or of a git repository, or an .aipack file')
    .option('--force', 'also when a newer version is there')
    .option('--frozen', 'install exactly what packs.lock of the workspace says')
    .action(async (uri: string | undefined, _: unknown, command: Command) => {
      const { install } = await import('../actions/packs.ts');
      finish(await install(context, uri, command.optsWithGlobals<InstallFlags>()));
    });
}

/** Adds `list` to the program. */
export function addListCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('list')
    .description('list the packs of the workspace, your own and installed ones, and the products of the workspace')
    .argument('[filter]', 'namespace@, @name, namespace@name, or a part of a name')
    .action(async (filter: string | undefined, _: unknown, command: Command) => {
      const { listPacks } = await import('../actions/list-packs.ts');
      finish(await listPacks(context, filter, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `update` to the program. */
export function addUpdateCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('update')
    .description('install newer versions of packs, from where each came from')
    .argument('[ref]', 'namespace@name; else all')
    .action(async (ref: string | undefined, _: unknown, command: Command) => {
      const { update } = await import('../actions/packs.ts');
      finish(await update(context, ref, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `uninstall` to the program. */
export function addUninstallCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('uninstall')
    .description('move an installed pack to the trash')
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
    .description('copy a pack into the workspace, where you may change it')
    .argument('<ref>', 'namespace@name')
    .option('--force', 'replace a copy that is there; it goes to the trash')
    .action(async (ref: string, _: unknown, command: Command) => {
      const { unpack } = await import('../actions/packs.ts');
      finish(await unpack(context, ref, command.optsWithGlobals<GlobalOptions & { force?: true }>()));
    });
}

const kinds: Readonly<Record<CliNewFileKind, string>> = {
  agent: 'an agent file in the current folder',
  pack: 'a pack in the workspace; its name is namespace@name',
  flow: 'a flow file in the current folder',
};

/** Adds `new` with its subcommands to the program. */
export function addNewCommand(program: Command, context: CliContext): void {
  const added = program.command('new').description('write an agent, a pack or a flow to begin with');
  for (const [kind, description] of Object.entries(kinds)) {
    added
      .command(kind)
      .description(description)
      .argument('<name>', 'its name')
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
    .description("write the archive of a pack's folder")
    .argument('<dir>', 'the folder')
    .option('-o, --output <dir>', 'where the archive goes; else the current folder')
    .option('--yes', 'write a pack.toml without asking when there is none')
    .action(async (dir: string, _: unknown, command: Command) => {
      const { packOneFolder } = await import('../actions/pack-folder.ts');
      finish(await packOneFolder(context, dir, command.optsWithGlobals<PackOptions>()));
    });
}

/** Adds `check-keys` to the program. */
export function addCheckKeysCommand(program: Command, context: CliContext): void {
  program
    .command('check-keys')
    .description('say which variables with keys of model providers are set; never their values')
    .action(async (_: unknown, command: Command) => {
      const { checkKeys } = await import('../actions/check-keys.ts');
      checkKeys(context, command.optsWithGlobals<GlobalOptions>());
    });
}

/** Adds `licenses` to the program. */
export function addLicensesCommand(program: Command, { terminal }: CliContext): void {
  program
    .command('licenses')
    .description('print what others have written and this program brings along, with the terms of each')
    .action(async () => {
      const { printLicenses } = await import('../actions/licenses.ts');
      printLicenses(terminal);
    });
}

export function addSelfCommand(program: Command, context: CliContext): void {
  program
    .command('self')
    .description('say which version this is, and where it and its folders are')
    .action(async (_: unknown, command: Command) => {
      const { printSelf } = await import('../actions/self.ts');
      printSelf(context, command.optsWithGlobals<GlobalOptions>());
    });
}
