/**
 * What the main process and the engine host say to each other; a window's port travels with `port`.
 */
import { z } from 'zod';

/** Main to engine host. */
export const toHostMessage = z.discriminatedUnion('type', [
  /** A window's line; the port is handed over beside the message. */
  z.object({ type: z.literal('port') }),
  /** Close the engine, so that all it knows is stored, and exit with 0. */
  z.object({ type: z.literal('shutdown') }),
  /** Of the line over which main makes the calls of `personContract`. */
  z.object({ type: z.literal('person'), message: z.unknown() }),
  /** Main wants to hear from it. */
  z.object({ type: z.literal('ping') }),
  /** The host before it was ended by the person; these runs of it are to go on. */
  z.object({ type: z.literal('resume'), runIds: z.array(z.string()).readonly() }),
  /** All keys of the vault by the name of their variable: the first message, and again after each change. */
  z.object({ type: z.literal('keys'), delivery: z.number().int(), keys: z.record(z.string(), z.string()) }),
]);

/** Engine host to main. */
export const fromHostMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** The engine cannot serve this workspace; another try would end the same way. */
  z.object({ type: z.literal('refused'), message: z.string() }),
  /** The runs that go on in it, those at the top only, whenever that changes. */
  z.object({ type: z.literal('runs'), underWay: z.array(z.string()).readonly() }),
  z.object({ type: z.literal('person'), message: z.unknown() }),
  /** Answers each `ping`. */
  z.object({ type: z.literal('pong') }),
  /** The keys of that delivery are in use from now on. */
  z.object({ type: z.literal('keys-taken'), delivery: z.number().int() }),
]);

export type ToHostMessage = z.output<typeof toHostMessage>;
export type FromHostMessage = z.output<typeof fromHostMessage>;
