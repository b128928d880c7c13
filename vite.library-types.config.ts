/**
 * Joins the declarations of the library in one file, without the types that no export uses. Other packages are included
 * too, except Zod: programs that define node types need its types.
 */
import { dts } from 'rolldown-plugin-dts';
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  // Vite would remove all types from them.
  oxc: false,
  // The compiler has written the declarations already.
  plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, oxc: true })],
  ssr: { noExternal: true, external: ['zod'] },
  build: {
    ssr: true,
    outDir: 'out/library',
    emptyOutDir: false,
    rolldownOptions: {
      input: { millrace: 'out/library/types/library.d.ts' },
      external: ['zod', /^node:/],
      output: { format: 'es', entryFileNames: '[name].d.ts' },
    },
  },
});
