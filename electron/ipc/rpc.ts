/**
 * Calls and pushes over a `Transport`. A contract is a table; both ends derive their types from it, and what arrives is
 * checked against it. The same code serves window ↔ engine host and window ↔ main.
 */
import { z } from 'zod';
import { EngineError, type ErrorRecord, fromErrorRecord, toErrorRecord } from '../../engine/base/engine-error.ts';
import type { Transport } from './transport.ts';

/** Methods by name, each with the schema of what it takes and what it gives. */
export type Contract = Readonly<Record<string, { readonly params: z.ZodType; readonly result: z.ZodType }>>;

/** Pushes by name, each with the schema of its payload. */
export type PushContract = Readonly<Record<string, z.ZodType>>;

/** Asks the other end. Rejects with an `EngineError`: the handler's own, or one of `rpc.*`. */
export type Client<C extends Contract> = <Method extends keyof C & string>(
  method: Method,
  params: z.input<C[Method]['params']>,
) => Promise<z.output<C[Method]['result']>>;

/** One handler for each method; a table that lacks one does not compile. */
export type Handlers<C extends Contract> = {
  readonly [Method in keyof C]: (
    params: z.output<C[Method]['params']>,
  ) => Sent<z.input<C[Method]['result']>> | Promise<Sent<z.input<C[Method]['result']>>>;
};

/** What is only going to be copied may hold read-only lists. */
type Sent<Value> = {
  readonly [Key in keyof Value]: Value[Key] extends readonly (infer Item)[] ? readonly Item[] : Value[Key];
};

/** What became of a call, as plain data. */
export type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: ErrorRecord };

/** Checks and answers calls by name; never rejects. */
export type Dispatcher = (method: string, params: unknown) => Promise<Reply>;

const callMessage = z.object({ kind: z.literal('call'), id: z.number(), method: z.string(), params: z.unknown() });
const replyMessage = z.object({
  kind: z.literal('reply'),
  id: z.number(),
  reply: z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), result: z.unknown() }),
    z.object({ ok: z.literal(false), error: z.looseObject({ code: z.string(), message: z.string() }) }),
  ]),
});
const pushMessage = z.object({ kind: z.literal('push'), name: z.string(), payload: z.unknown() });

/**
 * Makes a function that calls the other end's handlers. It lives as long as the transport; when that is cut, calls
 * that wait, and all later ones, reject with `rpc.disconnected`.
 */
export function createClient<C extends Contract>(contract: C, transport: Transport): Client<C> {
  const pending = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  let isConnected = true;
  transport.onMessage((message) => {
    const { data } = replyMessage.safeParse(message);
    if (data === undefined) return;
    pending.get(data.id)?.(data.reply);
    pending.delete(data.id);
  });
  transport.onClose(() => {
    isConnected = false;
    for (const settle of pending.values()) settle({ ok: false, error: disconnected });
    pending.clear();
  });
  return async <Method extends keyof C & string>(method: Method, params: z.input<C[Method]['params']>) => {
    const { result } = contract[method] as C[Method];
    if (!isConnected) throw fromErrorRecord(disconnected);
    const id = ++lastId;
    const reply = await new Promise<Reply>((resolve) => {
      pending.set(id, resolve);
      transport.post({ kind: 'call', id, method, params });
    });
    if (!reply.ok) throw fromErrorRecord(reply.error);
    return parseOrThrow<C[Method]['result']>(result, reply.result, {
      code: 'rpc.bad-result',
      subject: `the result of ${method}`,
    });
  };
}

const disconnected: ErrorRecord = {
  code: 'rpc.disconnected',
  message: 'The connection was cut before the answer came. Try again when it is back.',
  recoverable: true,
};

/** Answers the calls that arrive on a transport. Returns its end; a cut transport ends it, too. */
export function serve<C extends Contract>(contract: C, handlers: Handlers<C>, transport: Transport): () => void {
  const dispatch = createDispatcher(contract, handlers);
  return transport.onMessage((message) => {
    const { data } = callMessage.safeParse(message);
    if (data === undefined) return;
    void dispatch(data.method, data.params).then((reply) => postReply(transport, data.id, reply));
  });
}

function postReply(transport: Transport, id: number, reply: Reply): void {
  try {
    transport.post({ kind: 'reply', id, reply });
  } catch (error) {
    // A result that cannot be cloned is our bug; without an answer the caller would wait for ever.
    transport.post({ kind: 'reply', id, reply: { ok: false, error: toErrorRecord(error) } });
  }
}

/** Checks a call against the contract and runs its handler; what the handler throws becomes an error record. */
export function createDispatcher<C extends Contract>(contract: C, handlers: Handlers<C>): Dispatcher {
  return async (method, params) => {
    try {
      const entry = Object.hasOwn(contract, method) ? contract[method] : undefined;
      if (entry === undefined) {
        throw new EngineError({ code: 'rpc.unknown-method', message: `There is no method named ${method}.` });
      }
      const checked = parseOrThrow(entry.params, params, {
        code: 'rpc.bad-params',
        subject: `the params of ${method}`,
      });
      return { ok: true, result: await handlerOf(handlers, method)(checked) };
    } catch (error) {
      return { ok: false, error: toErrorRecord(error) };
    }
  };
}

function handlerOf<C extends Contract>(handlers: Handlers<C>, method: keyof C): (params: unknown) => unknown {
  // The table's type pairs each handler with its params; looked up by a run-time name, the pairing is the schema's work.
  return handlers[method] as (params: unknown) => unknown;
}

/** Makes a function that pushes to the other end. Payloads are typed by the contract here, and checked where they arrive. */
export function createPushSender<P extends PushContract>(
  transport: Pick<Transport, 'post'>,
): <Name extends keyof P & string>(name: Name, payload: Sent<z.input<P[Name]>>) => void {
  return (name, payload) => transport.post({ kind: 'push', name, payload });
}

/** Listeners for some or all pushes of a contract. */
export type PushListeners<P extends PushContract> = {
  readonly [Name in keyof P]?: (payload: z.output<P[Name]>) => void;
};

/**
 * Hears the pushes that arrive on a transport. Returns the subscription's end.
 * A push that breaks the contract is thrown (`rpc.bad-push`) in the transport's own turn: it is a bug of the sender.
 */
export function onPush<P extends PushContract>(
  pushes: P,
  transport: Pick<Transport, 'onMessage'>,
  listeners: PushListeners<P>,
): () => void {
  return transport.onMessage((message) => {
    const { data } = pushMessage.safeParse(message);
    if (data === undefined) return;
    const { name, payload } = data;
    const problem = { code: 'rpc.bad-push', subject: `the push ${name}` };
    const schema = Object.hasOwn(pushes, name) ? pushes[name] : undefined;
    if (schema === undefined) throw new EngineError({ code: problem.code, message: `There is no push named ${name}.` });
    const listener = Object.hasOwn(listeners, name) ? (listeners[name] as (payload: unknown) => void) : undefined;
    listener?.(parseOrThrow(schema, payload, problem));
  });
}

function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  problem: { readonly code: string; readonly subject: string },
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }));
  const listed = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw new EngineError({
    code: problem.code,
    message: `Something does not fit in ${problem.subject}: ${listed}`,
    details: issues,
  });
}
