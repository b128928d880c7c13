/**
 * Calls about newer versions of the program; part of `main-contract.ts`. Pages see what there is and ask for the next step;
 * which file is fetched and installed is main's affair.
 */
import { z } from 'zod';
import { call } from './rpc.ts';

const done = z.void();
export const updateChannel = z.enum(['stable', 'beta']);
export type UpdateChannel = z.output<typeof updateChannel>;

const release = z.object({
  version: z.string(),
  /** When it was made, ISO 8601. */
  date: z.string(),
  /** Bytes. */
  size: z.number(),
  /** The address of a page that says what is new. */
  notes: z.string(),
  /** It was tried on this machine and the person went back. */
  hasFailed: z.boolean(),
});

const step = z.discriminatedUnion('name', [
  /** Nobody has looked yet. */
  z.object({ name: z.literal('idle') }),
  z.object({ name: z.literal('checking') }),
  /** There is nothing newer; `note` is a sentence about what there is, where that is odd. */
  z.object({ name: z.literal('newest'), note: z.string().nullable() }),
  /** `manual`: why the person installs it, in a sentence; null = the program can. */
  z.object({ name: z.literal('found'), release, manual: z.string().nullable() }),
  /** `received`: bytes. */
  z.object({ name: z.literal('downloading'), release, received: z.number() }),
  /** Downloaded and checked. `wayBack`: the version whose package is kept; null = none. */
  z.object({ name: z.literal('ready'), release, wayBack: z.string().nullable() }),
  z.object({ name: z.literal('installing'), release }),
  /** The program cannot install it here: why, and the command that does. */
  z.object({ name: z.literal('by-hand'), release, why: z.string(), command: z.string() }),
  /** The next start is the newer version. */
  z.object({ name: z.literal('installed'), release }),
  /** Nothing was changed; why, in a sentence. */
  z.object({ name: z.literal('failed'), message: z.string() }),
]);

const updates = z.object({
  /** Of this program. */
  version: z.string(),
  /** Why it never looks for newer versions, in a sentence; null = it does. */
  never: z.string().nullable(),
  isAutomatic: z.boolean(),
  channel: updateChannel,
  /** The team that has set the channel; null = the person does. */
  lockedBy: z.string().nullable(),
  /** When it last looked, in milliseconds since 1970. */
  checkedAt: z.number().nullable(),
  step,
});

export type Updates = z.output<typeof updates>;
export type UpdateStep = z.output<typeof step>;

export const updateContract = {
  'updates.read': call([], updates),
  /** Changes the person's settings; what is left out stays. Fails with `team.locked` where a team has set it. */
  'updates.set': call(
    [z.strictObject({ isAutomatic: z.exactOptional(z.boolean()), channel: z.exactOptional(updateChannel) })],
    done,
  ),
  /** These begin a step, unless it makes no sense at present; what becomes of it is told by `updates.changed`. */
  'updates.check': call([], done),
  'updates.download': call([], done),
  /** Ends a download. */
  'updates.cancel': call([], done),
  /** Installs what is downloaded, and restarts the program unless the person rather lets runs go on. */
  'updates.install': call([], done),
} as const;

export const updatePushes = { 'updates.changed': updates } as const;
