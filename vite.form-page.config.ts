/** The form pages of published flows, which the HTTP service serves. A small page of its own: a browser loads it over a network. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bundledPackages } from './tools/bundled-packages-plugin.ts';

export default defineConfig({
  root: 'renderer/form-page',
  // Where the service offers the files, see engine/host/http/page-routes.ts.
  base: '/form-page/',
  publicDir: false,
  plugins: [react(), bundledPackages('packages.json').build],
  build: {
    target: ['chrome111', 'firefox114', 'safari16.4'],
    outDir: '../../out/form-page',
    assetsDir: '.',
    emptyOutDir: true,
    // Data URLs would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
