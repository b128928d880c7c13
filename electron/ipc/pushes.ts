/**
 * Defines typed push messages: named messages that one end sends without a request.
 */
import { z } from 'zod';
import { EngineError } from '../../engine/base/engine-error.ts';
import { parseOrThrow } from './rpc.ts';
import type { Transport } from './transport.ts';

/** Pushes by name, each with the schema of its payload. */
export type PushContract = Readonly<Record<string, z.ZodType>>;

/** Listeners for some or all pushes of a contract. */
export type PushListeners<P extends PushContract> = {
  readonly [Name in keyof P]?: (payload: z.output<P[Name]>) => void;
};

const pushMessage = z.object({ kind: z.literal('push'), name: z.string(), payload: z.unknown() });

/**
 * Creates a function that pushes to the other end. Payloads are typed by the contract when sent and validated when
 * received.
 */
export function createPushSender<P extends PushContract>(
  transport: Pick<Transport, 'post'>,
): <Name extends keyof P & string>(name: Name, payload: z.input<P[Name]>) => void {
  return (name, payload) => transport.post({ kind: 'push', name, payload });
}

/**
 * Delivers the pushes that arrive on a transport. Returns a function that unsubscribes. A push that violates the
 * contract is thrown (`rpc.bad-push`) from the transport's message handler, because it is a bug in the sender.
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
    const schema = Object.hasOwn(pushes, name) ? pushes[name] : undefined;
    if (schema === undefined) throw new EngineError({ code: 'rpc.bad-push', message: `Unknown push: ${name}.` });
    const listener = Object.hasOwn(listeners, name) ? (listeners[name] as (payload: unknown) => void) : undefined;
    listener?.(parseOrThrow(schema, payload, 'rpc.bad-push', `the push ${name}`));
  });
}
