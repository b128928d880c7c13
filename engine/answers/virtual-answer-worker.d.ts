/** Made by `tools/lua-worker-plugin.ts`. */
declare module 'virtual:answer-worker' {
  /** The program of a thread that reads and checks answers, as one CommonJS text. */
  export const code: string;
}
