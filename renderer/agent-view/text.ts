/**
 * The text of an agent run and its inputs.
 */
import { inLanguage, numberText, plural } from '../ui/language.ts';

export const text = inLanguage('agent-view', {
  run: {
    label: 'Agent run',
    labelOfChild: ({ name }: { readonly name: string }) => `Run of ${name}`,
    backTo: ({ name }: { readonly name: string }) => `Back to ${name}`,
    skipped: ({ reason }: { readonly reason: string }) => `It skipped itself: ${reason}`,
    pinsOfRun: 'Run pins',
    pins: 'Pins',
    inputs: 'Inputs',
    ended: ({ count, total }: { readonly count: number; readonly total: number }) =>
      plural(total, {
        one: `${numberText(count)} of 1 input`,
        other: `${numberText(count)} of ${numberText(total)} inputs`,
      }),
    tokens: ({ count, amount }: { readonly count: number; readonly amount: string }) =>
      plural(count, { one: '1 token', other: `${amount} tokens` }),
  },
  input: {
    details: 'Input details',
    input: 'Input',
    output: 'Output',
    messages: 'Messages',
    log: 'Log',
    noEvents: 'No events.',
    request: 'Request',
    waiting: 'Waiting for an answer.',
    runAgain: 'Run this input again',
  },
});
