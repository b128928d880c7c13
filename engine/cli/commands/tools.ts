/**
 * Defines `millrace tools …`: the tools that flows and agents can call.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `tools` with its subcommands to the program. */
export function addToolsCommand(program: Command, context: CliContext, finish: Finish): void {
  const tools = program.command('tools').description('List, show and try the tools that flows and agents can call');
  tools
    .command('list', { isDefault: true })
    .description('List all tools: built-in tools and those of the workspace, packs and MCP servers')
    .action(async (_: unknown, command: Command) => {
      const { listTools } = await import('../actions/tools.ts');
      finish(await listTools(context, command.optsWithGlobals<GlobalOptions>()));
    });
  tools
    .command('show')
    .description("Show a tool's description, its parameters, and the files that use it")
    .argument('<name>', 'Name of the tool, such as core.file_read')
    .action(async (name: string, _: unknown, command: Command) => {
      const { showTool } = await import('../actions/tools.ts');
      await showTool(context, name, command.optsWithGlobals<GlobalOptions>());
    });
  tools
    .command('try')
    .description('Call a tool once, outside any run; your command counts as the approval')
    .argument('<name>', 'Name of the tool')
    .option('--params <file>', 'JSON file with the arguments; - reads stdin (default: {})')
    .action(async (name: string, _: unknown, command: Command) => {
      const { tryTool } = await import('../actions/tools.ts');
      finish(await tryTool(context, name, command.optsWithGlobals<GlobalOptions & { params?: string }>()));
    });
  tools
    .command('allowed')
    .description('List the MCP tools that you have allowed in this workspace')
    .action(async (_: unknown, command: Command) => {
      const { listAllowed } = await import('../actions/tools.ts');
      await listAllowed(context, command.optsWithGlobals<GlobalOptions>());
    });
  tools
    .command('withdraw')
    .description('Require approval again for a tool that you have allowed')
    .argument('<name>', 'Name of the tool, such as files.write')
    .action(async (name: string, _: unknown, command: Command) => {
      const { withdrawTool } = await import('../actions/tools.ts');
      finish(await withdrawTool(context, name, command.optsWithGlobals<GlobalOptions>()));
    });
}
