/**
 * A connection to a server through the official SDK. Loaded when the first server is needed, because the SDK is large.
 */

import {
  Client,
  LATEST_PROTOCOL_VERSION,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  withInputRequired,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type Clock, sleep } from '../../base/clock.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { answerOfError, CallChannel, type OpenCall } from './call-channel.ts';
import { elicitMethod, noDecision } from './elicitation.ts';
import { type McpCallFailureKind, messageOf } from './mcp-failure.ts';
import { httpLine, stdioLine } from './mcp-line.ts';
import { isFields, type MessageFields } from './read-message.ts';
import { ResourceTool } from './resource-tool.ts';
import type { McpServerConfig } from './server-config.ts';
import { listToolPages, type ToolPages } from './tool-list.ts';

/** Timeout for starting a server. It is long because a server may install itself before it responds. */
const startTimeoutMs = 60_000;
/** Timeout for the tool list of a server that declares no tools, in milliseconds. */
const undeclaredTimeoutMs = 10_000;

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
  /** Called before the server is started a second time, in a way that earlier revisions know. */
  readonly onStartAgain: () => void;
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
   * @param params `name`, `arguments` and, to continue a call, `inputResponses` and `requestState`
   * @returns the result as sent by the server; see `callInRounds` for one that is not final
   * @throws ProtocolError | SdkError; the signal's reason
   */
  callTool(params: JsonMap, call: OpenCall): Promise<MessageFields>;
  /** Closes the connection and ends the program with all processes it started. */
  close(): Promise<void>;
}

/** Classifies an error of `callTool`. */
export function troubleOf(error: unknown): McpCallFailureKind {
  if (error instanceof SdkHttpError) {
    const { status } = error.data;
    if (status === 400 || status === 404) return 'session-lost';
    return status === 401 || status === 403 ? 'refused' : 'other';
  }
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.ConnectionClosed) return 'ended';
    return error.code === SdkErrorCode.RequestTimeout ? 'timeout' : 'other';
  }
  if (!(error instanceof ProtocolError)) return 'other';
  if (error.code === ProtocolErrorCode.MethodNotFound) return 'no-such-tool';
  return error.code === ProtocolErrorCode.InvalidParams ? 'bad-params' : 'other';
}

/**
 * Starts the program or connects to the URL, and negotiates the protocol. @throws the cause of the failure; no process
 * is left running
 */
export async function connect(options: ConnectOptions): Promise<McpConnection> {
  const opened = await open(options, 'auto');
  if (!('failure' in opened)) return opened;
  if (!opened.mayBeEarlier) throw opened.failure;
  // Some servers of earlier revisions end when the first message is not the one they know.
  options.onStartAgain();
  const last = await open(options, 'legacy');
  if ('failure' in last) throw last.failure;
  return last;
}

interface FailedOpening {
  readonly failure: unknown;
  /** Whether the server may be one that ends or fails if it is asked for its revisions. */
  readonly mayBeEarlier: boolean;
}

/** Time for a server to report its revisions before it is greeted like an earlier one, in milliseconds. */
const discoverTimeoutMs = 5_000;

async function open(options: ConnectOptions, mode: 'auto' | 'legacy'): Promise<McpConnection | FailedOpening> {
  const { config, onToolsChanged, onLog, version, signal } = options;
  const client = new Client(
    { name: 'millrace', version },
    {
      // Neither sampling nor roots are offered.
      capabilities: { elicitation: { form: {}, url: {} } },
      // Callers validate what a server sends; compiling its schemas here would run generated code.
      jsonSchemaValidator: noChecks,
      versionNegotiation: { mode, probe: { timeoutMs: discoverTimeoutMs } },
    },
  );
  acceptOddGreetings(client);
  client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged);
  const line = config.transport === 'stdio' ? stdioLine(config, options) : httpLine(config, options, client);
  client.onerror = (error) => {
    onLog(`${error.message}\n`);
  };
  const closing = new AbortController();
  const close = async (): Promise<void> => {
    closing.abort();
    await line.end();
  };
  try {
    // The SDK's types predate exact optional properties.
    await client.connect(line.transport as Transport, { timeout: startTimeoutMs, signal });
  } catch (error) {
    const failure = signal.aborted ? error : line.whyEnded(error);
    await close();
    const isClear = signal.aborted || ['refused', 'timeout'].includes(troubleOf(error));
    return { failure, mayBeEarlier: mode === 'auto' && !isClear };
  }
  client.onclose = () => {
    if (!closing.signal.aborted) options.onEnd(line.reason());
    closing.abort();
  };
  const { clock } = options;
  const isModern = client.getProtocolEra() === 'modern';
  if (isModern && client.getServerCapabilities()?.tools?.listChanged === true)
    void followTools(client, { clock, onToolsChanged, onLog, signal: closing.signal });
  // Requests of newer revisions carry more than the call, which the SDK adds.
  const calls = isModern ? undefined : new CallChannel(line.transport as Transport);
  if (calls !== undefined) answerQuestions(client, calls);
  const resources = new ResourceTool(client);
  return {
    listTools: async (own) => resources.added(await listTools(client, clock, own)),
    callTool(params, call) {
      if (resources.isMeant(params)) return resources.call(params, call.signal);
      return calls?.callTool(params, call) ?? callThroughSdk(client, params, call);
    },
    close,
  };
}

/**
 * Lets a server of an earlier revision ask while it works on a call. A question does not name its call; if there are
 * several, the last one asks. The SDK would reject questions with unusual fields, so it does not validate them.
 */
function answerQuestions(client: Client, calls: CallChannel): void {
  client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    if (method !== elicitMethod) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    const { elicit } = calls.latest ?? {};
    if (elicit === undefined) return { ...noDecision };
    try {
      return { ...(await elicit(params, mcpReq.signal)) };
    } catch (error) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, messageOf(error));
    }
  };
}

/** Pauses before a broken subscription is renewed, in milliseconds. */
const renewPausesMs = [1_000, 4_000, 16_000, 60_000];

/** Servers of newer revisions report changed tools only to subscribers. Never rejects. */
async function followTools(
  client: Client,
  { clock, onToolsChanged, onLog, signal }: Pick<ConnectOptions, 'clock' | 'onToolsChanged' | 'onLog' | 'signal'>,
): Promise<void> {
  try {
    for (const pauseMs of renewPausesMs) {
      const { closed } = await client.listen({ toolsListChanged: true }, { signal });
      if ((await closed) !== 'remote') return;
      await sleep(clock, pauseMs, signal);
      // Something may have changed in between.
      onToolsChanged();
    }
  } catch (error) {
    if (!signal.aborted) onLog(`${messageOf(error)}\n`);
  }
}

/** Our own code reads results entry by entry, because the SDK's schemas reject a whole list for one invalid entry. */
const anyResult = z.looseObject({});

/** Callers end calls by their signal. In milliseconds. */
const noTimeoutMs = 2 ** 31 - 1;

/** @throws ProtocolError | SdkError; the signal's reason */
async function callThroughSdk(
  client: Client,
  params: JsonMap,
  { signal, onProgress }: OpenCall,
): Promise<MessageFields> {
  try {
    const onprogress = onProgress && ((fields: object) => onProgress(fields as MessageFields));
    const how = { signal, timeout: noTimeoutMs, allowInputRequired: true, ...(onprogress && { onprogress }) };
    return await client.request({ method: 'tools/call', params }, withInputRequired(anyResult), how);
  } catch (error) {
    // The SDK reports an abort as an expired time.
    signal.throwIfAborted();
    const answer = error instanceof Error ? answerOfError(error) : error;
    if (answer !== error) return answer as MessageFields;
    throw error;
  }
}

type AskServer = (request: { readonly method: string }, ...more: readonly unknown[]) => Promise<MessageFields>;

/** Makes the client accept greetings with missing fields. */
function acceptOddGreetings(client: Client): void {
  const ask = client.request.bind(client) as unknown as AskServer;
  const askAnyway: AskServer = async (request, ...more) =>
    request.method === 'initialize'
      ? readableGreeting(await ask(request, anyResult, ...more))
      : await ask(request, ...more);
  client.request = askAnyway as unknown as Client['request'];
}

const noChecks = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }),
};

async function listTools(client: Client, clock: Clock, signal: AbortSignal): Promise<ToolPages> {
  const isDeclared = client.getServerCapabilities()?.tools !== undefined;
  const askPage = async (cursor: string | undefined, timeout: number): Promise<MessageFields> =>
    await client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, anyResult, {
      signal,
      timeout: isDeclared ? timeout : Math.min(timeout, undeclaredTimeoutMs),
    });
  try {
    return await listToolPages(askPage, clock, signal);
  } catch (error) {
    const trouble = troubleOf(error);
    const hasNone = trouble === 'no-such-tool' || (!isDeclared && trouble !== 'ended' && isFromProtocol(error));
    if (signal.aborted || !hasNone) throw error;
    return { entries: [], problems: isDeclared ? ['The server declares tools but does not support tools/list.'] : [] };
  }
}

/** Whether the server, or its silence, is the reason. The SDK reports silence as one of its own errors. */
function isFromProtocol(error: unknown): boolean {
  return error instanceof ProtocolError || (error instanceof SdkError && !(error instanceof SdkHttpError));
}

/**
 * Returns the result of `initialize` with missing fields filled in. A revision unknown to the SDK counts as the latest
 * one.
 */
export function readableGreeting({ protocolVersion, capabilities, instructions }: MessageFields): MessageFields {
  const isKnown = typeof protocolVersion === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
  const { tools, resources } = isFields(capabilities) ? capabilities : {};
  return {
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities: {
      ...(isFields(tools) || tools === true ? { tools: {} } : {}),
      ...(isFields(resources) ? { resources: {} } : {}),
    },
    serverInfo: { name: 'unknown', version: 'unknown' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}
