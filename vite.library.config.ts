/**
 * The engine for other programs, built like the program's Node part. Packages are bundled here too: reading them file by
 * file makes an import take three times as long.
 */
import { defineConfig } from 'vite';
import nodeConfig from './vite.node.config.ts';

export default defineConfig({
  ...nodeConfig,
  build: {
    ...nodeConfig.build,
    outDir: 'out/library',
    rolldownOptions: {
      ...nodeConfig.build?.rolldownOptions,
      input: { millrace: 'engine/library.ts' },
      // What chunks share with the entry goes into a chunk of its own, not into the library's exports.
      preserveEntrySignatures: 'strict',
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
