/**
 * Handles a page's calls to try tools. Main asks the user before a tool has effects, and wherever a run would ask.
 */
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { type AskConsent, toolQuestion } from './consent.ts';

type ToolHandlers = Pick<RpcHandlers<typeof mainContract>, 'tools.try'>;

/** A tool's effects are read from the host, because a page could claim anything. */
export function toolHandlers(window: Pick<AppWindow, 'asPerson'>, consent: AskConsent): ToolHandlers {
  return {
    async 'tools.try'(trial) {
      // Waits without a limit, because the tool's own timeout ends a call.
      const tools = await window.asPerson((person) => person.call('listTools'), null);
      const { kind, effects } = tools.find(({ name }) => name === trial.tool) ?? {};
      if (kind === 'core' && effects === 'idempotent') {
        const result = await window.asPerson((person) => person.call('tryTool', trial), null);
        const asks = result.status === 'error' && result.metadata['code'] === 'ask.unavailable';
        if (!asks) return { result };
      }
      if (!(await consent(toolQuestion(trial.tool, trial.params)))) return { result: null };
      return { result: await window.asPerson((person) => person.call('tryTool', { ...trial, isAgreed: true }), null) };
    },
  };
}
