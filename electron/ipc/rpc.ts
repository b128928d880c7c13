/**
 * Defines calls between two processes. A call is answered once, or with a stream of items until the caller ends it. A
 * contract is a table from which both ends derive their types and against which they validate incoming messages. The
 * same code serves window ↔ engine host, window ↔ main and main ↔ engine host. This module contains contracts and the
 * client side; `rpc-server.ts` contains the server side.
 */
import { z } from 'zod';
import { EngineError, type ErrorRecord, fromErrorRecord } from '../../engine/base/engine-error.ts';
import type { Transport } from './transport.ts';

/** A call with one reply. */
export interface CallEntry {
  readonly args: z.ZodType<readonly unknown[], readonly unknown[]>;
  readonly result: z.ZodType;
  /** Position after the arguments at which the caller may pass an `AbortSignal` and the handler receives one. */
  readonly signalAt: number | undefined;
}

/** A call that returns items until its caller ends it. */
export interface StreamEntry {
  readonly item: z.ZodType;
}

/** The calls that one end answers, by name. */
export type Contract = Readonly<Record<string, CallEntry | StreamEntry>>;

/** Defines a call with these arguments and this result. */
export function call<const Items extends readonly z.ZodType[], Result extends z.ZodType>(args: Items, result: Result) {
  return { args: tupleOf(args), result, signalAt: undefined };
}

/** Defines a call that can be canceled. */
export function cancellableCall<const Items extends readonly z.ZodType[], Result extends z.ZodType>(
  args: Items,
  result: Result,
) {
  return { args: tupleOf(args), result, signalAt: args.length };
}

/** Creates a tuple schema. Zod's own signature only accepts lists with at least one item. */
function tupleOf<Items extends readonly z.ZodType[]>(items: Items): z.ZodTuple<Items, null> {
  return z.tuple(items as unknown as [z.ZodType]) as unknown as z.ZodTuple<Items, null>;
}

/** Defines a stream of items. */
export function stream<Item extends z.ZodType>(item: Item) {
  return { item } as const;
}

type CallName<C extends Contract> = { [Name in keyof C]: C[Name] extends CallEntry ? Name : never }[keyof C] & string;
type StreamName<C extends Contract> = { [Name in keyof C]: C[Name] extends StreamEntry ? Name : never }[keyof C] &
  string;

type ListOf<Value> = Value extends readonly unknown[] ? Value : never;
/** Arguments of a call. */
export type ArgsOf<Entry> = Entry extends CallEntry
  ? Entry['signalAt'] extends number
    ? [...ListOf<z.input<Entry['args']>>, signal?: AbortSignal]
    : ListOf<z.input<Entry['args']>>
  : never;
/** Result of a call. */
export type ResultOf<Entry> = Entry extends CallEntry ? z.output<Entry['result']> : never;
/** Item type of a stream. */
export type ItemOf<Entry> = Entry extends StreamEntry ? z.output<Entry['item']> : never;

/** Receives an item of a stream. If it returns a promise, the item is processed when the promise resolves. */
export type StreamItemListener<Item> = (item: Item) => unknown;

/** The client side of a connection. It lives as long as the transport. */
export interface Client<C extends Contract> {
  /**
   * Rejects with an `EngineError` that comes from the handler or has an `rpc.*` code. If the caller's signal aborts,
   * rejects immediately with the signal's reason and also aborts the handler's signal.
   */
  call<Name extends CallName<C>>(name: Name, ...args: ArgsOf<C[Name]>): Promise<ResultOf<C[Name]>>;
  /** Returns a function that ends the stream. */
  stream<Name extends StreamName<C>>(name: Name, listener: StreamItemListener<ItemOf<C[Name]>>): () => void;
}

type Awaitable<Value> = Value | Promise<Value>;
type Handler<Entry> = Entry extends CallEntry
  ? (
      ...args: Entry['signalAt'] extends number
        ? [...ListOf<z.output<Entry['args']>>, signal: AbortSignal]
        : ListOf<z.output<Entry['args']>>
    ) => Awaitable<z.input<Entry['result']>>
  : Entry extends StreamEntry
    ? (push: (item: z.input<Entry['item']>) => Promise<void>) => () => void
    : never;

/**
 * The handlers of a contract's calls: any object with methods of those names. Its other methods cannot be called. The
 * promise returned by `push` resolves when the item has been processed, or never if the stream ends first.
 */
export type RpcHandlers<C extends Contract> = { readonly [Name in keyof C]: Handler<C[Name]> };

/** Outcome of a call, as plain data. */
export type RpcReply =
  | { readonly ok: true; readonly result?: unknown }
  | { readonly ok: false; readonly error: ErrorRecord };

const reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown().optional() }),
  z.object({ ok: z.literal(false), error: z.looseObject({ code: z.string(), message: z.string() }) }),
]);
const id = z.number();
const toClient = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), id, reply }),
  z.object({ kind: z.literal('item'), id, item: z.unknown().optional() }),
]);

/**
 * Creates the client side. When the transport closes, pending and later calls reject with `rpc.disconnected`. An item
 * that violates the contract (`rpc.bad-item`) is thrown from the transport's message handler, because it is a bug in
 * the sender.
 */
export function createClient<C extends Contract>(contract: C, transport: Transport): Client<C> {
  const pending = new Map<number, (reply: RpcReply) => void>();
  const streams = new Map<number, (item: unknown) => void>();
  let lastId = 0;
  let isConnected = true;
  transport.onMessage((message) => {
    const { data } = toClient.safeParse(message);
    if (data?.kind === 'item') streams.get(data.id)?.(data.item);
    else if (data?.kind === 'reply') pending.get(data.id)?.(data.reply);
  });
  transport.onClose(() => {
    isConnected = false;
    for (const settle of pending.values()) settle({ ok: false, error: disconnected });
    streams.clear();
  });

  function ask(name: string, args: readonly unknown[], signal: AbortSignal | undefined): Promise<RpcReply> {
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        pending.delete(id);
        transport.post({ kind: 'cancel', id });
        reject(signal?.reason);
      };
      pending.set(id, (answer) => {
        pending.delete(id);
        signal?.removeEventListener('abort', cancel);
        resolve(answer);
      });
      signal?.addEventListener('abort', cancel, { once: true });
      transport.post({ kind: 'call', id, name, args });
    });
  }

  return {
    async call(name, ...given) {
      const { result, signalAt } = contract[name] as CallEntry;
      const args = given.slice(0, signalAt);
      const signal = signalAt === undefined ? undefined : (given[signalAt] as AbortSignal | undefined);
      signal?.throwIfAborted();
      refuseUnsendable(name, args);
      if (!isConnected) throw fromErrorRecord(disconnected);
      const answer = await ask(name, args, signal);
      if (!answer.ok) throw fromErrorRecord(answer.error);
      return parseOrThrow(result, answer.result, 'rpc.bad-result', `the result of ${name}`) as ResultOf<C[typeof name]>;
    },
    stream(name, listener) {
      const { item: schema } = contract[name] as StreamEntry;
      const id = ++lastId;
      streams.set(id, (item) => {
        const checked = parseOrThrow(schema, item, 'rpc.bad-item', `an item of ${name}`) as ItemOf<C[typeof name]>;
        void Promise.resolve(listener(checked)).then(() => transport.post({ kind: 'taken', id }));
      });
      transport.post({ kind: 'stream', id, name });
      return () => {
        if (streams.delete(id)) transport.post({ kind: 'cancel', id });
      };
    },
  };
}

const disconnected: ErrorRecord = {
  code: 'rpc.disconnected',
  message: 'The connection closed before the response arrived. Try again when it is restored.',
  recoverable: true,
};

function refuseUnsendable(name: string, args: readonly unknown[]): void {
  const problem = findUnsendable(args);
  if (problem !== undefined)
    throw misfit('rpc.bad-params', `the params of ${name}`, `${problem}, which cannot be sent`);
}

/** @throws EngineError with `code` if the value does not match */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: string,
  subject: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  const listed = details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw misfit(code, subject, listed, details);
}

function misfit(code: string, subject: string, why: string, details?: unknown): EngineError {
  return new EngineError({ code, message: `Invalid data in ${subject}: ${why}`, details });
}

// Checks that a value can be sent between processes: JSON data and bytes. Structured cloning supports more (files,
// maps, keys), but Electron's ports drop a message that contains such a value, and the call would never be answered.

/** Maximum nesting depth: more than any flow or agent needs, but low enough for a recursive check. */
const maxDepth = 1000;

/**
 * Describes the first part of a value that cannot be sent, as the beginning of a sentence; undefined if the whole value
 * can be sent. Reads each property once, so getters throw their errors here.
 */
export function findUnsendable(value: unknown, place = '', depth = 0): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return problemAt(place, `a ${typeof value}`);
  if (typeof value !== 'object' || value === null || isBytes(value)) return undefined;
  if (depth > maxDepth) return problemAt(place, `nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) {
    return firstOf(value.entries(), (index, item) => findUnsendable(item, `${place}[${index}]`, depth + 1));
  }
  if (!isPlainObject(value)) return problemAt(place, `a ${Object.prototype.toString.call(value).slice(8, -1)}`);
  return firstOf(Object.entries(value), (key, item) => findUnsendable(item, `${place}.${key}`, depth + 1));
}

function firstOf<Key>(
  entries: Iterable<[Key, unknown]>,
  find: (key: Key, item: unknown) => string | undefined,
): string | undefined {
  for (const [key, item] of entries) {
    const found = find(key, item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function problemAt(place: string, what: string): string {
  return `${place === '' ? 'the value' : place.replace(/^\./, '')} is ${what}`;
}

function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** Returns whether a value is a plain object. Accepts objects without a prototype and objects of another realm. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
