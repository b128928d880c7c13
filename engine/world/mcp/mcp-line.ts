/**
 * The connections to servers below the protocol: programs over standard streams, and HTTP.
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Clock, sleep } from '../../base/clock.ts';
import { guardProgram } from '../command/engine-guard.ts';
import { commandMark, killTree } from '../command/process-tree.ts';
import { createMcpFetch, mostFailedStreams } from './mcp-fetch.ts';
import { quotedNote } from './read-message.ts';
import type { HttpServerConfig, StdioServerConfig } from './server-config.ts';
import { StdioMessages } from './stdio-messages.ts';

/** Time for a server to exit before it is killed, in milliseconds. */
const farewellMs = 500;

export interface LineOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly onLog: (text: string) => void;
}

/** The transport of a connection. */
export interface McpTransportLine {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport;
  /** Returns the known information about why the connection ended. */
  reason(): string;
  /** Returns the known information about why the connection failed, or the thrown error if there is none. */
  whyEnded(thrown: unknown): unknown;
  end(): Promise<void>;
}

export function stdioLine({ command, args, env, cwd }: StdioServerConfig, options: LineOptions): McpTransportLine {
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

export function httpLine(
  { url, headers }: HttpServerConfig,
  { clock, onLog }: LineOptions,
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
    whyEnded: (thrown) =>
      thrown instanceof SdkHttpError ? new Error(`${thrown.message} (HTTP ${thrown.data.status})`) : thrown,
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
