/**
 * Handles a page's calls about missing permissions: main asks the user in a system dialog for the permissions that the
 * engine reports as missing.
 */

import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import { needKey, type PermissionNeed } from '../../ipc/engine-base.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { type AskConsent, permissionQuestion } from './consent.ts';

/** The engine host provides the list of permissions, because a page could show one list and request another. */
export function permissionHandlers(
  window: Pick<AppWindow, 'asPerson' | 'content'>,
  consent: AskConsent,
): Pick<RpcHandlers<typeof mainContract>, 'permissions.allow' | 'permissions.grant'> {
  /** Asks the user for workspace permissions and grants them. @returns whether the user agreed */
  const granted = async (needs: readonly PermissionNeed[]): Promise<boolean> => {
    const { workspace } = window.content;
    if (workspace === null || needs.length === 0) return false;
    if (!(await consent(permissionQuestion(workspace, needs)))) return false;
    // By now the window may show another folder that the user was not asked about.
    if (workspace !== window.content.workspace) return false;
    await window.asPerson((person) => person.call('grantPermissions', needs));
    return true;
  };
  return {
    async 'permissions.grant'({ keys, start }) {
      const { missing } = await window.asPerson((person) => person.call('findPermissions', start));
      const needs = missing.map(({ need }) => need).filter((need) => keys.includes(needKey(need)));
      return { isDone: await granted(needs) };
    },
    async 'permissions.allow'({ runId, nodeId }) {
      const waiting = await window.asPerson((person) => person.call('waitingPermissions', runId));
      const needs = waiting.filter((one) => nodeId === undefined || one.nodeId === nodeId).flatMap((one) => one.needs);
      if (!(await granted(needs))) return { isDone: false };
      await window.asPerson((person) =>
        person.call('allowWaiting', { runId, needs, ...(nodeId === undefined ? {} : { nodeId }) }),
      );
      return { isDone: true };
    },
  };
}
