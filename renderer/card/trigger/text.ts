/**
 * The text of triggers: on their cards, in lists and in the status bar.
 */
import { type Counted, inLanguage, type Named, numberText, plural } from '../../ui/language.ts';

interface Timed {
  readonly time: string;
}
interface Located {
  readonly place: string;
}

export const text = inLanguage('card/trigger', {
  kinds: { schedule: 'schedule', files: 'files', webhook: 'webhook', after: 'after a flow' },
  /** Chips are in braces. */
  sentence: {
    everySeconds: ({ count }: Counted) => plural(count, { one: 'Every second', other: `Every ${count} seconds` }),
    everyMinutes: ({ count }: Counted) => plural(count, { one: 'Every minute', other: `Every ${count} minutes` }),
    everyHours: ({ count }: Counted) => plural(count, { one: 'Every hour', other: `Every ${count} hours` }),
    everyDays: ({ count }: Counted) =>
      plural(count, { one: 'Once a day, at midnight UTC', other: `Every ${count} days` }),
    daily: ({ time, place }: Timed & Located) => `Every day at ${time}, ${place}`,
    weekly: ({ days, time, place }: Timed & Located & { readonly days: string }) => `${days} at ${time}, ${place}`,
    range: ({ first, last }: { readonly first: string; readonly last: string }) => `${first} to ${last}`,
    cron: ({ place }: Located) => `At {cron}, ${place}`,
    files: {
      created: 'New files in {glob}',
      changed: 'Changed files in {glob}',
      deleted: 'Deleted files in {glob}',
      several: 'New and changed files in {glob}',
      all: 'All changes of files in {glob}',
    },
    quiet: ({ time }: Timed) => `, after ${time} of quiet`,
    together: ', together',
    signed: ({ name }: Named) => `{method} /{path}, signed like ${name}`,
    secret: '{method} /{path}, with a secret',
    unprotected: '{method} /{path}, open to anyone',
    after: {
      completed: ({ name }: Named) => `After ${name} completes`,
      failed: ({ name }: Named) => `After ${name} fails`,
      cancelled: ({ name }: Named) => `After ${name} is canceled`,
      several: ({ name }: Named) => `After ${name} ends`,
    },
    none: 'Does not wait for anything yet',
  },
  footer: {
    off: 'off in this workspace',
    notSaved: 'not saved yet',
    changed: 'flow changed',
    confirm: 'Confirm',
    confirmLong: ({ name }: Named) => `Confirm the trigger ${name}`,
    next: ({ time }: Timed) => `next ${time}`,
    never: 'never due',
    ran: ({ time, number }: Timed & { readonly number: string }) => `${time}, run ${number}`,
    fired: ({ time }: Timed) => time,
    waiting: 'nothing yet',
    today: ({ count }: { readonly count: string }) => `${count} today`,
    refused: ({ count }: { readonly count: string }) => `${count} refused`,
    unusable: 'cannot be on',
    untrusted: 'not trusted',
    trust: 'Trust this workspace…',
  },
  needsTrust: "Triggers work only in a workspace that you trust, and you don't trust this one.",
  more: ({ count }: Counted) => `${numberText(count)}+`,
  openFile: ({ file }: { readonly file: string }) => `Open ${file}`,
  add: 'Trigger',
  addLabel: 'Add a trigger',
  isOn: ({ name }: Named) => `Trigger ${name} is on`,
  spoken: ({ name, kind, sentence, state }: Named & Record<'kind' | 'sentence' | 'state', string>) =>
    `Trigger ${name}, ${kind}. ${sentence}. ${state}`,
  on: 'On',
  list: 'Triggers',
  states: { on: 'on', off: 'off', changed: 'to confirm' },
  status: {
    on: ({ count }: Counted) => plural(count, { one: '1 trigger on', other: `${numberText(count)} triggers on` }),
    confirm: ({ count }: Counted) =>
      plural(count, { one: '1 trigger to confirm', other: `${numberText(count)} triggers to confirm` }),
    next: ({ name, time }: Named & Timed) => `next: ${name}, ${time}`,
  },
});
