/**
 * The page's way out of itself: the one object that the preload puts into the page as `window.bridge`.
 */
import type { Reply } from './rpc.ts';

/** The way to the main process. */
export interface MainBridge {
  /** Asks main by a name of `mainContract`; main checks it and the list of arguments. */
  call(name: string, args: unknown): Promise<Reply>;
  /** Push messages from main. Returns the subscription's end. */
  onPush(listener: (message: unknown) => void): () => void;
}

/** All of that object. */
export interface Bridge extends MainBridge {
  /** Where a `File` lies that the person dropped or chose, absolute; empty for one that a script has made. */
  pathOfFile(file: unknown): string;
}
