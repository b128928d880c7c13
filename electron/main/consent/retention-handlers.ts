/**
 * Handles a page's calls that set which runs and which copies of changed files are kept: asks the user before old ones
 * are deleted.
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
type AskedLimits = ArgsOf<(typeof mainRetention)['runs.setUndoLimits']>[0];
type FormerLimits = ResultOf<(typeof personContract)['readUndoLimits']>;

/** The dialogs show what the engine host counts and stores, because a page could show something else. */
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
    async 'runs.setUndoLimits'(limits) {
      const { workspace } = window.content;
      if (workspace === null) return { isDone: false };
      const former = await window.asPerson((person) => person.call('readUndoLimits'));
      const isLower = limits.megabytes < former.megabytes || limits.days < former.days;
      if (isLower && !(await consent(copiesQuestion(workspace, limits, former)))) return { isDone: false };
      if (workspace !== window.content.workspace) return { isDone: false };
      await window.asPerson((person) => person.call('setUndoLimits', limits));
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

const mebibyte = 1024 * 1024;

function copiesQuestion(workspace: string, { megabytes, days }: AskedLimits, former: FormerLimits): ConsentQuestion {
  const words = text().copies;
  const size = megabytes === former.megabytes ? [] : [words.size({ count: megabytes, former: former.megabytes })];
  const age = days === former.days ? [] : [words.age({ count: days, former: former.days })];
  const used = words.used({ count: Math.ceil(former.bytes / mebibyte) });
  return {
    message: words.message,
    detail: detailOf([[shown(workspace)], [...size, ...age], [`${used} ${words.warning}`]]),
    allow: words.allow,
  };
}
