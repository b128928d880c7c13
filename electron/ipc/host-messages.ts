/**
 * Messages between the main process and the engine host. A `port` message transfers a window's port.
 */
import { z } from 'zod';

/** Name under which a host receives the password of its remote history. */
export const remotePasswordKey = 'REMOTE_PASSWORD';

/** Messages from main to the engine host. */
export const toHostMessage = z.discriminatedUnion('type', [
  /** Connects a window. The port is transferred with the message. */
  z.object({ type: z.literal('port') }),
  /** Closes the engine, which stores all its state, and exits with code 0. */
  z.object({ type: z.literal('shutdown') }),
  /** A message on the connection that main uses for the calls of `personContract`. */
  z.object({ type: z.literal('person'), message: z.unknown() }),
  /** Checks that the host responds. */
  z.object({ type: z.literal('ping') }),
  /** Resumes the runs with these ids. They belonged to the previous host, which the user ended. */
  z.object({ type: z.literal('resume'), runIds: z.array(z.string()).readonly() }),
  /** All keys of the vault by variable name. Sent as the first message and after each change. */
  z.object({ type: z.literal('keys'), delivery: z.number().int(), keys: z.record(z.string(), z.string()) }),
]);

/** Messages from the engine host to main. */
export const fromHostMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** The engine cannot serve this workspace, and a retry would fail in the same way. */
  z.object({ type: z.literal('refused'), message: z.string() }),
  /** The active root runs of the host, sent whenever they change. */
  z.object({ type: z.literal('runs'), underWay: z.array(z.string()).readonly() }),
  z.object({ type: z.literal('person'), message: z.unknown() }),
  /** Replies to each `ping`. */
  z.object({ type: z.literal('pong') }),
  /** The keys of this delivery are now in use. */
  z.object({ type: z.literal('keys-taken'), delivery: z.number().int() }),
]);

export type ToHostMessage = z.output<typeof toHostMessage>;
export type FromHostMessage = z.output<typeof fromHostMessage>;
