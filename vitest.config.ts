/** Tests lie beside their sources; those of the page get a document to draw on. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { luaWorker } from './tools/lua-worker-plugin.ts';

/** Tests ask what comes out, not when: on a busy machine the usual five seconds fail what is right. */
const testTimeout = 30_000;

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [luaWorker()],
        test: {
          name: 'node',
          testTimeout,
          environment: 'node',
          include: ['{engine,electron,tools,bench}/**/*.test.ts'],
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'page',
          testTimeout,
          environment: 'happy-dom',
          include: ['renderer/**/*.test.{ts,tsx}'],
          // Read by the test of their contrast; other styles mean nothing there.
          css: { include: [/(tokens|high-contrast)\.css/] },
        },
      },
    ],
  },
});
