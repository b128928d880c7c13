/**
 * The text of the shared parts of the window, and the short texts for states, times, sizes and costs.
 */
import { type Counted, inLanguage, type Labeled, numberText, plural } from './language.ts';

/** A number that is already formatted. */
interface Value {
  readonly value: string;
}

export const text = inLanguage('ui', {
  close: 'Close',
  closeKey: 'Esc',
  copied: 'Copied',
  tryAgain: 'Try again',
  drawFailed: ({ subject }: { readonly subject: string }) => `${subject} could not be displayed`,
  toasts: {
    message: 'Message',
    /** Radix replaces the key. */
    list: 'Notifications ({hotkey})',
    dismiss: 'Dismiss',
  },
  decision: {
    approve: 'Approve',
    approveAll: 'Approve all',
    approveSome: ({ scope }: { readonly scope: string }) => `Approve ${scope}`,
    reject: 'Reject',
    rejectAll: 'Reject all',
    rejectSome: ({ scope }: { readonly scope: string }) => `Reject ${scope}`,
    labelOf: ({ label, subject }: Labeled & { readonly subject: string }) => `${label}: ${subject}`,
    closed: 'The run waited for this answer when it was sent.',
    comment: 'Comment',
    commentOn: ({ subject }: { readonly subject: string }) => `Comment: ${subject}`,
  },
  states: {
    idle: 'not run',
    queued: 'queued',
    running: 'running',
    retrying: 'retrying',
    suspended: 'waiting for you',
    pausing: 'pausing',
    paused: 'paused',
    completed: 'completed',
    reused: 'reused',
    pinned: 'pinned',
    changed: 'output given',
    failed: 'failed',
    tolerated: 'failed, tolerated',
    skipped: 'skipped',
    cancelled: 'canceled',
    cancelling: 'canceling',
    disabled: 'disabled',
    invalid: 'invalid',
    interrupted: 'interrupted',
    stale: 'stale',
  },
  quantity: {
    milliseconds: ({ value }: Value) => `${value} ms`,
    seconds: ({ value }: Value) => `${value} s`,
    minutes: ({ minutes, seconds }: { readonly minutes: number; readonly seconds: string }) =>
      `${minutes} m ${seconds} s`,
    hours: ({ hours, minutes }: { readonly hours: number; readonly minutes: string }) => `${hours} h ${minutes} m`,
    days: ({ days, hours }: { readonly days: number; readonly hours: number }) => `${days} d ${hours} h`,
    bytes: ({ value }: Value) => `${value} B`,
    kilobytes: ({ value }: Value) => `${value} KB`,
    megabytes: ({ value }: Value) => `${value} MB`,
    thousands: ({ value }: Value) => `${value}k`,
    millions: ({ value }: Value) => `${value}M`,
    noPrice: 'price unknown',
    atLeast: ({ cost, count }: Counted & { readonly cost: string }) =>
      plural(count, {
        one: `at least ${cost}, 1 call unpriced`,
        other: `at least ${cost}, ${numberText(count)} calls unpriced`,
      }),
  },
  /** White space with a mark. */
  space: {
    kinds: {
      space: ({ count }: Counted) => plural(count, { one: 'a space', other: `${numberText(count)} spaces` }),
      tab: ({ count }: Counted) => plural(count, { one: 'a tab', other: `${numberText(count)} tabs` }),
      lineEnd: ({ count }: Counted) =>
        plural(count, { one: 'a line break', other: `${numberText(count)} line breaks` }),
      other: ({ count }: Counted) =>
        plural(count, { one: 'a special space', other: `${numberText(count)} characters of white space` }),
    },
    starts: ({ what }: { readonly what: string }) => `Starts with ${what}`,
    ends: ({ what }: { readonly what: string }) => `Ends with ${what}`,
    contains: ({ what }: { readonly what: string }) => `Contains ${what}`,
  },
});
