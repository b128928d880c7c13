/**
 * Tests lie beside their sources. Files that run in one process share its modules and, in the page's tests, its document:
 * loading both anew for each file would take longer than the tests themselves. So a file leaves nothing behind that
 * another one could see, which `leave-nothing-behind.ts` checks. Those that replace modules (`vi.mock`) get a process and
 * modules of their own: they are named `*.isolated.test.ts`.
 */
import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { luaWorker } from './tools/lua-worker-plugin.ts';

const shared = {
  // Tests ask what comes out, not when: on a busy machine, where workers and programs start slowly, the usual five seconds
  // fail what is right.
  testTimeout: 90_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 60_000 } },
  // Processes, not threads: tests of the engine send signals and start programs.
  pool: 'forks',
  isolate: false,
  setupFiles: ['engine/testing/leave-nothing-behind.ts', 'engine/testing/same-random-cases.ts'],
  unstubEnvs: true,
  unstubGlobals: true,
} satisfies TestProjectInlineConfiguration['test'];

const isolated = '**/*.isolated.test.ts';

const chromium =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [luaWorker()],
        test: {
          ...shared,
          name: 'node',
          environment: 'node',
          include: ['{engine,electron,tools,bench}/**/*.test.ts'],
          exclude: [isolated],
        },
      },
      {
        plugins: [luaWorker()],
        test: {
          ...shared,
          name: 'isolated',
          isolate: true,
          environment: 'node',
          include: [`{engine,electron,tools,bench}/${isolated}`],
        },
      },
      {
        plugins: [react()],
        test: {
          ...shared,
          name: 'page',
          environment: 'happy-dom',
          // As in the window: Monaco, loaded by a test or not, would else write to the clipboard at each click, as it has to in Safari.
          environmentOptions: { happyDOM: { settings: { navigator: { userAgent: chromium } } } },
          setupFiles: [
            ...shared.setupFiles,
            'renderer/app/testing/commit-hook.ts',
            'renderer/app/testing/without-owner-stacks.ts',
          ],
          include: ['renderer/**/*.test.{ts,tsx}'],
          // Read by the test of their contrast; other styles mean nothing there.
          css: { include: [/(tokens|high-contrast)\.css/] },
        },
      },
    ],
  },
});
