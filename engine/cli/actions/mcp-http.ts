/**
 * Serves `millrace mcp` over HTTP on this machine. Every request needs a token and must come from a known origin, so that
 * pages in a browser and other users of the machine cannot run flows.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createMcpHandler, type Server } from '@modelcontextprotocol/server';
import { type HttpService, startHttpService } from '../../host/http/http-service.ts';
import type { Engine } from '../../index.ts';
import { EngineError } from '../../isomorphic.ts';
import { baseFolderOf } from '../../packs/pack/pack-folders.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';

/** The port, unless another one is chosen. */
const defaultPort = 7421;
/** Environment variable with the token. */
const tokenVariable = 'MILLRACE_MCP_TOKEN';
/** A shorter token could be guessed. */
const shortestToken = 24;
/** Maximum size of a request, in bytes. */
const largestRequest = 4 * 1024 * 1024;

interface McpOverHttp {
  readonly engine: Engine;
  readonly makeServer: () => Server;
  /** Undefined for the default port; 0 for any free one. */
  readonly port: number | undefined;
  readonly publicAddress?: URL;
  readonly allowOrigin?: readonly string[];
}

/**
 * Starts the service, and prints its address and, if none was given, its token.
 * @throws EngineError `cli.usage` for a short token; `http.*` if the port cannot be used
 */
export async function serveMcpOverHttp(
  { terminal, clock }: CliContext,
  { engine, makeServer, port = defaultPort, publicAddress, allowOrigin = [] }: McpOverHttp,
): Promise<Pick<HttpService, 'close'>> {
  const given = process.env[tokenVariable];
  if (given !== undefined && given.length < shortestToken)
    throw usageError(`The token in ${tokenVariable} must have at least ${shortestToken} characters.`);
  const token = given ?? randomBytes(32).toString('base64url');
  const handler = createMcpHandler(makeServer, { maxRequestBodySize: largestRequest });
  const options = {
    ...{ port, workspaces: [], baseFolder: baseFolderOf(process.env), clock, allowedOrigins: allowOrigin },
    ...(publicAddress === undefined ? {} : { publicAddress }),
    onNote: (text: string): void => terminal.err(`note: ${text}`),
  };
  const service = await startHttpService(options, [
    (app) =>
      app.all('/mcp', async (context) => {
        if (!hasToken(context.req.header('authorization'), token)) throw unauthorized();
        return await handler.fetch(context.req.raw);
      }),
  ]);
  const endWatch = engine.watchFlows(() => handler.notify.toolsChanged());
  terminal.err(`Serving ${service.origin}/mcp`);
  // A person who starts the program needs it once; it is stored nowhere.
  if (given === undefined) terminal.err(`Token: ${token}`);
  return {
    async close() {
      endWatch();
      await handler.close();
      await service.close();
    },
  };
}

function hasToken(header: string | undefined, token: string): boolean {
  const [, text = ''] = /^Bearer +(\S{1,500})$/i.exec(header ?? '') ?? [];
  // Hashes have the same length, so the time reveals nothing about the token.
  return timingSafeEqual(digest(text), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function unauthorized(): EngineError {
  const message = `Send the token that millrace mcp has printed, or the one in ${tokenVariable}: Authorization: Bearer TOKEN.`;
  return new EngineError({ code: 'http.unauthorized', message });
}
