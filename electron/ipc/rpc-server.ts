/**
 * The server side of calls; see `rpc.ts`.
 */
import { z } from 'zod';
import { EngineError, toErrorRecord } from '../../engine/base/engine-error.ts';
import {
  type CallEntry,
  type Contract,
  parseOrThrow,
  type RpcHandlers,
  type RpcReply,
  type StreamEntry,
} from './rpc.ts';
import type { Transport } from './transport.ts';

/** Validates and answers calls by name. Never rejects. */
export type Dispatcher = (name: string, args: unknown, signal?: AbortSignal) => Promise<RpcReply>;

const id = z.number();
const toServer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id, name: z.string(), args: z.unknown() }),
  z.object({ kind: z.literal('stream'), id, name: z.string() }),
  /** The caller has processed the oldest pending item of the stream. */
  z.object({ kind: z.literal('taken'), id }),
  z.object({ kind: z.literal('cancel'), id }),
]);
function cancelled(): EngineError {
  return new EngineError({ code: 'rpc.cancelled', message: 'The caller canceled the request.' });
}

/** An active call or stream. */
interface OpenRpcCall {
  cancel(): void;
  /** For a stream: marks the oldest pending item as processed. */
  taken?(): void;
}

/**
 * Answers the calls that arrive on a transport. Returns a function that stops answering, as does closing the transport.
 * Stopping cancels active calls.
 */
export function serve<C extends Contract>(contract: C, handlers: RpcHandlers<C>, transport: Transport): () => void {
  const dispatch = createDispatcher(contract, handlers);
  const open = new Map<number, OpenRpcCall>();

  async function answer(id: number, name: string, args: unknown): Promise<void> {
    const controller = new AbortController();
    open.set(id, { cancel: () => controller.abort(cancelled()) });
    const answered = await dispatch(name, args, controller.signal);
    if (open.delete(id)) postReply(transport, id, answered);
  }

  function begin(id: number, name: string): void {
    const entry = entryOf(contract, name);
    if (entry === undefined || !('item' in entry)) {
      postReply(transport, id, failed(unknownMethod(name)));
      return;
    }
    const waiting: (() => void)[] = [];
    const handler = handlers as Record<string, (push: (item: unknown) => Promise<void>) => () => void>;
    const cancel = handler[name]?.((item) => {
      transport.post({ kind: 'item', id, item });
      return new Promise((resolve) => waiting.push(resolve));
    });
    if (cancel !== undefined) open.set(id, { cancel, taken: () => waiting.shift()?.() });
  }

  function cancel(id: number): void {
    const gone = open.get(id);
    open.delete(id);
    gone?.cancel();
  }

  const endMessages = transport.onMessage((message) => {
    const { data } = toServer.safeParse(message);
    if (data === undefined) postReply(transport, idOf(message), failed(unreadable()));
    else if (data.kind === 'call') void answer(data.id, data.name, data.args);
    else if (data.kind === 'stream') begin(data.id, data.name);
    else if (data.kind === 'cancel') cancel(data.id);
    else open.get(data.id)?.taken?.();
  });
  const end = (): void => {
    endMessages();
    for (const id of [...open.keys()]) cancel(id);
  };
  transport.onClose(end);
  return end;
}

const asking = z.looseObject({ kind: z.enum(['call', 'stream']), id });

/** Returns the id of an invalid message that resembles a call; null for other or unreadable messages. */
function idOf(message: unknown): number | null {
  return asking.safeParse(message).data?.id ?? null;
}

function unreadable(): EngineError {
  const message = 'A message could not be read: it has an unknown shape or contains values that are not plain data.';
  return new EngineError({ code: 'rpc.unreadable', message });
}

function unknownMethod(name: string): EngineError {
  return new EngineError({ code: 'rpc.unknown-method', message: `Unknown method: ${name}.` });
}

function failed(error: unknown): RpcReply {
  return { ok: false, error: toErrorRecord(error) };
}

/** @param id null for a reply to a message without an id */
function postReply(transport: Transport, id: number | null, reply: RpcReply): void {
  try {
    transport.post({ kind: 'reply', id, reply });
  } catch (error) {
    // A result that cannot be cloned is a bug in the program. Without a reply, the caller would wait forever.
    transport.post({ kind: 'reply', id, reply: failed(error) });
  }
}

/** Returns the entry of a call; undefined for an unknown name, including properties inherited from the prototype. */
function entryOf(contract: Contract, name: string): CallEntry | StreamEntry | undefined {
  return Object.hasOwn(contract, name) ? contract[name] : undefined;
}

/** Validates a call against the contract and runs its handler. Errors from the handler become error records. */
export function createDispatcher<C extends Contract>(contract: C, handlers: RpcHandlers<C>): Dispatcher {
  return async (name, args, signal = new AbortController().signal) => {
    try {
      const entry = entryOf(contract, name);
      if (entry === undefined || !('args' in entry)) throw unknownMethod(name);
      const checked = parseOrThrow(entry.args, args, 'rpc.bad-params', `the params of ${name}`);
      // The type pairs each handler with its arguments. For a name that is known only at run time, the schema ensures
      // that they match.
      const methods = handlers as Record<string, (...args: readonly unknown[]) => unknown>;
      const given = [...checked];
      if (entry.signalAt !== undefined) given[entry.signalAt] = signal;
      return { ok: true, result: await methods[name]?.(...given) };
    } catch (error) {
      return failed(error);
    }
  };
}
