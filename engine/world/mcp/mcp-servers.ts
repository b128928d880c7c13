/**
 * The servers in a workspace's current `.mcp.json`, and their tools.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { Listeners } from '../../base/listeners.ts';
import { never } from '../../base/wait-for.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import type { RequestedEffect, RunGate } from '../../runtime/kernel/capabilities/effect.ts';
import type { ScriptSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { isMissing } from '../files/file-error.ts';
import type { RunnableTool, ToolSource } from '../tools/tool-source.ts';
import { type McpConfig, mcpConfigFile, readMcpConfig, targetOf } from './mcp-config.ts';
import type { McpServerState, McpToolState } from './mcp-engine.ts';
import { cannotBeUsed, untrusted } from './mcp-failure.ts';
import { type AllowedTool, createMcpPins, type McpPins } from './mcp-pins.ts';
import { type ListedTools, McpServer } from './mcp-server.ts';
import type { McpTool } from './mcp-tool.ts';
import type { Environment, McpServerConfig } from './server-config.ts';

export interface McpServersOptions {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute path of the base folder. */
  readonly baseFolder: string;
  readonly version: string;
  readonly clock: Clock;
  /**
   * Returns the text to use for a file instead of its content on disk, or undefined to treat the file as missing. If
   * absent, the content on disk is used.
   */
  readonly held?: (path: string, text: string) => string | undefined;
  readonly isTrusted: () => Promise<boolean>;
  /** Environment variables for `.mcp.json`. */
  readonly env: Environment;
  /** Opens a server's secrets; called once per server. */
  readonly openSecrets: () => ScriptSecrets;
  /** Checked before a server is started or called; absent without a policy. */
  readonly gate?: RunGate;
}

/** Minimum interval for checking the file and workspace trust, in milliseconds. */
const lookAgainMs = 1_000;
const largestFile = 1024 * 1024;

/** An idempotent call is retried once if the server dies during the call. */
const limits = { timeoutMs: 5 * 60_000, maxRetries: 1 };

/** The file's servers as a source of tools. */
export class McpServers implements ToolSource {
  readonly #options: McpServersOptions;
  readonly #pins: McpPins;
  readonly #listeners = new Listeners<readonly []>();
  #config: McpConfig = { servers: new Map(), problems: [] };
  #isTrusted = false;
  #text: string | undefined;
  readonly #servers = new Map<string, McpServer>();
  #looking: Promise<void> | undefined;
  #lookedAt = -lookAgainMs;
  #isClosed = false;

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.#pins = createMcpPins(options);
  }

  /**
   * Returns the tools that servers last listed; servers that have not been started have none.
   * @param group only the tools of this server, which is started if necessary
   * @throws EngineError `mcp.*` if that server does not run
   */
  async list(group?: string): Promise<readonly RunnableTool[]> {
    await this.#look();
    const toolsOf = (server: McpServer, { tools }: ListedTools): readonly RunnableTool[] =>
      tools.map((tool) => this.#runnable(server, tool));
    if (group === undefined) return [...this.#servers.values()].flatMap((server) => toolsOf(server, server.listed));
    const server = this.#serverOfTools(group);
    if (server === undefined) return [];
    await this.#admit(server);
    return toolsOf(server, await server.tools(never));
  }

  /**
   * Finds a tool by name. @throws EngineError `mcp.*` if the name belongs to a server that does not run, or to an
   * unusable tool
   */
  async find(name: string): Promise<RunnableTool | undefined> {
    const dot = name.indexOf('.');
    if (dot === -1) return undefined;
    await this.#look();
    const server = this.#serverOfTools(name.slice(0, dot));
    if (server === undefined) return undefined;
    await this.#admit(server);
    const { tools } = await server.tools(never);
    const tool = tools.find((one) => one.description.name === name);
    if (tool !== undefined) return this.#runnable(server, tool);
    const unusable = server.listed.unusable.find(({ shown }) => `${server.options.name}.${shown}` === name);
    if (unusable !== undefined) throw cannotBeUsed(name, unusable.problem);
    return undefined;
  }

  /** Returns the unusable tools of the servers that have been started. */
  async listUnusable(): Promise<
    readonly { readonly name: string; readonly server: string; readonly problem: string }[]
  > {
    await this.#look();
    return [...this.#servers].flatMap(([server, { listed }]) =>
      listed.unusable.map(({ shown, problem }) => ({ name: `${server}.${shown}`, server, problem })),
    );
  }

  /** @throws EngineError `effect.denied` */
  async #admit({ options: { config } }: McpServer): Promise<void> {
    await this.#options.gate?.pass(effectOf(config), never);
  }

  /** Returns, by server name, the effect that policies check for each of the file's servers. */
  async effects(): Promise<ReadonlyMap<string, RequestedEffect>> {
    await this.#look();
    return new Map([...this.#config.servers].map(([name, config]) => [name, effectOf(config)]));
  }

  /** Returns the file's servers, whether or not they can be started. */
  async names(): Promise<readonly string[]> {
    await this.#look();
    return [...this.#config.servers.keys()];
  }

  /** Returns the server whose tools have this prefix. */
  #serverOfTools(name: string): McpServer | undefined {
    if (this.#config.servers.has(name) && !this.#isTrusted) throw untrusted(name);
    return this.#servers.get(name);
  }

  async states(): Promise<readonly McpServerState[]> {
    await this.#look(true);
    const servers = [...this.#config.servers].map(([name, config]) => this.#stateOf(name, config));
    const broken = this.#config.problems.map(
      ({ line, column, message, server }): McpServerState => ({
        ...{
          name: server ?? mcpConfigFile,
          title: server ?? mcpConfigFile,
          transport: 'stdio',
          target: `${mcpConfigFile}:${line}:${column}`,
        },
        ...{ state: 'failed', error: message, tools: [], problems: [], log: [], restarts: 0 },
      }),
    );
    return [...(await Promise.all(servers)), ...broken];
  }

  async restart(name: string): Promise<void> {
    const server = await this.#named(name);
    await this.#admit(server);
    await server.restart();
  }

  async stop(name: string): Promise<void> {
    await (await this.#named(name)).stop();
  }

  listAllowed(): Promise<readonly AllowedTool[]> {
    return this.#pins.list();
  }

  async withdraw(tool: Pick<AllowedTool, 'server' | 'tool'>): Promise<void> {
    await this.#pins.withdraw(tool);
    this.#listeners.tell(() => undefined);
  }

  watch(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Stops all servers and the processes they started. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map((server) => server.stop()));
    this.#listeners.clear();
  }

  async #named(name: string): Promise<McpServer> {
    await this.#look(true);
    const server = this.#servers.get(name);
    if (server !== undefined) return server;
    if (this.#config.servers.has(name)) throw untrusted(name);
    throw new EngineError({
      code: 'mcp.unknown-server',
      message: `Server "${name}" is not in ${mcpConfigFile}.${didYouMean(name, [...this.#config.servers.keys()])}`,
    });
  }

  async #look(isAnew = false): Promise<void> {
    const { clock } = this.#options;
    if (!isAnew && Math.abs(clock.now() - this.#lookedAt) < lookAgainMs) return;
    this.#looking ??= this.#readFile().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #readFile(): Promise<void> {
    const { workspace, isTrusted, clock, held = (_, text) => text } = this.#options;
    const file = join(workspace, mcpConfigFile);
    const read = await readText(file);
    const text = read === undefined ? undefined : held(file, read);
    this.#isTrusted = await isTrusted();
    this.#lookedAt = clock.now();
    if (text !== this.#text)
      this.#config = text === undefined ? { servers: new Map(), problems: [] } : readMcpConfig(text, this.#options.env);
    this.#text = text;
    if (this.#isClosed) return;
    const wanted = this.#isTrusted ? this.#config.servers : new Map<string, McpServerConfig>();
    for (const [name, server] of this.#servers) {
      if (JSON.stringify(wanted.get(name)) === JSON.stringify(server.options.config)) continue;
      this.#servers.delete(name);
      await server.stop();
    }
    for (const [name, config] of wanted) {
      if (!this.#servers.has(name)) this.#servers.set(name, this.#serverOf(name, config));
    }
  }

  #serverOf(name: string, config: McpServerConfig): McpServer {
    const { workspace, version, clock, openSecrets } = this.#options;
    const logFile = join(workspace, '.millrace', 'logs', `mcp-${name}.log`);
    const onChange = (): void => this.#listeners.tell(() => undefined);
    return new McpServer({ name, config, workspace, logFile, version, clock, secrets: openSecrets(), onChange });
  }

  #runnable(server: McpServer, tool: McpTool): RunnableTool {
    const pinned = { server: server.options.name, tool: tool.name, hash: tool.hash };
    return {
      description: tool.description,
      limits,
      run: async (params, context) => {
        await this.#admit(server);
        return await server.call(tool, params, context);
      },
      pin: {
        hash: tool.hash,
        state: () => this.#pins.stateOf(pinned),
        pin: async (at) => {
          await this.#pins.pin(pinned, at);
          this.#listeners.tell(() => undefined);
        },
      },
    };
  }

  async #stateOf(name: string, config: McpServerConfig): Promise<McpServerState> {
    const server = this.#servers.get(name);
    const target = targetOf(config);
    const { tools, unusable, problems } = server?.listed ?? { tools: [], unusable: [], problems: [] };
    return {
      ...{ name, title: config.title, transport: config.transport, target, state: server?.activity ?? 'untrusted' },
      problems: [...problems, ...new Set(unusable.map(({ problem }) => problem))],
      ...(server?.error === undefined ? {} : { error: server.error }),
      tools: await Promise.all(
        tools.map(async ({ name: tool, hash, description }): Promise<McpToolState> => {
          const state = await this.#pins.stateOf({ server: name, tool, hash });
          const { name: full, description: text } = description;
          return { name: full, description: text, pinned: state === 'pinned', changed: state === 'changed' };
        }),
      ),
      log: server?.log.tail ?? [],
      restarts: server?.restarts ?? 0,
    };
  }
}

/** A program needs the command effect and a URL the web effect. */
function effectOf(config: McpServerConfig): RequestedEffect {
  return { effect: config.transport === 'stdio' ? 'command' : 'web', target: targetOf(config) };
}

/** Returns undefined if the file does not exist. An unreadable file counts as an empty one. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).size > largestFile ? '' : await readFile(file, 'utf8');
  } catch (error) {
    return isMissing(error) ? undefined : '';
  }
}
