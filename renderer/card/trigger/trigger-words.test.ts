import { expect, test } from 'vitest';
import type { TriggerDoc } from '../../../engine/isomorphic.ts';
import type { ListedFiring, ListedTrigger } from '../../stores/workspace/triggers.ts';
import { scheduleOf, scheduleShape } from './schedule-shape.ts';
import { lockReason, soonText, triggerFooter, triggerText } from './trigger-words.ts';

const berlin = { timezone: 'Europe/Berlin' };
const cases: readonly (readonly [Omit<TriggerDoc, 'id'>, string])[] = [
  [{ schedule: { cron: '30 7 * * 1-5', ...berlin } }, 'Monday to Friday at 07:30, Berlin'],
  [{ schedule: { cron: '5 18 * * mon,thu', ...berlin } }, 'Monday and Thursday at 18:05, Berlin'],
  [{ schedule: { cron: '0 9 * * 7' } }, 'Sunday at 09:00, UTC'],
  [{ schedule: { cron: '0 9 * * 5-7' } }, 'Friday to Sunday at 09:00, UTC'],
  [{ schedule: { cron: '0 9 * * *', timezone: 'America/New_York' } }, 'Every day at 09:00, New York'],
  [{ schedule: { cron: '*/15 8-18 * * *', ...berlin } }, 'At */15 8-18 * * *, Berlin'],
  [{ schedule: { cron: '0 9 1 * *' } }, 'At 0 9 1 * *, UTC'],
  [{ schedule: { cron: '75 9 * * 1' } }, 'At 75 9 * * 1, UTC'],
  [{ schedule: { every: '15m' } }, 'Every 15 minutes'],
  [{ schedule: { every: '1h' } }, 'Every hour'],
  [{ files: { glob: 'inbox/*.eml', on: ['created'], debounce: '2s' } }, 'New files in inbox/*.eml, after 2 s of quiet'],
  [{ files: { glob: '*.csv', batch: true } }, 'New and changed files in *.csv, together'],
  [{ files: { glob: '*.csv', on: ['deleted', 'created'] } }, 'All changes of files in *.csv'],
  [
    { webhook: { path: 'shop-event', signature: { style: 'stripe', secret: '{{secret.SHOP}}' } } },
    'POST /shop-event, signed like Stripe',
  ],
  [{ webhook: { path: 'a/b', method: 'PUT', secret: '{{secret.A}}' } }, 'PUT /a/b, with a secret'],
  [{ webhook: { path: 'open' } }, 'POST /open, open to anyone'],
  [{ after: { flow: 'jobs/nightly-import.flow.yaml' } }, 'After nightly-import completes'],
  [{ after: { flow: 'a.flow.yaml', status: ['failed'] } }, 'After a fails'],
  [{ after: { flow: 'a.flow.yaml', status: ['failed', 'completed'] } }, 'After a ends'],
  [{}, 'Does not wait for anything yet'],
];

test.each(cases)('%o reads: %s', (doc, sentence) => {
  expect(triggerText({ id: 'a', ...doc }).replaceAll('\u00a0', ' ')).toBe(sentence);
});

test('a schedule that a form has read and written is the same schedule', () => {
  for (const cron of ['30 7 * * 1-5', '0 0 * * 2-4', '0 0 * * 1,3,0', '0 9 * * *', '*/15 8-18 * * *']) {
    const schedule = { cron, timezone: 'Europe/Berlin' };
    expect(scheduleOf(scheduleShape(schedule))).toEqual(schedule);
  }
  expect(scheduleOf(scheduleShape({ every: '90s' }))).toEqual({ every: '90s' });
});

const now = Date.parse('2026-11-28T12:00Z');
const schedule = { cron: '30 7 * * 1-5', timezone: 'Europe/Berlin' };
const doc: TriggerDoc = { id: 'a', schedule };
const on: ListedTrigger = {
  flow: 'f',
  trigger: 'a',
  doc,
  hash: 'h',
  state: 'on',
  dueAt: Date.parse('2026-11-30T06:30Z'),
};

function fired(at: string, more: Partial<ListedFiring> = {}): ListedFiring {
  return { id: 1, flow: 'f', trigger: 'a', key: at, priority: 0, createdAt: Date.parse(at), state: 'started', ...more };
}

function footer(entry: ListedTrigger | undefined, firings: readonly ListedFiring[] = []): string {
  const { left, right, tone } = triggerFooter({ doc: entry?.doc ?? doc, entry, firings, now, numberOf: () => 42 });
  return [left, right, tone].join(' | ');
}

test('only a trigger that is off is locked, and the reason is that of its problem', () => {
  expect(lockReason(undefined)).toBeUndefined();
  expect(lockReason({ ...on, state: 'off' })).toBeUndefined();
  expect(lockReason({ ...on, state: 'off', problem: 'The flow has problems.' })).toBe('The flow has problems.');
  expect(lockReason({ ...on, state: 'off', problem: 'x', needsTrust: true })).toContain("don't trust this one");
  expect(lockReason({ ...on, problem: 'The flow has problems.' })).toBeUndefined();
});

test('the footer of a card tells what is next, or what a person should look at', () => {
  const hook: ListedTrigger = { ...on, doc: { id: 'a', webhook: { path: 'x' } } };
  const last = fired('2026-11-28T11:59Z', { runId: 'r1' as NonNullable<ListedFiring['runId']> });
  const time = soonText(last.createdAt, now);
  expect(footer(undefined)).toBe('not saved yet |  | plain');
  expect(footer({ ...on, state: 'off' })).toBe('off in this workspace |  | plain');
  expect(footer({ ...on, state: 'changed' })).toBe('flow changed |  | attention');
  expect(footer({ ...on, problem: 'no' })).toBe('cannot be on |  | attention');
  expect(footer({ ...on, state: 'off', problem: 'no', needsTrust: true })).toBe('not trusted |  | plain');
  expect(footer(on)).toBe('next Mon 07:30 |  | plain');
  expect(footer(on, [last, fired('2026-11-27T06:30Z')])).toBe('next Mon 07:30 | 1 today | plain');
  expect(footer(hook)).toBe('nothing yet |  | plain');
  expect(footer(hook, [last])).toBe(`${time}, run 42 | 1 today | plain`);
  expect(footer(hook, [last, fired('2026-11-28T11:58Z', { state: 'refused' })])).toBe(
    `${time}, run 42 | 1 refused | attention`,
  );
});

test('a time is as short as it can be', () => {
  const at = (text: string): string => soonText(Date.parse(text), now, 'Europe/Berlin');
  expect(at('2026-11-28T22:30Z')).toBe('23:30');
  expect(at('2026-11-28T23:30Z')).toBe('Sun 00:30');
  expect(at('2026-12-24T17:00Z')).toBe('24 Dec, 18:00');
});
