/**
 * The modules `virtual:lua-worker`, `virtual:document-worker` and `virtual:search-worker`: the programs of the threads that
 * run scripts, read documents and search files, each bundled into one text, and the WebAssembly of Lua. As text it needs no file of its own beside the
 * bundle, so it works from an archive and in tests alike.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const luaId = 'virtual:lua-worker';

/** By name of the module: where the program begins. */
const entries: ReadonlyMap<string, string> = new Map([
  [luaId, path.join(root, 'engine/lua/vm/worker-main.ts')],
  ['virtual:document-worker', path.join(root, 'engine/script/documents/document-worker.ts')],
  ['virtual:search-worker', path.join(root, 'engine/files/search-worker.ts')],
]);

async function bundleWorker(entry: string): Promise<Rolldown.OutputChunk> {
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

/** Offers the modules to a build. */
export function luaWorker(): Plugin {
  return {
    name: 'lua-worker',
    resolveId(id) {
      return entries.has(id) ? `\0${id}` : undefined;
    },
    async load(id) {
      const name = id.replace('\0', '');
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      const chunk = await bundleWorker(entry);
      for (const file of chunk.moduleIds) if (path.isAbsolute(file)) this.addWatchFile(file);
      const code = `export const code = ${JSON.stringify(chunk.code)};\n`;
      return name === luaId ? `${code}export const wasm = ${JSON.stringify(await readWasm())};\n` : code;
    },
  };
}
