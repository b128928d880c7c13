/**
 * Calls about newer versions of the program. Part of `main-contract.ts`. Pages show the available version and request
 * the next step. Main decides which file is downloaded and installed.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';

const done = z.void();
export const updateChannel = z.enum(['stable', 'beta']);
export type UpdateChannel = z.output<typeof updateChannel>;

const release = z.object({
  version: z.string(),
  /** Release date in ISO 8601 format. */
  date: z.string(),
  /** Size in bytes. */
  size: z.number(),
  /** URL of the release notes. */
  notes: z.string(),
  /** Whether this version was installed on this machine and the user went back from it. */
  hasFailed: z.boolean(),
});

const step = z.discriminatedUnion('name', [
  /** No check has been performed yet. */
  z.object({ name: z.literal('idle') }),
  z.object({ name: z.literal('checking') }),
  /**
   * This is the newest version. `note` is a message about an unusual published version, such as an older one; otherwise
   * null.
   */
  z.object({ name: z.literal('newest'), note: z.string().nullable() }),
  /** `manual` explains why the user must install it; null if the program can. */
  z.object({ name: z.literal('found'), release, manual: z.string().nullable() }),
  /** `received` is the number of bytes received. */
  z.object({ name: z.literal('downloading'), release, received: z.number() }),
  /** Downloaded and verified. `wayBack` is the version with a stored package; null if there is none. */
  z.object({ name: z.literal('ready'), release, wayBack: z.string().nullable() }),
  z.object({ name: z.literal('installing'), release }),
  /** The program cannot install the release on this machine. Contains the reason and the command that installs it. */
  z.object({ name: z.literal('by-hand'), release, why: z.string(), command: z.string() }),
  /** The newer version runs after the next start. */
  z.object({ name: z.literal('installed'), release }),
  /** A step failed and changed nothing. `message` is the reason. */
  z.object({ name: z.literal('failed'), message: z.string() }),
]);

const updates = z.object({
  /** Version of this program. */
  version: z.string(),
  /** Why the program never checks for updates, as a sentence; null if it does. */
  never: z.string().nullable(),
  isAutomatic: z.boolean(),
  channel: updateChannel,
  /** The team that has set the channel; null if the user sets it. */
  lockedBy: z.string().nullable(),
  /** Time of the last check, in epoch milliseconds. */
  checkedAt: z.number().nullable(),
  step,
});

export type Updates = z.output<typeof updates>;
export type UpdateStep = z.output<typeof step>;

export const updateContract = {
  'updates.read': call([], updates),
  /**
   * Changes the user's update settings; omitted ones are unchanged. Fails with `team.locked` if a team has set the
   * channel.
   */
  'updates.set': call(
    [z.strictObject({ isAutomatic: z.exactOptional(z.boolean()), channel: z.exactOptional(updateChannel) })],
    done,
  ),
  /** The following calls start a step if it is currently possible. `updates.changed` reports its progress. */
  'updates.check': call([], done),
  'updates.download': call([], done),
  /** Cancels a download. */
  'updates.cancel': call([], done),
  /** Installs the downloaded version and restarts the program, unless the user chooses to keep active runs. */
  'updates.install': call([], done),
} as const;

export const updatePushes = { 'updates.changed': updates } as const;
