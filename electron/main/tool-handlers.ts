/**
 * Trying tools: main asks the person before one acts outside, and wherever a run would ask.
 */
import type { mainContract } from '../ipc/main-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';
import type { AppWindow } from './app-window.ts';
import { type Consent, toolQuestion } from './consent.ts';

type ToolHandlers = Pick<Handlers<typeof mainContract>, 'tools.try'>;

/** What a tool does comes from the host: a page could call it anything. */
export function toolHandlers(window: Pick<AppWindow, 'asPerson'>, consent: Consent): ToolHandlers {
  return {
    async 'tools.try'(trial) {
      // However long it takes: the tool's own time limit ends a call.
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
