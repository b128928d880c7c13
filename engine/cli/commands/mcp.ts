/**
 * Defines `millrace mcp`, which offers flows to other programs over the Model Context Protocol, and the commands about
 * MCP servers that flows use.
 */
import type { Command } from 'commander';
import type { McpFlags } from '../actions/mcp-serve.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';
import { parseOrigin, parseOrigins, parsePort } from './serve.ts';

/** Adds `mcp` to the program. */
export function addMcpCommand(program: Command, context: CliContext, finish: Finish): void {
  const mcp = program
    .command('mcp')
    .description('Offer the workspace flows as tools to a coding agent over stdin and stdout (MCP)')
    .option('--http [port]', 'Serve over HTTP on 127.0.0.1 instead (default: 7421; 0: any free port)', parsePort)
    .option('--public-address <url>', 'With --http: address of the reverse proxy in front of the service', parseOrigin)
    .option('--allow-origin <origin...>', 'With --http: other sites with pages that may call the service', parseOrigins)
    .action(async (_: unknown, command: Command) => {
      const { serveMcp } = await import('../actions/mcp-serve.ts');
      finish(await serveMcp(context, command.optsWithGlobals<McpFlags>()));
    });
  mcp
    .command('servers')
    .description('Start the servers in .mcp.json and list them with their tools')
    .action(async (_: unknown, command: Command) => {
      const { showMcpServers } = await import('../actions/mcp-servers.ts');
      finish(await showMcpServers(context, command.optsWithGlobals<GlobalOptions>()));
    });
}
