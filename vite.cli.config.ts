/**
 * The command line program, apart from the rest of the Node part so that it starts fast: as CommonJS, because importing
 * one of Node's own modules from an ES module makes it load all that the module exports; and in few files, one for each
 * amount of work that a command needs.
 */
import { defineConfig } from 'vite';
import nodeConfig from './vite.node.config.ts';

export default defineConfig({
  ...nodeConfig,
  build: {
    ...nodeConfig.build,
    outDir: 'out/cli',
    rolldownOptions: {
      ...nodeConfig.build?.rolldownOptions,
      input: { cli: 'engine/cli/main.ts' },
      output: {
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: 'chunks/[name]-[hash].cjs',
        banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
        codeSplitting: {
          groups: [
            { name: 'base', test: /engine\/base\//, priority: 3 },
            { name: 'check', test: /engine\/isomorphic\.ts/, priority: 2 },
            { name: 'engine', test: /engine\/index\.ts/, priority: 1 },
          ],
        },
      },
    },
  },
});
