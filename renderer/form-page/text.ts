/**
 * The text of form pages. Their readers may not know Millrace, so it uses none of its words.
 */
import { inLanguage, numberText, plural } from '../ui/language.ts';

interface Counted {
  readonly count: number;
}

interface Named {
  readonly name: string;
}

export const text = inLanguage('form-page', {
  loading: 'Loading…',
  failed: 'The form could not be loaded.',
  tryAgain: 'Try again',
  missing: {
    title: 'No form at this address',
    about: 'The link is wrong, or the form is no longer available. Ask the person who sent you the link.',
  },
  /** Why the service has refused a request, by its code. */
  refusals: {
    'http.unauthorized': 'You no longer have access to this form. Reload the page.',
    'http.not-found': 'This form is no longer available.',
    'flow.changed':
      'This form has changed. The person who published it has to confirm the change first. Try again later.',
    'flow.unavailable': 'This cannot start now. Try again later.',
    'http.too-many': 'Too many requests. Try again later.',
    'run.invalid-state': 'This answer is no longer needed.',
    'firing.limited': 'This was started too often in the last hour. Try again later.',
    'firing.blocked': 'Too many others have started this and are not done. Try again later.',
  } as Readonly<Record<string, string>>,
  expired: 'This link was used before or is older than a minute. Open the form again where you found the link.',
  key: {
    title: 'Key',
    about: 'You need a key for this form. Ask the person who sent you the link.',
    submit: 'Continue',
    wrong: 'This key does not open this form.',
  },
  form: {
    start: 'Start',
    starting: 'Starting…',
    optional: 'optional',
    yes: 'Yes',
    no: 'No',
    none: 'No value',
    choose: 'Choose…',
    list: 'One entry per line.',
    map: 'As JSON, for example { "name": "value" }.',
    missing: 'Enter a value.',
    missingChoice: 'Choose a value.',
    missingFile: 'Choose a file.',
    chooseFile: 'Drop a file here, or choose one',
    chooseFiles: 'Drop files here, or choose some',
    moreFiles: 'Drop more files here, or choose some',
    fileNote: ({ size }: { readonly size: string }) => `up to ${size}`,
    filesNote: ({ count, size }: Counted & { readonly size: string }) =>
      `up to ${numberText(count)} files, ${size} each`,
    uploading: ({ name }: Named) => `Uploading ${name}…`,
    uploadFirst: 'Wait until all files are uploaded.',
    uploadFailed: ({ name }: Named) => `${name} was not uploaded. Try again.`,
    fileTooLarge: ({ name, size }: Named & { readonly size: string }) => `${name} is larger than ${size}.`,
    fileType: ({ name, endings }: Named & { readonly endings: string }) => `${name} cannot be used. Choose ${endings}.`,
    tooManyFiles: ({ count }: Counted) => `Choose at most ${numberText(count)} files.`,
    removeFile: ({ name }: Named) => `Remove ${name}`,
    notNumber: 'Enter a number, for example 12.5.',
    notInteger: 'Enter a whole number, for example 12.',
    notJson: 'This is not valid JSON. Check quotes, commas and brackets.',
    notMap: 'Enter a JSON object: { … }.',
    notList: 'Enter a JSON list: [ … ].',
    problems: ({ count }: Counted) =>
      plural(count, {
        one: 'One field needs your attention.',
        other: `${numberText(count)} fields need your attention.`,
      }),
    rejected: 'The form was not accepted.',
    noConnection: 'The form was not sent: the server cannot be reached. Your entries are kept. Try again.',
  },
  run: {
    running: 'Running',
    queued: 'Waiting to start',
    startedAt: ({ time }: { readonly time: string }) =>
      `Started at ${time}. You can close this page; its address is valid for 7 days.`,
    steps: ({ done, total }: { readonly done: number; readonly total: number }) =>
      `${numberText(done)} of ${plural(total, { one: '1 step', other: `${numberText(total)} steps` })}`,
    items: ({ done, total }: { readonly done: number; readonly total: number }) =>
      `${numberText(done)} of ${numberText(total)}`,
    itemsDone: ({ count }: Counted) => `${numberText(count)} done`,
    writing: 'writing',
    waitsForYou: 'Your answer is needed',
    waitsForPerson: 'Waiting for a person',
    paused: 'Paused',
    pausedAbout: 'This continues as soon as a person lets it. You can close this page and come back later.',
    person: 'This continues as soon as a person has decided. You can close this page and come back later.',
    interrupted: 'Interrupted',
    interruptedAbout: 'The server was stopped. This continues when it runs again.',
    answer: 'Send answer',
    sending: 'Sending…',
    cancel: 'Cancel this run',
    canceling: 'Canceling…',
    cancelFailed: 'The request to cancel was not accepted. Try again.',
    lost: 'Connection lost. Trying again…',
    unknown: 'There is nothing at this address, or it is older than 7 days.',
  },
  done: {
    completed: 'Done',
    failed: 'This did not work',
    failedAbout: 'Something went wrong. You can try again.',
    canceled: 'Canceled',
    skipped: 'Nothing to do',
    took: ({ duration }: { readonly duration: string }) => `It took ${duration}.`,
    outputs: 'Result',
    empty: 'empty',
    again: 'Start again',
    tooLong: ({ count }: Counted) => `${numberText(count)} more rows are not shown.`,
  },
});
