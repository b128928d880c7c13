/**
 * Implements `mcp`: offers workspace flows as tools to coding agents and other programs, over stdin and stdout or over
 * HTTP.
 */
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onSignals, untilSignal } from '../cancel-on-signals.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { serversOf } from './mcp-protocol.ts';
import { withEngine } from './with-engine.ts';

/** Options of `mcp`. */
export interface McpFlags extends GlobalOptions {
  /** TCP port on the loopback interface, or true for the default one; without it, stdin and stdout are used. */
  readonly http?: number | true;
  readonly publicAddress?: URL;
  readonly allowOrigin?: readonly string[];
}

/**
 * Serves until the client closes stdin or the program is ended. Active runs are then canceled.
 * @returns the exit code
 * @throws EngineError `http.*` if the port cannot be used
 */
export async function serveMcp(context: CliContext, flags: McpFlags): Promise<number> {
  const workspace = resolveWorkspace(context, flags);
  const { store, trust, http } = flags;
  await withEngine(context, { workspace, store, trust }, async (engine) => {
    const makeServer = serversOf(engine, context);
    if (http === undefined) {
      const ended = whenEnded();
      const serving = serveStdio(() => watching(makeServer(), (listener) => engine.watchFlows(listener)));
      await ended;
      await serving.close();
      return;
    }
    const ended = untilSignal(context);
    const { serveMcpOverHttp } = await import('./mcp-http.ts');
    const service = await serveMcpOverHttp(context, {
      ...flags,
      engine,
      makeServer,
      port: http === true ? undefined : http,
    });
    await ended;
    await service.close();
  });
  return exitCode.ok;
}

/** Lets a server's client know of changed flows. */
function watching(server: Server, watch: (listener: () => void) => () => void): Server {
  server.onclose = watch(() => void server.sendToolListChanged().catch(() => undefined));
  return server;
}

/** Resolves when stdin ends or a signal arrives. The SDK does not report that the client has disconnected. */
async function whenEnded(): Promise<void> {
  const { stdin } = process;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      stdin.off('end', end);
      stdin.off('close', end);
      stopListening();
      resolve();
    };
    stdin.once('end', end);
    stdin.once('close', end);
    const stopListening = onSignals(end);
  });
}
