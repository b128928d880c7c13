/**
 * Provides the modules `virtual:lua-worker`, `virtual:js-worker`, `virtual:document-worker`, `virtual:search-worker`
 * and `virtual:answer-worker`: the programs of the worker threads that run scripts, read documents, search files and
 * validate answers, each bundled into one text, and the WebAssembly of Lua and of QuickJS. As text they need no
 * separate files beside the bundle, so they work both from an archive and in tests.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const luaId = 'virtual:lua-worker';
const jsId = 'virtual:js-worker';

/** Entry file by module name. */
const entries: ReadonlyMap<string, string> = new Map([
  [luaId, path.join(root, 'engine/world/lua/vm/worker-main.ts')],
  [jsId, path.join(root, 'engine/world/js/worker-main.ts')],
  ['virtual:document-worker', path.join(root, 'engine/world/script/documents/document-worker.ts')],
  ['virtual:search-worker', path.join(root, 'engine/world/search/search-worker.ts')],
  ['virtual:answer-worker', path.join(root, 'engine/world/answers/answer-worker.ts')],
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
  if (chunk === undefined) throw new Error(`The build of ${entry} produced no output`);
  return chunk;
}

/**
 * Hash of the WebAssembly that `engine/world/lua/vm` supports. That code refers to Lua internals by number, so another build
 * of Lua might run but behave incorrectly.
 */
const luaWasmHash = '95f3f19ddb740125883bc41d5ec670cd0828e7b58c8bdad385323cbff497b55c';

/** @throws Error if the bytes are not the build that the engine supports */
export function checkLuaWasm(bytes: Uint8Array): void {
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash === luaWasmHash) return;
  throw new Error(
    `The Lua binary of the package "wasmoon" has changed: its SHA-256 is ${hash} instead of ${luaWasmHash}. Install the locked version (npm ci); after an intended update, run the tests of engine/world/lua with it and set luaWasmHash in tools/lua-worker-plugin.ts.`,
  );
}

/** Returns the file that contains Lua as WebAssembly. */
export function luaWasmFile(): string {
  return path.join(path.dirname(createRequire(import.meta.url).resolve('wasmoon')), 'glue.wasm');
}

/** Returns the file that contains QuickJS as WebAssembly. */
function jsWasmFile(): string {
  return createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
}

/** By module name: the WebAssembly of the program, and a function that verifies it. */
const machines: ReadonlyMap<string, { file(): string; check(bytes: Uint8Array): void }> = new Map([
  [luaId, { file: luaWasmFile, check: checkLuaWasm }],
  // Its program is in the same package, so the two match.
  [jsId, { file: jsWasmFile, check: () => undefined }],
]);

/**
 * Provides the modules to a build.
 * @param onModule called with each file included in one of these programs
 */
export function luaWorker(onModule: (file: string) => void = () => undefined): Plugin {
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
      for (const file of chunk.moduleIds) {
        onModule(file);
        if (path.isAbsolute(file)) this.addWatchFile(file);
      }
      const code = `export const code = ${JSON.stringify(chunk.code)};\n`;
      const machine = machines.get(name);
      if (machine === undefined) return code;
      const file = machine.file();
      onModule(file);
      const bytes = await readFile(file);
      machine.check(bytes);
      return `${code}export const wasm = ${JSON.stringify(bytes.toString('base64'))};\n`;
    },
  };
}
