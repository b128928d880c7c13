/**
 * Calls tools over a connection that the SDK has opened. The SDK validates each message against several schemas and
 * creates two signals per request, which takes longer than the rest of a call. All other messages go through the SDK.
 */
import {
  type JSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Transport,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { onAbort } from '../../base/on-abort.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { type ElicitationResponse, pagesRequired } from './elicitation.ts';
import { isFields, type MessageFields } from './read-message.ts';

/** Receives the result of a call, or the error that ends it. */
type Settle = (answer: MessageFields | Error) => void;

/** What a call can do while it is open. */
export interface OpenCall {
  /** Cancels the call. */
  readonly signal: AbortSignal;
  /** Asks a person. Its signal aborts when the server no longer waits. @throws ToolFailure if the question is invalid */
  readonly elicit?: (params: unknown, signal: AbortSignal) => Promise<ElicitationResponse>;
  /** Receives the fields of a progress notification. */
  readonly onProgress?: (fields: MessageFields) => void;
}

type SentCall = OpenCall & { readonly settle: Settle };

/**
 * Above all ids that the SDK assigns to its own requests, and below 2^31, because some servers require 32-bit integers.
 */
const firstId = 1_000_000_000;

/** The tool calls over one connection. */
export class CallChannel {
  readonly #transport: Transport;
  readonly #open = new Map<number, SentCall>();
  #nextId = firstId;
  #isClosed = false;

  /** @param transport a transport over which the SDK has connected */
  constructor(transport: Transport) {
    this.#transport = transport;
    const { onmessage, onclose } = transport;
    transport.onmessage = (message, extra) => {
      if (!this.#take(message)) onmessage?.(message, extra);
    };
    transport.onclose = () => {
      onclose?.();
      this.#close();
    };
  }

  /**
   * Calls a tool, and cancels the call on the server when the signal aborts.
   * @returns the result as sent by the server
   * @throws ProtocolError | SdkError; the signal's reason
   */
  callTool(params: JsonMap, call: OpenCall): Promise<MessageFields> {
    const { signal, onProgress } = call;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#isClosed) throw new Error('Not connected');
      const id = this.#nextId++;
      const settle: Settle = (answer) => {
        if (!this.#open.delete(id)) return;
        stopListening();
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      };
      const stopListening = onAbort(signal, () => {
        this.#cancel(id, String(signal.reason));
        settle(asError(signal.reason));
      });
      this.#open.set(id, { ...call, settle });
      const wanted = onProgress === undefined ? params : { ...params, _meta: { progressToken: id } };
      const message = { jsonrpc: '2.0', id, method: 'tools/call', params: wanted } as const;
      this.#transport.send(message).catch((thrown: unknown) => settle(asError(thrown)));
    });
  }

  /** The call that was made last of those that are open. A server's question does not name its call. */
  get latest(): OpenCall | undefined {
    return [...this.#open.values()].at(-1);
  }

  #cancel(requestId: number, reason: string): void {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } } as const;
    this.#transport.send(message).catch((error: unknown) => {
      this.#transport.onerror?.(new Error(`Failed to send cancellation: ${String(error)}`));
    });
  }

  /** Returns false for a message that is neither the result nor the progress of one of these calls. */
  #take(message: JSONRPCMessage): boolean {
    if (!('id' in message)) return this.#takeProgress(message);
    if ('method' in message) return false;
    // Some servers return the ID as a string.
    const { settle } = this.#open.get(Number(message.id)) ?? {};
    if (settle === undefined) return false;
    if ('error' in message) {
      const { code, message: words, data } = message.error;
      settle(answerOfError(ProtocolError.fromError(code, words, data)));
    } else if (isFields(message.result)) settle(message.result);
    else settle(new Error('The server sent a result that is not an object'));
    return true;
  }

  #takeProgress(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/progress' || !isFields(message.params))
      return false;
    const { onProgress } = this.#open.get(Number(message.params['progressToken'])) ?? {};
    onProgress?.(message.params);
    return onProgress !== undefined;
  }

  #close(): void {
    this.#isClosed = true;
    for (const { settle } of [...this.#open.values()]) {
      settle(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'));
    }
  }
}

/** A server may refuse a call until a person has opened pages. */
export function answerOfError(error: Error): MessageFields | Error {
  return error instanceof UrlElicitationRequiredError ? pagesRequired(error.elicitations) : error;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
