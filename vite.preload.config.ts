/** The preload script. A sandboxed preload must be CommonJS. */
import { defineConfig } from 'vite';
import { bundledPackages } from './tools/bundled-packages-plugin.ts';

export default defineConfig({
  publicDir: false,
  plugins: [bundledPackages('packages.json').build],
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'out/preload',
    rolldownOptions: {
      input: 'electron/preload/preload.ts',
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: 'preload.cjs' },
    },
  },
});
