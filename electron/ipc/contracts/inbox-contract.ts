/**
 * Calls about requests that wait for the user in the workspaces of all windows. Part of `main-contract.ts`. Windows
 * read the requests from their engines. Main counts them, sends notifications while no window is focused, and stores
 * which requests are snoozed.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';
import { runId } from '../run-summary.ts';

const done = z.void();

/** Key of a request. Unique in the workspace, and unchanged while the request waits. */
const requestKey = z.string().min(1).max(20_000);

/** Times in epoch milliseconds, by request key. */
const snoozed = z.object({ snoozed: z.record(requestKey, z.number()) });

/** The place where a run waits for the user. */
export const waitingPlace = z.object({
  /** Path of the flow or agent, relative to the workspace. */
  path: z.string().min(1).max(4096),
  kind: z.enum(['flow', 'agent']),
  runId,
  /** Full name of the node; empty if the run itself waits. */
  nodeId: z.string().max(10_000),
});

const waitingRequest = z.strictObject({
  key: requestKey,
  /** Who requests what. Flows provide this text, so it can contain anything. */
  title: z.string().max(300),
  text: z.string().max(1000),
  /** Name of the run's flow or agent. */
  run: z.string().max(300),
  /** Start of the wait, in epoch milliseconds. */
  since: z.number(),
  deadlineAt: z.exactOptional(z.number()),
  place: waitingPlace,
});

export type InboxRequest = z.output<typeof waitingRequest>;

const toldRun = z.strictObject({
  runId,
  /** Number of its last event, because a run can wait several times. */
  seq: z.int().nonnegative(),
  /** Name of its flow or agent, and its path relative to the workspace. */
  name: z.string().max(300),
  path: z.string().max(4096),
  how: z.enum(['completed', 'failed', 'paused']),
  /** Milliseconds that it has worked, without waiting for people. */
  workedMs: z.number().nonnegative(),
});

export type ToldRun = z.output<typeof toldRun>;

/** A folder that another window shows, and its most urgent request. */
const otherWorkspace = z.object({
  /** Absolute path with symbolic links resolved. */
  folder: z.string(),
  name: z.string(),
  /** Number of all open requests in the folder. */
  count: z.number(),
  requests: z.array(waitingRequest.omit({ place: true })).readonly(),
});

const others = z.object({ workspaces: z.array(otherWorkspace).readonly() });

export type OtherWorkspace = z.output<typeof otherWorkspace>;

/** All calls fail with `workspace.not-open` if the window has no workspace. */
export const inboxContract = {
  /**
   * Reports all open requests in the window's workspace that are not snoozed. While no window is focused, each one is
   * shown once as a system notification.
   */
  'inbox.tell': call([z.strictObject({ requests: z.array(waitingRequest).max(20_000).readonly() })], done),
  /**
   * Reports a run of the window's workspace that has just ended, or waits without an open request. While no window is
   * focused, a long one is shown once as a system notification.
   */
  'inbox.tellRun': call([toldRun], done),
  'inbox.snoozed': call([], snoozed),
  /** Snoozes requests until a time in epoch milliseconds; null ends the snooze. */
  'inbox.snooze': call(
    [z.strictObject({ keys: z.array(requestKey).min(1).max(20_000).readonly(), until: z.number().nullable() })],
    done,
  ),
  /**
   * Lists requests in the workspaces of other windows, for display only: a page cannot answer for another workspace.
   */
  'inbox.others': call([], others),
  /**
   * Focuses the window of another workspace, where the user can answer the request. `isOpen` is false if the request is
   * no longer open.
   */
  'inbox.openOther': call(
    [z.strictObject({ folder: z.string().min(1).max(4096), key: requestKey })],
    z.object({ isOpen: z.boolean() }),
  ),
} as const;

export const inboxPushes = {
  /** The workspace's snoozed requests have changed, in this window or another one. */
  'inbox.changed': snoozed,
  /** The requests in the workspaces of other windows have changed. */
  'inbox.othersChanged': others,
} as const;
