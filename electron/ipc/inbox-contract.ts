/**
 * Calls about what waits for the person in the workspaces of all windows; part of `main-contract.ts`. Windows read it from their
 * engines; main counts it, tells of it while no window is in front, and keeps until when the person wants to hear nothing of it.
 */
import { z } from 'zod';
import { call } from './rpc.ts';
import { runId } from './run-summary.ts';

const done = z.void();

/** The same for as long as the request waits; unique in the workspace. */
const requestKey = z.string().min(1).max(20_000);

/** Epoch milliseconds by key of the request. */
const snoozed = z.object({ snoozed: z.record(requestKey, z.number()) });

/** Where a run waits for the person. */
export const waitingPlace = z.object({
  /** Of the flow or agent, relative to the workspace. */
  path: z.string().min(1).max(4096),
  kind: z.enum(['flow', 'agent']),
  runId,
  /** Full name of the node; empty = the run itself waits. */
  nodeId: z.string().max(10_000),
});

const waitingRequest = z.strictObject({
  key: requestKey,
  /** Who asks, and what; written by flows, so it may hold anything. */
  title: z.string().max(300),
  text: z.string().max(1000),
  place: waitingPlace,
});

export type ToldRequest = z.output<typeof waitingRequest>;

/** Without a workspace in the window, all fail with `workspace.not-open`. */
export const inboxContract = {
  /** All that waits in the window's workspace and is not snoozed. The system tells of each once, while no window is in front. */
  'inbox.tell': call([z.strictObject({ requests: z.array(waitingRequest).max(20_000).readonly() })], done),
  'inbox.snoozed': call([], snoozed),
  /** Lets requests be until a time in epoch milliseconds; null = no longer. */
  'inbox.snooze': call(
    [z.strictObject({ keys: z.array(requestKey).min(1).max(20_000).readonly(), until: z.number().nullable() })],
    done,
  ),
} as const;

export const inboxPushes = {
  /** What is snoozed in the window's workspace has changed, in this window or another one. */
  'inbox.changed': snoozed,
} as const;
