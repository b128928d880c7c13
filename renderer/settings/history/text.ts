/**
 * The text of the settings for the history.
 */
import { type Counted, decimalText, inLanguage, numberText, plural } from '../../ui/language.ts';

export const text = inLanguage('settings/history', {
  loading: 'Loading…',
  about:
    'Runs stay in the history of this workspace until you delete them. Millrace can also delete old runs automatically.',
  size: 'History',
  runs: ({ count, size }: Counted & { readonly size: string }) =>
    plural(count, { one: `1 run, ${size}`, other: `${numberText(count)} runs, ${size}` }),
  form: 'Automatic deletion',
  olderThanDays: 'Delete runs by age',
  olderThanDaysNote: 'Runs that ended more than this number of days ago.',
  olderThanDaysCount: 'Days',
  keepPerFlow: 'Delete runs by number',
  keepPerFlowNote: 'All but this number of the newest runs of each flow.',
  keepPerFlowCount: 'Runs of each flow',
  bad: ({ min, max }: { readonly min: number; readonly max: number }) =>
    `Enter a whole number from ${min} to ${numberText(max)}.`,
  keepsAll: 'All runs are kept.',
  selectsNone: 'Deletes no runs now.',
  selects: ({ count, date }: Counted & { readonly date: string }) =>
    plural(count, {
      one: `Deletes 1 run now, from ${date}.`,
      other: `Deletes ${numberText(count)} runs now, the oldest from ${date}.`,
    }),
  when: 'Old runs are deleted while no run is active. Runs that are interrupted or wait for a person are kept.',
  save: 'Save',
  unchanged: 'Nothing was changed.',
  copies: {
    title: 'Copies of changed files',
    about:
      'Before a run changes a file, Millrace copies it to {folder} in this workspace, so that you can undo the changes of the run.',
    used: 'Current size',
    size: ({ mebibytes }: { readonly mebibytes: number }) => `${decimalText(mebibytes, 1)} MiB`,
    small: ({ mebibytes }: { readonly mebibytes: number }) => `Less than ${decimalText(mebibytes, 1)} MiB`,
    megabytes: 'Maximum size in MiB',
    megabytesNote: 'The oldest copies are deleted first. With 0, changed files have no copies.',
    days: 'Maximum age in days',
    daysNote: 'Older copies are deleted, with the lists of changed files.',
    when: 'Copies of runs that have not ended are kept.',
  },
});
