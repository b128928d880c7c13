/**
 * The module `virtual:lua-worker`: the program of the workers that run scripts, bundled into one text, and the WebAssembly
 * of Lua. As text it needs no file of its own beside the bundle, so it works from an archive and in tests alike.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const entry = path.join(root, 'engine/lua/vm/worker-main.ts');
const publicId = 'virtual:lua-worker';
const innerId = `\0${publicId}`;

async function bundleWorker(): Promise<Rolldown.OutputChunk> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root,
    publicDir: false,
    resolve: { alias: [{ find: /^yaml$/, replacement: path.join(root, 'node_modules/yaml/browser/index.js') }] },
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      write: false,
      target: 'node20',
      minify: true,
      rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunk = outputs.flatMap((one) => ('output' in one ? one.output : [])).find((one) => one.type === 'chunk');
  if (chunk === undefined) throw new Error(`Nothing came of ${entry}`);
  return chunk;
}

/** As base64. */
async function readWasm(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('wasmoon');
  return (await readFile(path.join(path.dirname(main), 'glue.wasm'))).toString('base64');
}

/** Offers the module to a build. */
export function luaWorker(): Plugin {
  return {
    name: 'lua-worker',
    resolveId(id) {
      return id === publicId ? innerId : undefined;
    },
    async load(id) {
      if (id !== innerId) return undefined;
      const [chunk, wasm] = await Promise.all([bundleWorker(), readWasm()]);
      for (const file of chunk.moduleIds) if (path.isAbsolute(file)) this.addWatchFile(file);
      return `export const code = ${JSON.stringify(chunk.code)};\nexport const wasm = ${JSON.stringify(wasm)};\n`;
    },
  };
}
