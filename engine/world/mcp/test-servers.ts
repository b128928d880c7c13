/**
 * MCP servers in a separate workspace, for tests.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { createScriptSecrets } from '../secrets/run-secrets.ts';
import type { RunnableTool, ToolContext } from '../tools/tool-source.ts';
import type { McpServerState } from './mcp-engine.ts';
import { McpServers, type McpServersOptions } from './mcp-servers.ts';

/** A workspace with servers. */
export class TestServers {
  /** Absolute path of the folder that contains the workspace and the base folder. */
  readonly folder = mkdtempSync(path.join(tmpdir(), 'millrace-mcp-'));
  readonly servers: McpServers;
  readonly secrets = new Map<string, string>();

  constructor(options: Partial<McpServersOptions> = {}) {
    this.servers = new McpServers({
      workspace: this.folder,
      baseFolder: path.join(this.folder, 'base'),
      version: '0.0.0',
      env: {},
      clock: systemClock,
      isTrusted: async () => true,
      openSecrets: () =>
        createScriptSecrets({
          isOfPack: false,
          read: async (name) => this.#secret(name),
          admit: () => undefined,
        }),
      ...options,
    });
  }

  #secret(name: string): string {
    const value = this.secrets.get(name);
    if (value === undefined) throw new EngineError({ code: 'secret.missing', message: `${name} is not set.` });
    return value;
  }

  /** Writes `.mcp.json`. */
  write(mcpServers: Readonly<Record<string, unknown>>): void {
    writeFileSync(path.join(this.folder, '.mcp.json'), JSON.stringify({ mcpServers }));
  }

  /** Returns a tool that must exist. */
  async tool(name: string): Promise<RunnableTool> {
    const tool = await this.servers.find(name);
    if (tool === undefined) throw new Error(`${name} does not exist`);
    return tool;
  }

  /** Calls a tool. */
  async call(name: string, params: JsonMap = {}, signal = new AbortController().signal): Promise<unknown> {
    return await (await this.tool(name)).run(params, { signal } as ToolContext);
  }

  /** Returns the only server's state. */
  async state(): Promise<McpServerState> {
    const [state] = await this.servers.states();
    if (state === undefined) throw new Error('The server is not running');
    return state;
  }

  async close(): Promise<void> {
    await this.servers.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
