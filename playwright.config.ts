/** End-to-end tests of the packaged program. `npm run e2e` sets the environment they need. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  outputDir: '.cache/e2e-results',
  // One program at a time on each display: they share its focus and its clipboard.
  workers: process.env['MILLRACE_DISPLAYS']?.split(' ').length ?? 1,
  timeout: 120_000,
  // Nothing is measured here, so that a busy machine may take its time.
  expect: { timeout: 30_000 },
  forbidOnly: true,
  use: { trace: 'retain-on-failure' },
});
