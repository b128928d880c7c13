/**
 * Defines `millrace tools …`: the tools that flows and agents can call.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `tools` with its subcommands to the program. */
export function addToolsCommand(program: Command, context: CliContext, finish: Finish): void {
  const tools = program.command('tools').description('tools that flows and agents may call');
  tools
    .command('list', { isDefault: true })
    .description('all of them: of the program, of the workspace, of packs and of MCP servers')
    .action(async (_: unknown, command: Command) => {
      const { listTools } = await import('../actions/tools.ts');
      finish(await listTools(context, command.optsWithGlobals<GlobalOptions>()));
    });
  tools
    .command('show')
    .description('what a tool does, what it is called with, and who uses it')
    .argument('<name>', 'its name, such as core.file_read')
    .action(async (name: string, _: unknown, command: Command) => {
      const { showTool } = await import('../actions/tools.ts');
      await showTool(context, name, command.optsWithGlobals<GlobalOptions>());
    });
  tools
    .command('try')
    .description('call a tool once, outside of any run; your call is the approval')
    .argument('<name>', 'its name')
    .option('--params <file>', 'JSON that it is called with; - reads it from stdin; else {}')
    .action(async (name: string, _: unknown, command: Command) => {
      const { tryTool } = await import('../actions/tools.ts');
      finish(await tryTool(context, name, command.optsWithGlobals<GlobalOptions & { params?: string }>()));
    });
  tools
    .command('allowed')
    .description('the tools of MCP servers that you have allowed in this workspace')
    .action(async (_: unknown, command: Command) => {
      const { listAllowed } = await import('../actions/tools.ts');
      await listAllowed(context, command.optsWithGlobals<GlobalOptions>());
    });
  tools
    .command('withdraw')
    .description('ask again before calls of a tool that you have allowed')
    .argument('<name>', 'its name, such as files.write')
    .action(async (name: string, _: unknown, command: Command) => {
      const { withdrawTool } = await import('../actions/tools.ts');
      finish(await withdrawTool(context, name, command.optsWithGlobals<GlobalOptions>()));
    });
}
