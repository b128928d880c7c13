/**
 * A workspace's server. It is started when first needed, restarted with growing pauses after it exits, and stopped
 * together with all processes it started.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { tooDeepText } from '../../base/json-limits.ts';
import { never, waitFor } from '../../base/wait-for.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { seenText } from '../../language/json/shown-text.ts';
import type { ScriptSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { ToolFailure } from '../tools/tool-source.ts';
import { callInRounds, type McpCallContext } from './call-rounds.ts';
import type { McpConnection } from './mcp-connection.ts';
import { callFailure, lastErrorText, type McpCallFailureKind, messageOf } from './mcp-failure.ts';
import { failureText, isFailure, isTooDeep, valueOfResult } from './mcp-result.ts';
import { type McpTool, readMcpTools, type ToolsOfServer } from './mcp-tool.ts';
import { RestartPauses } from './restart-pauses.ts';
import { type McpServerConfig, withSecrets } from './server-config.ts';
import { ServerLog } from './server-log.ts';

/** A server's current activity. */
export type McpServerActivity = 'idle' | 'starting' | 'running' | 'failed' | 'stopped';

export interface McpServerOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute path of the log file. */
  readonly logFile: string;
  readonly version: string;
  readonly clock: Clock;
  readonly secrets: ScriptSecrets;
  readonly onChange: () => void;
}

/** Tools of the last list, and the entries that were skipped. */
export interface ListedTools extends ToolsOfServer {
  /** Problems of the list itself, as sentences. */
  readonly problems: readonly string[];
}

const noTools: ListedTools = { tools: [], unusable: [], problems: [] };

/** A server with its configuration. */
export class McpServer {
  readonly options: McpServerOptions;
  readonly log: ServerLog;
  /** Number of starts after the first. */
  restarts = 0;
  #activity: McpServerActivity = 'idle';
  #error: string | undefined;
  #connection: Promise<McpConnection> | undefined;
  /** The open connection. Calls use it without waiting. */
  #live: McpConnection | undefined;
  /** The listing over the current connection, unless it is outdated. */
  #listing: Promise<ListedTools> | undefined;
  #listed = noTools;
  /** Whether the last listing is still valid. */
  #isFresh = false;
  readonly #pauses: RestartPauses;
  #hasStarted = false;
  /** Aborts a start in progress. */
  #stop = new AbortController();

  constructor(options: McpServerOptions) {
    this.options = options;
    const { logFile: file, clock, secrets, onChange } = options;
    this.#pauses = new RestartPauses(clock);
    this.log = new ServerLog({ file, clock, secrets, onChange });
  }

  get activity(): McpServerActivity {
    return this.#activity;
  }

  /** Why the server failed. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Tools as last listed. */
  get listed(): ListedTools {
    return this.#listed;
  }

  /**
   * Returns the server's tools. Lists them again if the server reports a change. @throws EngineError `mcp.*` if the
   * server does not run
   */
  async tools(signal: AbortSignal): Promise<ListedTools> {
    if (this.#isFresh) return this.#listed;
    const connection = await this.#connected(signal);
    this.#listing ??= this.#list(connection);
    return await waitFor(this.#listing, signal);
  }

  /**
   * Calls a tool. If the server lost the session, opens a new one and repeats the call if the tool is idempotent.
   * @throws ToolFailure | EngineError `mcp.*`; the signal's reason
   */
  async call(tool: McpTool, params: JsonMap, context: McpCallContext): Promise<JsonValue> {
    const { signal } = context;
    const connection = await this.#connected(signal);
    try {
      return await this.#callOver(connection, tool, { params, context });
    } catch (error) {
      const failure = await this.#failureOf(error, signal);
      if (failure.trouble !== 'session-lost') throw failure.error;
      await this.#drop(connection);
      if (tool.description.effects !== 'idempotent') throw failure.error;
    }
    const next = await this.#connected(signal);
    return await this.#callOver(next, tool, { params, context }).catch(async (error: unknown) => {
      throw (await this.#failureOf(error, signal)).error;
    });
  }

  async #failureOf(
    error: unknown,
    signal: AbortSignal,
  ): Promise<{ trouble: McpCallFailureKind | undefined; error: unknown }> {
    signal.throwIfAborted();
    if (error instanceof ToolFailure || EngineError.is(error)) return { trouble: undefined, error };
    const trouble = (await import('./mcp-connection.ts')).troubleOf(error);
    const { name, secrets } = this.options;
    const why = secrets.mask(seenText(messageOf(error), 600));
    return { trouble, error: callFailure(trouble, { server: name, why, end: this.#error, cause: error }) };
  }

  /**
   * Starts the server, even if it was stopped or has failed too often. @throws EngineError `mcp.*` if it does not start
   */
  async restart(): Promise<void> {
    await this.#end('idle');
    this.#pauses.forget();
    await this.tools(never);
  }

  /** Stops the server until it is explicitly started. */
  async stop(): Promise<void> {
    await this.#end('stopped');
  }

  async #callOver(
    connection: McpConnection,
    tool: McpTool,
    { params, context }: { readonly params: JsonMap; readonly context: McpCallContext },
  ): Promise<JsonValue> {
    const { name, secrets } = this.options;
    const called = { server: name, tool: tool.description.name, name: tool.name, params };
    const result = await callInRounds(connection, called, context);
    if (isTooDeep(result)) {
      const message = `The result of ${tool.description.name} ${tooDeepText}.`;
      throw new ToolFailure('server_error', message, { isRetryable: false });
    }
    if (isFailure(result))
      throw new ToolFailure('server_error', secrets.mask(failureText(result)), { isRetryable: false });
    // A server may return the secrets it received.
    return secrets.mask(valueOfResult(result, tool.description.outputSchema !== undefined));
  }

  /**
   * Returns the connection and opens it if necessary. @throws EngineError `mcp.stopped` | `mcp.not-started` |
   * `mcp.secret…`; the signal's reason
   */
  async #connected(signal: AbortSignal): Promise<McpConnection> {
    signal.throwIfAborted();
    if (this.#live !== undefined) return this.#live;
    if (this.#activity === 'stopped') throw this.#stopped();
    this.#connection ??= this.#start(this.#stop.signal);
    return await waitFor(this.#connection, signal);
  }

  async #start(signal: AbortSignal): Promise<McpConnection> {
    const { clock } = this.options;
    try {
      await this.#pauses.wait(signal, () => this.#givenUp());
      this.#become('starting');
      if (this.#hasStarted) this.restarts++;
      this.#hasStarted = true;
      const { connect } = await import('./mcp-connection.ts');
      const { config, secrets, workspace, version } = this.options;
      const connection: McpConnection = await connect({
        ...{ config: await withSecrets(config, secrets), workspace, version, clock, signal },
        onLog: (text) => this.log.push(text),
        onStartAgain: () => this.log.clear(),
        onToolsChanged: () => {
          this.#outdate();
          this.options.onChange();
        },
        onEnd: (reason) => this.#hasEnded(connection, reason),
      });
      if (signal.aborted) await connection.close();
      signal.throwIfAborted();
      this.#become('running');
      this.#live = connection;
      return connection;
    } catch (error) {
      // The server may have been started again in the meantime.
      if (signal.aborted) throw this.#stopped();
      this.#leave();
      throw await this.#fail(this.#notStarted(error));
    }
  }

  async #list(connection: McpConnection): Promise<ListedTools> {
    try {
      const { entries, problems } = await connection.listTools(this.#stop.signal);
      const { name, secrets } = this.options;
      // A server may return the secrets it received.
      this.#listed = { ...readMcpTools(name, secrets.mask(entries)), problems };
      this.#isFresh = this.#listing !== undefined;
      this.options.onChange();
      return this.#listed;
    } catch (error) {
      this.#outdate();
      await this.#drop(connection);
      throw await this.#fail(this.#notStarted(error));
    }
  }

  #hasEnded(connection: McpConnection, reason: string): void {
    void connection.close();
    this.#leave();
    void this.#fail(
      new EngineError({
        code: 'mcp.ended',
        message: `The MCP server ${this.options.name} has ended: ${reason}.${this.#lastWords()}`,
      }),
    );
  }

  /** Includes the part of the log that was held back as a possible start of a secret. */
  #lastWords(): string {
    void this.log.end();
    return lastErrorText(this.log.tail);
  }

  async #fail(error: EngineError): Promise<EngineError> {
    // An error that only reports that nothing was tried does not count as a failure.
    if (error.code !== 'mcp.failed') {
      this.#pauses.note();
      this.#error = error.message;
    }
    this.#become('failed');
    await this.log.end();
    return error;
  }

  /** Closes an unusable connection. */
  async #drop(connection: McpConnection): Promise<void> {
    if ((await this.#connection?.catch(() => undefined)) === connection) {
      this.#leave();
    }
    await connection.close();
  }

  async #end(next: McpServerActivity): Promise<void> {
    const connection = this.#connection;
    this.#leave();
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#error = undefined;
    this.#become(next);
    await connection?.then((made) => made.close()).catch(() => undefined);
    await this.log.end();
  }

  #leave(): void {
    this.#connection = undefined;
    this.#live = undefined;
    this.#outdate();
  }

  #outdate(): void {
    this.#listing = undefined;
    this.#isFresh = false;
  }

  #become(activity: McpServerActivity): void {
    this.#activity = activity;
    if (activity === 'running') this.#error = undefined;
    this.options.onChange();
  }

  #notStarted(error: unknown): EngineError {
    if (EngineError.is(error)) return error;
    const { name, config, secrets } = this.options;
    const what = config.transport === 'stdio' ? `program "${config.command}"` : `address ${config.url}`;
    const why = secrets.mask(seenText(messageOf(error), 600));
    return new EngineError({
      code: 'mcp.not-started',
      message: `The MCP server ${name} (${what}) could not be started: ${why}.${this.#lastWords()}`,
      recoverable: true,
    });
  }

  #givenUp(): EngineError {
    return new EngineError({
      code: 'mcp.failed',
      message: `The MCP server ${this.options.name} has failed ${this.#pauses.count} times in a row and does not restart automatically. ${this.#error ?? ''} Fix the problem, then start it in Settings > MCP servers, or try again in ten minutes.`,
    });
  }

  #stopped(): EngineError {
    return new EngineError({
      code: 'mcp.stopped',
      message: `The MCP server ${this.options.name} was stopped. Start it in Settings > MCP servers.`,
    });
  }
}
