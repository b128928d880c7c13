/** End-to-end tests of the packaged program. `npm run e2e` sets the environment they need. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  outputDir: '.cache/e2e-results',
  // One program at a time: they measure and share a display.
  workers: 1,
  timeout: 60_000,
  forbidOnly: true,
  use: { trace: 'retain-on-failure' },
});
