/** The page. All it loads are files of its own folder, as its content security policy demands. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bundledPackages } from './tools/bundled-packages-plugin.ts';

const packages = bundledPackages('packages.json');

export default defineConfig({
  root: 'renderer',
  base: './',
  publicDir: false,
  plugins: [react(), packages.build],
  worker: { format: 'es', plugins: () => [packages.workers] },
  build: {
    target: 'chrome130',
    outDir: '../out/renderer',
    emptyOutDir: true,
    // Data URLs would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Monaco is one large chunk of its own, loaded when an editor opens.
    chunkSizeWarningLimit: 6_000,
  },
});
