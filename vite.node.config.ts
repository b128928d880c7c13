/** Main process, engine host and command line: one build, so that they share chunks. */
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

/** What stays outside: Electron itself, and the one native module. */
const external = ['electron', '@photostructure/sqlite'];

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, external },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'out',
    // Other builds write beside this one; tools/build.mjs empties the folders of each.
    emptyOutDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: {
        'main/main': 'electron/main/main.ts',
        'main/engine-host': 'electron/engine-host/host.ts',
        'node/cli': 'engine/cli/main.ts',
      },
      // The list of builtins comes from the Node that builds, which may lack what the Node that runs has.
      external: [...external, ...builtinModules, /^node:/],
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'node/chunks/[name]-[hash].js',
        banner: (chunk) => (chunk.name === 'node/cli' ? '#!/usr/bin/env node' : ''),
      },
    },
  },
});
