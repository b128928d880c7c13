/** Made by `tools/lua-worker-plugin.ts`. */
declare module 'virtual:lua-worker' {
  /** The program of a worker, as one CommonJS text. */
  export const code: string;
  /** The WebAssembly of Lua, as base64. */
  export const wasm: string;
}
