/**
 * Handles nodes that wait for permissions. An answer cannot grant a permission. These nodes continue once their
 * permissions have been granted.
 */

import { needKey, type PermissionNeed } from '../../base/consent.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { permissionOf } from '../../runtime/kernel/requests/ask-request.ts';
import { isAsked, systemUser } from '../executor/decide-answer.ts';
import { type WaitingAsk, wholeRequest } from '../executor/run-answers.ts';

/** A node that waits for permissions. */
export interface WaitingPermission {
  /** Full name of the node. */
  readonly nodeId: string;
  readonly needs: readonly PermissionNeed[];
}

/** Returns the nodes that wait for permissions. */
export function permissionsAmong(waiting: readonly WaitingAsk[]): readonly WaitingPermission[] {
  return waiting.flatMap(({ name, request }) => {
    const needs = request === undefined ? undefined : permissionOf(request);
    return needs === undefined ? [] : [{ nodeId: name, needs }];
  });
}

/** Permissions that a person has granted for a run's waiting nodes. */
export interface AllowWaiting {
  readonly runId: RunId;
  /** Full name of the node; if absent, every node of the run that waits for no other permissions. */
  readonly nodeId?: string;
  readonly needs: readonly PermissionNeed[];
}

/**
 * Claims the answers to requests that need only these permissions.
 * @param taking `now` in epoch milliseconds; `takesOver`: whether to take over the run if no process owns it
 * @returns whether the run was taken over
 * @throws EngineError `run.invalid-state` if there is no such request or it was already answered
 */
export function claimAllowed(
  store: RunStore,
  { runId, nodeId, needs }: AllowWaiting,
  { now, takesOver }: { readonly now: number; readonly takesOver: boolean },
): boolean {
  const given = new Set(needs.map(needKey));
  const rows = store.waiting.ofRun(runId, { name: nodeId }).filter(isAsked);
  const open = rows.filter(({ asked, isAnswered }) => {
    const wanted = permissionOf(wholeRequest(store, asked.request));
    return !isAnswered && wanted?.every((need) => given.has(needKey(need))) === true;
  });
  if (open.length === 0) throw notWaitingForThese(runId);
  const user = systemUser();
  const by = user === undefined ? {} : { by: user };
  let isOwn = false;
  for (const { name, asked } of open) {
    const { key, requestHash } = asked;
    const answer = { name, key, requestHash, payload: { approved: true }, at: now, ...by };
    isOwn = store.claimAnswer(runId, answer, takesOver && !isOwn) || isOwn;
  }
  return isOwn;
}

function notWaitingForThese(runId: RunId): EngineError {
  const message = `No node of run ${runId} is waiting for these permissions alone. \`millrace resume ${runId}\` shows what waits.`;
  return new EngineError({ code: 'run.invalid-state', message });
}
