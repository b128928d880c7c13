import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  document.documentElement.lang = '';
  // Later tests in this process must not get modules in another language.
  vi.resetModules();
});

async function load(): Promise<typeof import('./quantity-text.ts')> {
  vi.resetModules();
  document.documentElement.lang = 'de';
  await import('../german.ts');
  return await import('./quantity-text.ts');
}

test('a German window formats times, sizes and costs in German', async () => {
  const { byteText, costText, countText, durationText, elapsedText, fullDateTimeText, waitText } = await load();
  expect([240, 64_000, 7_500_000].map(durationText)).toEqual(['0,2 s', '1 min 04 s', '2 h 05 min']);
  expect([elapsedText(38_440), waitText(273_600_000)]).toEqual(['0:38,4', '3 T 4 h']);
  expect([byteText(2_300_000), countText(21_400)]).toEqual(['2,3 MB', '21,4 Tsd.']);
  expect([costText(0, 0), costText(0.018, 2)]).toEqual(['0\u00a0$', 'mindestens 0,018\u00a0$, 2 Aufrufe ohne Preis']);
  expect(fullDateTimeText(new Date(2026, 4, 20, 15, 7, 9).getTime())).toBe('20.05.2026, 15:07:09');
});
