/**
 * The text of the settings for the history.
 */
import { type Counted, inLanguage, numberText, plural } from '../../ui/language.ts';

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
  bad: 'Enter a whole number from 1 to 1,000,000.',
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
});
