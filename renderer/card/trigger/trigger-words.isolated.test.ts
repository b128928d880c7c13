import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  document.documentElement.lang = '';
  // Later tests in this process must not get modules in another language.
  vi.resetModules();
});

test('triggers are described in German', async () => {
  vi.resetModules();
  document.documentElement.lang = 'de';
  await import('../../german.ts');
  const { soonText, triggerText } = await import('./trigger-words.ts');
  const schedule = { cron: '30 7 * * 1-5', timezone: 'Europe/Berlin' };
  expect(triggerText({ id: 'a', schedule })).toBe('Montag bis Freitag um 07:30, Berlin');
  expect(triggerText({ id: 'a', schedule: { every: '15m' } })).toBe('Alle 15 Minuten');
  expect(triggerText({ id: 'a', files: { glob: 'a/*', on: ['created'] } })).toBe('Neue Dateien in a/*');
  expect(triggerText({ id: 'a', after: { flow: 'b.flow.yaml' } })).toBe('Nach Abschluss von b');
  const now = Date.parse('2026-11-28T12:00Z');
  expect(soonText(Date.parse('2026-11-30T06:30Z'), now, 'Europe/Berlin')).toBe('Mo 07:30');
});
