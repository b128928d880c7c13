/** Made by `tools/lua-worker-plugin.ts`. */
declare module 'virtual:js-worker' {
  /** The program of a worker, as one CommonJS text. */
  export const code: string;
  /** The WebAssembly of QuickJS, as base64. */
  export const wasm: string;
}
