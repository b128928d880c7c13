/**
 * A connection to a server through the official SDK. Loaded when the first server is needed, because the SDK is large.
 */

import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  LATEST_PROTOCOL_VERSION,
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type Clock, sleep } from '../../base/clock.ts';
import { onAbort } from '../../base/on-abort.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { guardProgram } from '../command/engine-guard.ts';
import { commandMark, killTree } from '../command/process-tree.ts';
import { CallChannel } from './call-channel.ts';
import type { McpCallFailureKind } from './mcp-failure.ts';
import { createMcpFetch, mostFailedStreams } from './mcp-fetch.ts';
import { isFields, type MessageFields, quotedNote } from './read-message.ts';
import type { HttpServerConfig, McpServerConfig, StdioServerConfig } from './server-config.ts';
import { StdioMessages } from './stdio-messages.ts';
import { listToolPages, type ToolPages } from './tool-list.ts';

/** Timeout for starting a server. It is long because a server may install itself before it responds. */
const startTimeoutMs = 60_000;
/** Timeout for the tool list of a server that declares no tools, in milliseconds. */
const undeclaredTimeoutMs = 10_000;
/** Time for a server to exit before it is killed, in milliseconds. */
const farewellMs = 500;

export interface ConnectOptions {
  /** Configuration with the values of its secrets. */
  readonly config: McpServerConfig;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  readonly version: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Receives the server's output outside the protocol, and its protocol errors. */
  readonly onLog: (text: string) => void;
  readonly onToolsChanged: () => void;
  /** Called with the reason, insofar as it is known, when the connection ends without `close`. */
  readonly onEnd: (reason: string) => void;
}

/** An open connection. */
export interface McpConnection {
  /** Lists the server's tools. @throws the SDK's error */
  listTools(signal: AbortSignal): Promise<ToolPages>;
  /**
   * Calls a tool, and cancels the call on the server when the signal aborts.
   * @returns the result as sent by the server
   * @throws McpError | StreamableHTTPError; the signal's reason
   */
  callTool(name: string, params: JsonMap, signal: AbortSignal): Promise<MessageFields>;
  /** Closes the connection and ends the program with all processes it started. */
  close(): Promise<void>;
}

/** Classifies an error of `callTool`. */
export function troubleOf(error: unknown): McpCallFailureKind {
  if (error instanceof StreamableHTTPError) {
    if (error.code === 400 || error.code === 404) return 'session-lost';
    return error.code === 401 || error.code === 403 ? 'refused' : 'other';
  }
  if (!(error instanceof McpError)) return 'other';
  const troubles: Readonly<Record<number, McpCallFailureKind>> = {
    [ErrorCode.ConnectionClosed]: 'ended',
    [ErrorCode.RequestTimeout]: 'timeout',
    [ErrorCode.MethodNotFound]: 'no-such-tool',
    [ErrorCode.InvalidParams]: 'bad-params',
  };
  return troubles[error.code] ?? 'other';
}

/**
 * Starts the program or connects to the URL, and negotiates the protocol. @throws the cause of the failure; no process
 * is left running
 */
export async function connect(options: ConnectOptions): Promise<McpConnection> {
  const { config, onToolsChanged, onLog, version } = options;
  // Callers validate what a server sends; compiling its schemas here would run generated code. Neither elicitation nor
  // sampling is offered.
  const client = new McpClient({ name: 'millrace', version }, { capabilities: {}, jsonSchemaValidator: noChecks });
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  const line = config.transport === 'stdio' ? stdioLine(config, options) : httpLine(config, options, client);
  client.onerror = (error) => {
    onLog(`${error.message}\n`);
  };
  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    await line.end();
  };
  try {
    // The SDK's types predate exact optional properties.
    await client.connect(line.transport as Transport, { timeout: startTimeoutMs, signal: options.signal });
  } catch (error) {
    const why = options.signal.aborted ? error : line.whyEnded(error);
    await close();
    throw why;
  }
  client.onclose = () => {
    if (!isClosing) options.onEnd(line.reason());
  };
  const calls = new CallChannel(line.transport as Transport);
  return {
    listTools: (signal) => listTools(client, options.clock, signal),
    callTool: (name, params, signal) => calls.callTool(name, params, signal),
    close,
  };
}

/** Our own code reads results entry by entry, because the SDK's schemas reject a whole list for one invalid entry. */
const anyResult = z.looseObject({});

class McpClient extends Client {
  override async request(...[request, schema, options]: Parameters<Client['request']>): ReturnType<Client['request']> {
    if (request.method !== 'initialize') return await super.request(request, schema, options);
    const greeting = await super.request(request, anyResult, options as RequestOptions);
    return readableGreeting(greeting) as Awaited<ReturnType<Client['request']>>;
  }
}

/** The SDK never removes its listeners from a request's signal, which may outlive many requests. */
async function withOwnSignal<T>(signal: AbortSignal, use: (own: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const stopListening = onAbort(signal, () => own.abort(signal.reason));
  try {
    return await use(own.signal);
  } finally {
    stopListening();
  }
}

const noChecks = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }),
};

async function listTools(client: Client, clock: Clock, signal: AbortSignal): Promise<ToolPages> {
  const isDeclared = client.getServerCapabilities()?.tools !== undefined;
  const askPage = async (cursor: string | undefined, timeout: number): Promise<MessageFields> =>
    await withOwnSignal(signal, (own) =>
      client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, anyResult, {
        signal: own,
        timeout: isDeclared ? timeout : Math.min(timeout, undeclaredTimeoutMs),
      }),
    );
  try {
    return await listToolPages(askPage, clock, signal);
  } catch (error) {
    const hasNone = error instanceof McpError && (!isDeclared || error.code === ErrorCode.MethodNotFound);
    if (signal.aborted || !hasNone || error.code === ErrorCode.ConnectionClosed) throw error;
    return { entries: [], problems: isDeclared ? ['The server declares tools but does not support tools/list.'] : [] };
  }
}

/** The transport of a connection. */
interface McpTransportLine {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport;
  /** Returns the known information about why the connection ended. */
  reason(): string;
  /** Returns the known information about why the connection failed, or the thrown error if there is none. */
  whyEnded(thrown: unknown): unknown;
  end(): Promise<void>;
}

function stdioLine({ command, args, env, cwd }: StdioServerConfig, options: ConnectOptions): McpTransportLine {
  const mark = randomBytes(12).toString('hex');
  const transport = new ProgramTransport({
    command,
    args: [...args],
    env: { ...env, [commandMark]: mark },
    cwd: resolve(options.workspace, cwd),
    stderr: 'pipe',
  });
  transport.readBy(new StdioMessages(options.onLog));
  const decoder = new TextDecoder();
  transport.stderr?.on('data', (piece: Buffer) => options.onLog(decoder.decode(piece, { stream: true })));
  const killAll = async (): Promise<void> => {
    if (transport.program !== undefined) await killTree(transport.program, mark);
    guard.letGo();
  };
  const guard = guardProgram(mark, 'server');
  transport.onStart = guard.started;
  // Its child processes may hold the streams open, and then its exit would not be noticed.
  transport.onExit = () => void killAll();
  return {
    transport,
    reason: () => transport.exit ?? 'it closed its output',
    whyEnded: (thrown) => (transport.exit === undefined ? thrown : new Error(transport.exit)),
    async end() {
      const farewell = transport.close();
      await Promise.race([farewell, pause(options.clock, farewellMs)]);
      await killAll();
      await farewell;
    },
  };
}

/** Keeps access to the program after it has ended. */
class ProgramTransport extends StdioClientTransport {
  program: ChildProcess | undefined;
  /** Describes how the program ended. */
  exit: string | undefined;
  onStart: (program: ChildProcess) => void = () => undefined;
  onExit: () => void = () => undefined;

  /** Makes `messages` read the program's output, before the program starts. */
  readBy(messages: StdioMessages): void {
    // The SDK has no public way to read output that is not a message.
    (this as unknown as { _readBuffer: StdioMessages })._readBuffer = messages;
  }

  override async start(): Promise<void> {
    await super.start();
    // The SDK reports only that the streams have closed, not how the program ended.
    this.program = (this as unknown as { readonly _process?: ChildProcess })._process;
    if (this.program !== undefined) this.onStart(this.program);
    this.program?.once('exit', (code, signal) => {
      this.exit = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
      this.onExit();
    });
  }
}

function httpLine(
  { url, headers }: HttpServerConfig,
  { clock, onLog }: ConnectOptions,
  client: Client,
): McpTransportLine {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: createMcpFetch({ clock, onGivenUp: () => void client.close(), onQuoted: () => onLog(quotedNote) }),
    reconnectionOptions: {
      initialReconnectionDelay: 300,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: mostFailedStreams,
    },
  });
  return {
    transport,
    reason: () => 'the address no longer responds',
    whyEnded: (thrown) => thrown,
    async end() {
      // Limits how long a dead server can delay the shutdown.
      await Promise.race([transport.terminateSession().catch(() => undefined), pause(clock, farewellMs)]);
      await client.close();
    },
  };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return sleep(clock, ms, new AbortController().signal);
}

/**
 * Returns the result of `initialize` with missing fields filled in. A revision unknown to the SDK counts as the latest
 * one.
 */
export function readableGreeting({ protocolVersion, capabilities, instructions }: MessageFields): MessageFields {
  const isKnown = typeof protocolVersion === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
  const { tools } = isFields(capabilities) ? capabilities : {};
  return {
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities: isFields(tools) || tools === true ? { tools: {} } : {},
    serverInfo: { name: 'unknown', version: 'unknown' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}
