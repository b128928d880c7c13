/**
 * Calls about messages that are sent outside the program when a request waits for the user. Part of `main-contract.ts`.
 * The user decides which commands run and which addresses are called: main asks in a system dialog before a setting
 * takes effect.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';

/** HTTP header name as defined by RFC 9110. */
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/)
  .max(200);

const line = z
  .string()
  .max(4096)
  .regex(/^[^\0\r\n]*$/);

export const deliverySetting = z.discriminatedUnion('via', [
  z.strictObject({ via: z.literal('nothing') }),
  /** A program and its arguments; never a shell command line. */
  z.strictObject({
    via: z.literal('command'),
    program: line.min(1),
    args: z
      .array(
        z
          .string()
          .max(10_000)
          .regex(/^[^\0]*$/),
      )
      .max(50)
      .readonly(),
  }),
  /** A POST request. `body` is a template with placeholders; if empty, the whole message is sent as JSON. */
  z.strictObject({
    via: z.literal('request'),
    url: z
      .string()
      .min(1)
      .max(2000)
      .regex(/^https?:\/\/[^\s]+$/i),
    headers: z.record(headerName, line).refine((all) => Object.keys(all).length <= 50, 'must not be over 50'),
    body: z.string().max(20_000),
  }),
]);

export type DeliverySetting = z.output<typeof deliverySetting>;

const delivery = z.object({
  setting: deliverySetting,
  /** Why and when (epoch milliseconds) the last message failed; null if it succeeded or no message was sent. */
  problem: z.object({ message: z.string(), at: z.number() }).nullable(),
});

export type DeliveryState = z.output<typeof delivery>;

export const deliveryContract = {
  'delivery.read': call([], delivery),
  /**
   * Asks the user, then applies the setting to future messages. `isDone` is false if the user declined and nothing
   * changed.
   */
  'delivery.set': call([deliverySetting], z.object({ isDone: z.boolean() })),
  /**
   * Sends a message marked as a test with the current setting. `problem` is null if it was sent, otherwise the reason.
   */
  'delivery.test': call([], z.object({ problem: z.string().nullable() })),
} as const;

export const deliveryPushes = { 'delivery.changed': delivery } as const;
