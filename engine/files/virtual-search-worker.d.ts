/** Made by `tools/lua-worker-plugin.ts`. */
declare module 'virtual:search-worker' {
  /** The program of a thread that searches files, as one CommonJS text. */
  export const code: string;
}
