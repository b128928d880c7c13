/**
 * Calls about messages that go out of the program when something waits for the person; part of `main-contract.ts`. What is run or
 * asked for them is the person's own setting: main asks them in a dialog of the system before it holds.
 */
import { z } from 'zod';
import { call } from './rpc.ts';

/** Of HTTP, as RFC 9110 has it: the name of a header. */
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
  /** A program with its arguments, never a line for a shell. */
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
  /** A POST. `body`: what is sent, with placeholders; empty = the whole message as JSON. */
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
  /** Why the last message did not go out, and when that was, in epoch milliseconds; null = it did, or there was none. */
  problem: z.object({ message: z.string(), at: z.number() }).nullable(),
});

export type DeliveryState = z.output<typeof delivery>;

export const deliveryContract = {
  'delivery.read': call([], delivery),
  /** Asks the person, then sends what waits from now on so. False = they said no, and nothing has changed. */
  'delivery.set': call([deliverySetting], z.object({ isDone: z.boolean() })),
  /** Sends a message that says that it is a test, as the setting that holds says. Null = it went out; else why not. */
  'delivery.test': call([], z.object({ problem: z.string().nullable() })),
} as const;

export const deliveryPushes = { 'delivery.changed': delivery } as const;
