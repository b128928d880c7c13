/**
 * The command line program, apart from the rest of the Node part so that it starts fast: as CommonJS, because importing
 * one of Node's own modules from an ES module makes it load all that the module exports; and in few files, one for each
 * amount of work that a command needs.
 */
import { defineConfig } from 'vite';
import { quickStart } from './tools/quick-start-plugin.ts';
import nodeConfig from './vite.node.config.ts';

/** Parts of the engine that few runs use. */
const lateParts = [
  { name: 'json-path', test: /node_modules\/json-p3\// },
  { name: 'toml', test: /node_modules\/smol-toml\// },
  { name: 'full-yaml', test: /node_modules\/yaml\// },
  {
    name: 'pack-core',
    test: /node_modules\/semver\/|engine\/packs\/pack\/(?:packs-lock|pack-manifest|pack-version|declared-packs|install\/frozen-install)\.ts/,
  },
  {
    name: 'rerun-core',
    test: /engine\/host\/(?:rerun\/(?:rerun|earlier-results|reusable-|agent-reruns|node-plan|plan-up-to)|plans\/(?:simulate-|predict-|permission-plan|sure-acts))/,
  },
  { name: 'toml-edit', test: /engine\/world\/model\/toml-edit\.ts/ },
  { name: 'steps-core', test: /engine\/language\/steps\/(?:convert|lint|project|compile)-steps\.ts/ },
  { name: 'dialogue-core', test: /engine\/conversations\/(?:catalog|meaning|plans|session)\// },
  { name: 'team-core', test: /engine\/packs\/team\/team-(?:schema|file)\.ts/ },
  { name: 'edit-core', test: /engine\/language\/edit\// },
  { name: 'agent-core', test: /engine\/(?:language|runtime)\/agent\/(?!model-purpose)[^/]+$/ },
];

export default defineConfig({
  ...nodeConfig,
  plugins: [
    ...(nodeConfig.plugins ?? []),
    quickStart(
      'cli',
      lateParts.map(({ name }) => name),
    ),
  ],
  build: {
    ...nodeConfig.build,
    outDir: 'out/cli',
    rolldownOptions: {
      ...nodeConfig.build?.rolldownOptions,
      input: { cli: 'engine/cli/main.ts', program: 'engine/cli/program.ts' },
      output: {
        format: 'cjs',
        minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
        entryFileNames: '[name].cjs',
        chunkFileNames: 'chunks/[name]-[hash].cjs',
        banner: (chunk) => (chunk.name === 'cli' ? '#!/usr/bin/env node' : ''),
        codeSplitting: {
          groups: [
            ...lateParts.map((part) => ({ ...part, priority: 5, includeDependenciesRecursively: false })),
            // The former version of zod is used by SDKs only, which load late.
            { name: 'old-zod', test: /node_modules\/zod\/v3\//, priority: 6 },
            { name: 'zod', test: /node_modules\/zod\//, priority: 5 },
            { name: 'start', test: /engine\/packs\/pack\/pack-folders\.ts/, priority: 4 },
            {
              name: 'base',
              test: /engine\/base\/|engine\/language\/flow\/autonomy\.ts/,
              priority: 3,
            },
            { name: 'check', test: /engine\/isomorphic\.ts/, priority: 2 },
            { name: 'engine', test: /engine\/index\.ts/, priority: 1 },
          ],
        },
      },
    },
  },
});
