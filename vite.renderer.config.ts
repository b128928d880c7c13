/** The page. All it loads are files of its own folder, as its content security policy demands. */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { bundledPackages } from './tools/bundled-packages-plugin.ts';

const packages = bundledPackages('packages.json');

const bundling = {
  output: {
    // One letter beyond Latin-1 makes V8 hold and scan a script with two bytes a letter.
    charset: 'ascii' as const,
    codeSplitting: {
      groups: [
        // What says that the window cannot be loaded must not be loaded with it.
        { name: 'start', test: /renderer\/app\/window-failure\.ts$|vite\/preload-helper/, priority: 2 },
        { name: 'window', test: /renderer\/window\.tsx$/, priority: 1 },
      ],
    },
  },
};

/**
 * Writes a copy of the page for each other language: `index.LANGUAGE.html`, with the language on its root element. Main serves the copy,
 * so the page's scripts know the language from their first line.
 */
function pagesByLanguage(tags: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'pages-by-language',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      for (const [language, tag] of Object.entries(tags)) {
        const source = String(page.source).replace('<html lang="en">', `<html lang="${tag}">`);
        this.emitFile({ type: 'asset', fileName: `index.${language}.html`, source });
      }
    },
  };
}

export default defineConfig({
  root: 'renderer',
  base: './',
  publicDir: false,
  plugins: [react(), packages.build, pagesByLanguage({ de: 'de', pseudo: 'en-x-pseudo' })],
  worker: { format: 'es', plugins: () => [packages.workers], rolldownOptions: bundling },
  build: {
    target: 'chrome130',
    outDir: '../out/renderer',
    emptyOutDir: true,
    // Data URLs would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: bundling,
    // Monaco is one large chunk of its own, loaded when an editor opens.
    chunkSizeWarningLimit: 6_000,
  },
});
