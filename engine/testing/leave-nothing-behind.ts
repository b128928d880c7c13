/**
 * Detects leftovers that would affect the next test file in the same process. Set up for every file.
 */
import { afterAll, expect, vi } from 'vitest';
import './wait-patiently.ts';

// Tests use local servers, which a proxy could not reach.
for (const name of ['http_proxy', 'https_proxy']) {
  delete process.env[name];
  delete process.env[name.toUpperCase()];
}
const folder = process.cwd();
const environment = { ...process.env };

afterAll(() => {
  const page = Reflect.get(globalThis, 'document') as { body: { innerHTML: string } } | undefined;
  const left = {
    'fake timers': vi.isFakeTimers(),
    'another current folder': process.cwd() !== folder,
    'other environment variables': Object.keys({ ...environment, ...process.env }).filter(
      (name) => process.env[name] !== environment[name],
    ),
    'elements of the page': page?.body.innerHTML ?? '',
  };
  vi.useRealTimers();
  process.chdir(folder);
  if (page !== undefined) page.body.innerHTML = '';
  expect(left).toEqual({
    'fake timers': false,
    'another current folder': false,
    'other environment variables': [],
    'elements of the page': '',
  });
});
