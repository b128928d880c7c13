/**
 * One connection to a server, by the official SDK. Loaded when the first server is needed: the SDK is large.
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  ListToolsResultSchema,
  McpError,
  type Tool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Clock, sleep } from '../base/clock.ts';
import { onAbort } from '../base/on-abort.ts';
import { endServerWithEngine } from '../command/engine-guard.ts';
import { commandMark, killTree } from '../command/process-tree.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import type { HttpServerConfig, McpServerConfig, StdioServerConfig } from './mcp-config.ts';
import { createMcpFetch, largestMessage, mostFailedStreams } from './mcp-fetch.ts';

/** A server may install itself before it answers. */
const startTimeoutMs = 60_000;
const listTimeoutMs = 30_000;
/** How long a server may take to end by itself, in milliseconds. */
const farewellMs = 500;

/** More are not read; a page may hold any number. */
const mostTools = 1_000;
const mostPages = 100;

export interface ConnectOptions {
  /** With the values of its secrets. */
  readonly config: McpServerConfig;
  /** Absolute. */
  readonly workspace: string;
  readonly version: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Gets what the server writes beside the protocol, and what it does wrong. */
  readonly onLog: (text: string) => void;
  readonly onToolsChanged: () => void;
  /** The connection has ended, and not by `close`. Gets what is known of why. */
  readonly onEnd: (reason: string) => void;
}

/** Tools of a server, and what was left out of its list. */
export interface ToolPage {
  readonly tools: readonly Tool[];
  readonly problem?: string;
}

/** A connection that is there. */
export interface McpConnection {
  /** @throws what went wrong, in the SDK's words */
  listTools(signal: AbortSignal): Promise<ToolPage>;
  /** Tells the server when the signal aborts. @throws McpError | StreamableHTTPError; the signal's reason */
  callTool(name: string, params: JsonMap, limits: CallLimits): Promise<CallToolResult>;
  /** Ends it, with the program and all that it has started. */
  close(): Promise<void>;
}

export interface CallLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Why a call failed, as far as it matters. */
export type CallTrouble = 'session-lost' | 'ended' | 'timeout' | 'refused' | 'no-such-tool' | 'bad-params' | 'other';

/** Sorts what `callTool` throws. */
export function troubleOf(error: unknown): CallTrouble {
  if (error instanceof StreamableHTTPError) {
    if (error.code === 400 || error.code === 404) return 'session-lost';
    return error.code === 401 || error.code === 403 ? 'refused' : 'other';
  }
  if (!(error instanceof McpError)) return 'other';
  const troubles: Readonly<Record<number, CallTrouble>> = {
    [ErrorCode.ConnectionClosed]: 'ended',
    [ErrorCode.RequestTimeout]: 'timeout',
    [ErrorCode.MethodNotFound]: 'no-such-tool',
    [ErrorCode.InvalidParams]: 'bad-params',
  };
  return troubles[error.code] ?? 'other';
}

/** Starts the program or reaches the address, and agrees on the protocol. @throws what went wrong, with nothing left running */
export async function connect(options: ConnectOptions): Promise<McpConnection> {
  const { config, onToolsChanged, onLog, version } = options;
  // What a server says is checked by whoever uses it: compiling its schemas here would run code made of them. Neither asking people
  // (elicitation) nor using the model (sampling) is offered.
  const client = new Client({ name: 'millrace', version }, { capabilities: {}, jsonSchemaValidator: noChecks });
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
    // Its types predate exact optional properties.
    await client.connect(line.transport as Transport, { timeout: startTimeoutMs, signal: options.signal });
  } catch (error) {
    await close();
    throw error;
  }
  client.onclose = () => {
    if (!isClosing) options.onEnd(line.reason());
  };
  return {
    listTools: (signal) => listTools(client, signal),
    callTool: (name, params, { signal, timeoutMs: timeout }) =>
      withOwnSignal(signal, (own) =>
        client.request({ method: 'tools/call', params: { name, arguments: params } }, CallToolResultSchema, {
          signal: own,
          timeout,
        }),
      ),
    close,
  };
}

/** The SDK goes on listening to the signal of each request, which may outlive many of them. */
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

async function listTools(client: Client, signal: AbortSignal): Promise<ToolPage> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [] };
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await withOwnSignal(signal, (own) =>
      client.request({ method: 'tools/list', params }, ListToolsResultSchema, { signal: own, timeout: listTimeoutMs }),
    );
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (tools.length > mostTools) break;
    if (cursor === undefined) return { tools };
  }
  const problem = `The server lists more than ${mostTools} tools or ${mostPages} pages of them; the first ${Math.min(mostTools, tools.length)} are used.`;
  return { tools: tools.slice(0, mostTools), problem };
}

/** What a connection runs over. */
interface Line {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport;
  /** What is known of why it ended. */
  reason(): string;
  end(): Promise<void>;
}

function stdioLine({ command, args, env, cwd }: StdioServerConfig, options: ConnectOptions): Line {
  const mark = randomBytes(12).toString('hex');
  const transport = new ProgramTransport({
    command,
    args: [...args],
    env: { ...env, [commandMark]: mark },
    cwd: resolve(options.workspace, cwd),
    stderr: 'pipe',
    maxBufferSize: largestMessage,
  });
  const decoder = new TextDecoder();
  transport.stderr?.on('data', (piece: Buffer) => options.onLog(decoder.decode(piece, { stream: true })));
  const killAll = async (): Promise<void> => {
    if (transport.program !== undefined) await killTree(transport.program, mark);
  };
  let letGo = (): void => undefined;
  transport.onStart = (program) => {
    letGo = endServerWithEngine(program, mark);
  };
  // What it has started may hold its streams open, which would keep its end a secret.
  transport.onExit = () => void killAll().then(letGo);
  return {
    transport,
    reason: () => transport.exit ?? 'it closed its output',
    async end() {
      const farewell = transport.close();
      await Promise.race([farewell, pause(options.clock, farewellMs)]);
      await killAll();
      await farewell;
    },
  };
}

/** Knows its program also after that has ended. */
class ProgramTransport extends StdioClientTransport {
  program: ChildProcess | undefined;
  /** How it ended, in words. */
  exit: string | undefined;
  onStart: (program: ChildProcess) => void = () => undefined;
  onExit: () => void = () => undefined;

  override async start(): Promise<void> {
    await super.start();
    // The SDK tells only when the streams are closed, and not how it ended.
    this.program = (this as unknown as { readonly _process?: ChildProcess })._process;
    if (this.program !== undefined) this.onStart(this.program);
    this.program?.once('exit', (code, signal) => {
      this.exit = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
      this.onExit();
    });
  }
}

function httpLine({ url, headers }: HttpServerConfig, { clock }: ConnectOptions, client: Client): Line {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: createMcpFetch({ clock, onGivenUp: () => void client.close() }),
    reconnectionOptions: {
      initialReconnectionDelay: 300,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: mostFailedStreams,
    },
  });
  return {
    transport,
    reason: () => 'the address answers no longer',
    async end() {
      // A server that is gone keeps nobody waiting.
      await Promise.race([transport.terminateSession().catch(() => undefined), pause(clock, farewellMs)]);
      await client.close();
    },
  };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return sleep(clock, ms, new AbortController().signal);
}
