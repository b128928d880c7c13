/**
 * Handles a page's call that sets which runs are kept: asks the user before old runs are deleted automatically.
 */

import type { mainRetention } from '../../ipc/contracts/history-contract.ts';
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { personContract } from '../../ipc/contracts/person-contract.ts';
import type { ArgsOf, ResultOf, RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { type AskConsent, type ConsentQuestion, shown } from './consent.ts';
import { text } from './text.ts';
import { detailOf } from './trigger-handlers.ts';

type AskedRule = ArgsOf<(typeof mainRetention)['runs.setRetention']>[0];
type SelectedRuns = ResultOf<(typeof personContract)['countOldRuns']>;

/** The dialog shows what the engine host counts, because a page could show something else. */
export function retentionHandlers(
  window: Pick<AppWindow, 'asPerson' | 'content'>,
  consent: AskConsent,
): Pick<RpcHandlers<typeof mainContract>, keyof typeof mainRetention> {
  return {
    async 'runs.setRetention'(rule) {
      const { workspace } = window.content;
      if (workspace === null) return { isDone: false };
      if (Object.keys(rule).length > 0) {
        const selected = await window.asPerson((person) => person.call('countOldRuns', rule));
        if (!(await consent(oldRunsQuestion(workspace, rule, selected)))) return { isDone: false };
      }
      // By now the window may show another folder that the user was not asked about.
      if (workspace !== window.content.workspace) return { isDone: false };
      await window.asPerson((person) => person.call('setRetention', rule));
      return { isDone: true };
    },
  };
}

function oldRunsQuestion(
  workspace: string,
  { olderThanDays, keepPerFlow }: AskedRule,
  { runs, oldestAt }: SelectedRuns,
): ConsentQuestion {
  const words = text().oldRuns;
  const age = olderThanDays === undefined ? [] : [words.age({ count: olderThanDays })];
  const number = keepPerFlow === undefined ? [] : [words.number({ count: keepPerFlow })];
  const { format } = new Intl.DateTimeFormat(text().trigger.locale, { dateStyle: 'long' });
  const now = oldestAt === undefined ? words.none : words.now({ count: runs, date: format(oldestAt) });
  return {
    message: words.message,
    detail: detailOf([[shown(workspace)], [...age, ...number], [`${now} ${words.warning}`]]),
    allow: words.allow,
  };
}
