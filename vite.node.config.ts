/**
 * Main process, engine host and the host of the command line: one build, so that they share chunks. As CommonJS and in few
 * files, which starts faster: an ES module that imports one of Node's own loads all that it exports, and each file of an archive
 * takes its time to be found.
 */
import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig } from 'vite';
import { bundledPackages } from './tools/bundled-packages-plugin.ts';
import { luaWorker } from './tools/lua-worker-plugin.ts';
import { slowModulesLate } from './tools/quick-start-plugin.ts';

/** What goes into this build, and into those that share its settings. */
const packages = bundledPackages('node/packages.json');

/** What stays outside: Electron itself, and the one native module. */
const external = ['electron', '@photostructure/sqlite'];

export default defineConfig({
  publicDir: false,
  plugins: [luaWorker(packages.note), packages.build, slowModulesLate()],
  resolve: {
    // For Node, the package names its CommonJS build, of which nothing can be left out.
    alias: [{ find: /^yaml$/, replacement: path.resolve(import.meta.dirname, 'node_modules/yaml/browser/index.js') }],
  },
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
        'main/cli-host': 'electron/cli-host/host.ts',
      },
      // The list of builtins comes from the Node that builds, which may lack what the Node that runs has.
      external: [...external, ...builtinModules, /^node:/],
      output: {
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: 'node/chunks/[name]-[hash].cjs',
        minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
        codeSplitting: {
          groups: [
            // Main and the engine host load these at their start. In one chunk with the engine, they would load all of it.
            { name: 'flows', test: /engine\/(workspace-flows|files\/flow-files)\.ts/, priority: 4 },
            { name: 'web', test: /engine\/world\/web\/web-fetch\.ts/, priority: 4 },
            {
              name: 'base',
              test: /electron\/ipc\/|engine\/base\/|engine\/packs\/pack\/pack-folders\.ts|node_modules\/semver\//,
              priority: 5,
            },
            { name: 'check', test: /engine\/isomorphic\.ts/, priority: 2 },
            { name: 'engine', test: /engine\/index\.ts/, priority: 1 },
          ],
        },
      },
    },
  },
});
