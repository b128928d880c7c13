/**
 * Handles a page's calls about files written by runs: asks the user whether to accept a file.
 */
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { type AskConsent, writtenQuestion } from './consent.ts';

/** The dialog shows the change as reported by the engine, because a page could show another one. */
export function writtenHandlers(
  window: Pick<AppWindow, 'asPerson'>,
  consent: AskConsent,
): Pick<RpcHandlers<typeof mainContract>, 'written.accept'> {
  return {
    async 'written.accept'({ path }) {
      const files = await window.asPerson((person) => person.call('listWritten'));
      const found = files.find((file) => file.path === path);
      if (found === undefined) return { isDone: false };
      const { text, changes, decides } = found;
      if (!(await consent(writtenQuestion({ path, changes, ...(decides === undefined ? {} : { decides }) }))))
        return { isDone: false };
      return { isDone: await window.asPerson((person) => person.call('acceptWritten', { path, text })) };
    },
  };
}
