/** Tests lie beside their sources; those of components get a document to draw on, and others that say so at their top. */
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
          // A document for each file costs half a second.
          environment: 'node',
          include: ['renderer/**/*.test.ts'],
          // Read by the test of their contrast; other styles mean nothing there.
          css: { include: [/(tokens|high-contrast)\.css/] },
        },
      },
      {
        plugins: [react()],
        test: { name: 'components', testTimeout, environment: 'happy-dom', include: ['renderer/**/*.test.tsx'] },
      },
    ],
  },
});
