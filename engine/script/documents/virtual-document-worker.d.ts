/** Made by `tools/lua-worker-plugin.ts`. */
declare module 'virtual:document-worker' {
  /** The program of a thread that works on a document, as one CommonJS text. */
  export const code: string;
}
