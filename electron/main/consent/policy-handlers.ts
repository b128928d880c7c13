/**
 * Handles a page's calls about the user's personal policy, which is opened outside the window.
 */
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';

/**
 * A page can have the file created and opened, but cannot set its content.
 * @param openPath resolves to the reason the system cannot open a file; empty on success
 */
export function policyHandlers(
  window: Pick<AppWindow, 'asPerson'>,
  openPath: (path: string) => Promise<string>,
): Pick<RpcHandlers<typeof mainContract>, 'policy.openPersonal'> {
  return {
    async 'policy.openPersonal'() {
      const { path, isNew } = await window.asPerson((person) => person.call('createPersonalPolicy'));
      return { path, isNew, isOpen: (await openPath(path)) === '' };
    },
  };
}
