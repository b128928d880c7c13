/**
 * What a page may do about missing permissions: have main ask the person, in a dialog of the system, for what the engine says is missing.
 */
import type { mainContract } from '../ipc/main-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';
import type { AppWindow } from './app-window.ts';
import { type Consent, permissionQuestion } from './consent.ts';

/** What is asked for comes from the host: a page could show one permission and ask for another. */
export function permissionHandlers(
  window: Pick<AppWindow, 'asPerson' | 'content'>,
  consent: Consent,
): Pick<Handlers<typeof mainContract>, 'permissions.allow'> {
  return {
    async 'permissions.allow'({ runId, nodeId }) {
      const { workspace } = window.content;
      const waiting = await window.asPerson((person) => person.call('waitingPermissions', runId));
      const needs = waiting.filter((one) => nodeId === undefined || one.nodeId === nodeId).flatMap((one) => one.needs);
      if (workspace === null || needs.length === 0) return { isDone: false };
      if (!(await consent(permissionQuestion(workspace, needs)))) return { isDone: false };
      // Meanwhile the window may show another folder, which nobody was asked about.
      if (workspace !== window.content.workspace) return { isDone: false };
      await window.asPerson((person) => person.call('grantPermissions', needs));
      await window.asPerson((person) =>
        person.call('allowWaiting', { runId, needs, ...(nodeId === undefined ? {} : { nodeId }) }),
      );
      return { isDone: true };
    },
  };
}
