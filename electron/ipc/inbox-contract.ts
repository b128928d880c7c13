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
  /** Name of the run's flow or agent. */
  run: z.string().max(300),
  /** Epoch milliseconds. */
  since: z.number(),
  deadlineAt: z.exactOptional(z.number()),
  place: waitingPlace,
});

export type ToldRequest = z.output<typeof waitingRequest>;

/** A folder that another window shows, and the most urgent of what waits in it. */
const otherWorkspace = z.object({
  /** Its real path, absolute. */
  folder: z.string(),
  name: z.string(),
  /** Of all that waits there. */
  count: z.number(),
  requests: z.array(waitingRequest.omit({ place: true })).readonly(),
});

const others = z.object({ workspaces: z.array(otherWorkspace).readonly() });

export type OtherWorkspace = z.output<typeof otherWorkspace>;

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
  /** What waits in the workspaces of other windows. To be seen only: no page answers for another workspace than its own. */
  'inbox.others': call([], others),
  /** Brings the window of another workspace to the front, where the person answers. False = it waits there no more. */
  'inbox.openOther': call(
    [z.strictObject({ folder: z.string().min(1).max(4096), key: requestKey })],
    z.object({ isOpen: z.boolean() }),
  ),
} as const;

export const inboxPushes = {
  /** What is snoozed in the window's workspace has changed, in this window or another one. */
  'inbox.changed': snoozed,
  /** Something else waits in the workspaces of other windows. */
  'inbox.othersChanged': others,
} as const;
