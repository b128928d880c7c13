/**
 * A protocol client of `millrace mcp`, for tests.
 */
import path from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { builtPart } from './built-program.ts';

/** Starts the built program in a workspace, and connects a client. The caller must close it. */
export async function connectMcpClient(workspace: string, name = 'test', options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name, version: '1' }, options);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(await builtPart('cli'), 'cli.cjs'), 'mcp', '--workspace', workspace],
      env: { MILLRACE_HOME: path.join(workspace, 'home') },
      stderr: 'ignore',
    }),
  );
  return client;
}
