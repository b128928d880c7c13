/**
 * What a page may do with the person's own policy: open it outside of the window.
 */
import type { mainContract } from '../ipc/main-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';
import type { AppWindow } from './app-window.ts';

/**
 * A page only has the file created and opened; its text is the person's to write.
 * @param openPath resolves with why the system cannot open a file; empty = it can
 */
export function policyHandlers(
  window: Pick<AppWindow, 'asPerson'>,
  openPath: (path: string) => Promise<string>,
): Pick<Handlers<typeof mainContract>, 'policy.openPersonal'> {
  return {
    async 'policy.openPersonal'() {
      const { path, isNew } = await window.asPerson((person) => person.call('createPersonalPolicy'));
      return { path, isNew, isOpen: (await openPath(path)) === '' };
    },
  };
}
