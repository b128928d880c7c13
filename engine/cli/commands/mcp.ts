/**
 * Defines `millrace mcp`, which offers flows to other programs over the Model Context Protocol, and the commands about
 * MCP servers that flows use.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `mcp` to the program. */
export function addMcpCommand(program: Command, context: CliContext, finish: Finish): void {
  const mcp = program
    .command('mcp')
    .description('Offer the workspace flows as tools to a coding agent over stdin and stdout (MCP)')
    .action(async (_: unknown, command: Command) => {
      const { serveMcp } = await import('../actions/mcp-serve.ts');
      finish(await serveMcp(context, command.optsWithGlobals<GlobalOptions>()));
    });
  mcp
    .command('servers')
    .description('Start the servers in .mcp.json and list them with their tools')
    .action(async (_: unknown, command: Command) => {
      const { showMcpServers } = await import('../actions/mcp-servers.ts');
      finish(await showMcpServers(context, command.optsWithGlobals<GlobalOptions>()));
    });
}
