/**
 * The page's access to other processes: the only object that the preload exposes to the page, as `window.bridge`.
 */
import type { RpcReply } from './rpc.ts';

/** The connection to the main process. */
export interface MainBridge {
  /** Calls a function of `mainContract` in main, which validates the name and the arguments. */
  call(name: string, args: unknown): Promise<RpcReply>;
  /** Subscribes to push messages from main. Returns a function that unsubscribes. */
  onPush(listener: (message: unknown) => void): () => void;
}

/** The complete `window.bridge` object. */
export interface Bridge extends MainBridge {
  /** Returns the absolute path of a `File` that the user dropped or chose; empty for one created by a script. */
  pathOfFile(file: unknown): string;
}
