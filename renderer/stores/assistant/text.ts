/**
 * The text of requests to the assistant.
 */
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('stores/assistant', {
  canceled: 'Canceled.',
  /** Suggested messages. They name only what cannot contain a text of the file, which the model receives as data. */
  fix: {
    node: ({ id }: { readonly id: string }) => `Find out why \`${id}\` failed in the shown run, and fix it.`,
    nodeProblems: ({ id }: { readonly id: string }) => `Fix the problems of \`${id}\`.`,
    run: 'Find out why the shown run failed, and fix the flow.',
    problems: 'Fix the problems of this flow.',
    problem: ({ line, code }: { readonly line: number; readonly code: string }) =>
      `Fix the problem in line ${line} (${code}).`,
  },
  notOpened: "Couldn't open the proposal",
});
