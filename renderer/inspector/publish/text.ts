/**
 * The text of the tab that publishes a flow.
 */
import { inLanguage, type Named, numberText, plural } from '../../ui/language.ts';

interface Timed {
  readonly time: string;
}

export const text = inLanguage('inspector/publish', {
  published: 'Published',
  about: 'Programs need a key; people use the form page.',
  aboutOff: 'Publish the flow so that programs with a key, and people with its form page, can start it.',
  unpublish: {
    question: ({ count }: { readonly count: number }) =>
      plural(count, {
        one: 'Unpublish the flow? Calls are refused at once, and its key never works for this flow again.',
        other: `Unpublish the flow? Calls are refused at once, and its ${numberText(count)} keys never work for this flow again.`,
      }),
    do: 'Unpublish',
    keep: 'Cancel',
  },
  readOnly: 'Select the current version to publish the flow.',
  name: 'Name in the address',
  badName: 'Use up to 60 lowercase letters, digits and -.',
  changed: 'The flow, or something that it calls, has changed. Calls are refused until you confirm it.',
  confirm: 'Confirm…',
  notServed: 'No service is running, so calls get no answer.',
  starting: 'The service is starting.',
  keepRunning: 'Keep running in the background',
  address: 'Address',
  thisComputer: ({ host }: { readonly host: string }) => `${host}, this computer only`,
  copyAddress: 'Copy address',
  copyCurl: 'Copy as curl',
  copyOpenApi: 'Copy OpenAPI address',
  copied: 'Copied',
  form: 'Form page',
  copyForm: 'Copy address of the form page',
  openForm: 'Open in the browser',
  showsProgress: 'Show progress and outputs',
  needsKey: 'Needs a key',
  keys: {
    title: 'Keys',
    active: ({ active, all }: { readonly active: string; readonly all: string }) => `${active} of ${all} active`,
    none: 'No keys yet. A program needs one to call the flow.',
    used: ({ time }: Timed) => `used ${time}`,
    unused: 'never used',
    revokedAt: ({ time }: Timed) => `revoked ${time}`,
    revoke: ({ name }: Named) => `Revoke ${name}`,
    question: ({ name }: Named) => `Revoke "${name}"? Programs that use this key are refused at once.`,
    doRevoke: 'Revoke',
    keep: 'Cancel',
    add: 'New key…',
    note: 'A key is shown once and stored as a hash.',
    name: 'What the key is for',
    create: 'Create…',
    created: 'Copy the key now. It is not shown again.',
    copy: 'Copy key',
    done: 'Done',
  },
  limits: {
    title: 'Limits',
    runsAtOnce: 'Runs at once',
    perHour: 'An hour',
    bodyBytes: 'Body',
    megabytes: 'MB',
    bad: ({ most }: { readonly most: string }) => `Use a whole number from 1 to ${most}.`,
    apply: 'Change…',
  },
  calls: {
    title: 'Last calls',
    none: 'No calls yet.',
    run: ({ number }: { readonly number: string }) => `run ${number}`,
  },
});
