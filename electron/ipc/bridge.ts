/**
 * The page's way out of itself: the one object that the preload puts into the page as `window.bridge`.
 */
import type { Reply } from './rpc.ts';
import { createLine, type Transport } from './transport.ts';

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

/** Makes the bridge a transport for `createClient(mainContract, …)` and `onPush(mainPushes, …)`; it lasts as long as the page. */
export function transportOverBridge(bridge: MainBridge): Transport {
  const line = createLine({
    // Only `createClient` posts here, and it posts calls.
    postMessage: (message) => void forward(message as { id: number; name: string; args: unknown }),
    close: () => undefined,
  });
  const forward = async ({ id, name, args }: { id: number; name: string; args: unknown }): Promise<void> => {
    line.deliver({ kind: 'reply', id, reply: await callMain(bridge, name, args) });
  };
  bridge.onPush(line.deliver);
  return line;
}

/** What cannot pass the context bridge is thrown in the call itself. */
async function callMain(bridge: MainBridge, name: string, args: unknown): Promise<Reply> {
  try {
    return await bridge.call(name, args);
  } catch (error) {
    const message = `The main process did not answer ${name}: ${error}`;
    return { ok: false, error: { code: 'rpc.disconnected', message } };
  }
}
