/**
 * Handles a page's calls that record calls of tests: asks the user first, because recording makes real calls.
 */
import type { mainEvaluation } from '../../ipc/contracts/evaluation-contract.ts';
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { personContract } from '../../ipc/contracts/person-contract.ts';
import type { ArgsOf, ResultOf, RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { type AskConsent, type ConsentQuestion, shown } from './consent.ts';
import { text } from './text.ts';
import { detailOf } from './trigger-handlers.ts';

type AskedRecording = ArgsOf<(typeof mainEvaluation)['tests.record']>[0];
type AskedEstimate = ResultOf<(typeof personContract)['estimateRecording']>;

/** The dialog shows what the engine host estimates, because a page could show something else. */
export function evaluationHandlers(
  window: Pick<AppWindow, 'asPerson' | 'content'>,
  consent: AskConsent,
): Pick<RpcHandlers<typeof mainContract>, keyof typeof mainEvaluation> {
  let current: AbortController | null = null;
  return {
    async 'tests.record'(request) {
      const { workspace } = window.content;
      if (workspace === null) return null;
      const estimate = await window.asPerson((person) => person.call('estimateRecording', request));
      if (!(await consent(recordingQuestion(workspace, request, estimate)))) return null;
      // By now the window may show another folder that the user was not asked about.
      if (workspace !== window.content.workspace) return null;
      const own = new AbortController();
      current?.abort();
      current = own;
      try {
        // Calls of models can take as long as the tests need.
        return await window.asPerson((person) => person.call('runTests', request, own.signal), null);
      } finally {
        if (current === own) current = null;
      }
    },
    'tests.stopRecording'() {
      current?.abort();
    },
  };
}

function recordingQuestion(workspace: string, asked: AskedRecording, { cases: count, usd }: AskedEstimate) {
  const { record, cases, model, version } = asked;
  const words = text().recording;
  const [only] = cases?.length === 1 ? cases : [];
  const subject = only === undefined ? [] : [words.only({ name: shown(only.name), file: shown(only.file) })];
  const scope = record === 'all' ? words.all({ count }) : words.missing({ count });
  const tested = [model === undefined ? words.ownModels : words.model({ name: shown(model) }), versionText(version)];
  const cost =
    usd === undefined
      ? words.unknownCost
      : record === 'missing'
        ? words.mostCost({ high: dollars(usd.high) })
        : words.cost({ low: dollars(usd.low), high: dollars(usd.high) });
  return {
    message: words.message,
    detail: detailOf([[shown(workspace)], subject, [scope, ...tested, cost], [words.warning]]),
    allow: words.allow,
  } satisfies ConsentQuestion;
}

function versionText(version: string | undefined): string {
  const words = text().recording;
  if (version === undefined) return words.currentVersion;
  const [, number] = /^run:(\d+)$/.exec(version) ?? [];
  return number === undefined ? words.version({ name: shown(version) }) : words.run({ number });
}

/** Small amounts are shown with as many digits as they need. */
function dollars(amount: number): string {
  const { format } = new Intl.NumberFormat(text().trigger.locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: amount > 0 && amount < 0.1 ? 4 : 2,
  });
  return format(amount);
}
