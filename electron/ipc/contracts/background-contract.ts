/**
 * Calls about the service that runs triggers while no window is open. Part of `main-contract.ts`.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';

/** A workspace whose triggers or flows are on. */
const servedWorkspace = z.object({
  /** Absolute path. */
  folder: z.string(),
  /** Number of triggers that are on, and of those that a person has to confirm after a change. */
  on: z.number().int(),
  changed: z.number().int(),
  /** Number of its published flows. */
  published: z.number().int(),
  /** Number of active runs of the service. */
  running: z.number().int(),
  /** The trigger that is due next, and when, in epoch milliseconds; null if none has a schedule. */
  next: z.object({ flow: z.string(), trigger: z.string(), at: z.number() }).nullable(),
});

const backgroundState = z.object({
  /** Whether the program keeps running when its last window is closed. */
  isOn: z.boolean(),
  /** `idle`: nothing is switched on. `waiting`: the service failed and starts again later. */
  service: z.enum(['off', 'idle', 'starting', 'running', 'waiting']),
  /** Address at which webhooks and published flows are available; null if the service doesn't listen. */
  address: z.string().nullable(),
  /** Number of published flows of all workspaces. */
  published: z.number().int(),
  workspaces: z.array(servedWorkspace).readonly(),
  /** What the service has reported last; null if nothing. */
  problem: z.string().nullable(),
});

export type BackgroundState = z.output<typeof backgroundState>;

/** Whether systemd starts the triggers of the window's workspace with the user's session. */
const sessionService = z.union([
  z.object({
    state: z.enum(['on', 'off']),
    /** Absolute path. */
    workspace: z.string(),
  }),
  z.object({ state: z.literal('unavailable'), reason: z.string() }),
]);

export type SessionService = z.output<typeof sessionService>;

export const backgroundContract = {
  'background.read': call([], backgroundState),
  /** Starts or ends the service, and stores the choice. `background.changed` reports the result. */
  'background.set': call([z.strictObject({ isOn: z.boolean() })], z.void()),
  'background.readSession': call([], sessionService),
  /** Asks the user before it switches on. Returns the state afterwards. */
  'background.setSession': call([z.strictObject({ isOn: z.boolean() })], sessionService),
} as const;

export const backgroundPushes = { 'background.changed': backgroundState } as const;
