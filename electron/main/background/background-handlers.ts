/**
 * Handles a page's calls about the service for triggers: whether the program keeps it running, and whether systemd starts
 * that of the window's workspace with the user's session. The latter is the command line's `serve install`.
 */
import type { SessionService } from '../../ipc/contracts/background-contract.ts';
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import { EngineError } from '../../ipc/engine-base.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import { type AskConsent, shown } from '../consent/consent.ts';
import { text } from '../consent/text.ts';
import type { AppWindow } from '../windows/app-window.ts';
import type { Background, RunServe } from './background.ts';

type BackgroundCall = 'background.read' | 'background.set' | 'background.readSession' | 'background.setSession';

/** Creates the handlers of a window. */
export function backgroundHandlers(
  { content }: Pick<AppWindow, 'content'>,
  consent: AskConsent,
  background: Pick<Background, 'runServe' | 'set' | 'state'>,
): Pick<RpcHandlers<typeof mainContract>, BackgroundCall> {
  const run: RunServe | undefined = background.runServe;
  const words = () => text().session;
  const read = async (workspace: string | null): Promise<SessionService> => {
    if (run === undefined) return { state: 'unavailable', reason: words().onlyLinux };
    if (workspace === null) return { state: 'unavailable', reason: words().noWorkspace };
    const { code, out, error } = await run('status', workspace);
    if (code === 0) return { state: 'on', workspace };
    // A service that is not installed is reported on stdout.
    return out === '' ? { state: 'unavailable', reason: error } : { state: 'off', workspace };
  };
  return {
    'background.read': () => background.state,
    'background.set': ({ isOn }) => background.set(isOn),
    'background.readSession': () => read(content.workspace),
    async 'background.setSession'({ isOn }) {
      const { workspace } = content;
      if (run === undefined || workspace === null) return await read(workspace);
      const { message, detail, allow } = words();
      const question = { message, detail: `${shown(workspace)}\n\n${detail}`, allow };
      if (isOn && !(await consent(question))) return await read(workspace);
      const { code, error } = await run(isOn ? 'install' : 'uninstall', workspace);
      if (code !== 0) throw new EngineError({ code: 'serve.no-systemd', message: error });
      return await read(workspace);
    },
  };
}
