/** What the preload script puts into the page. */
import type { Bridge } from '../../electron/ipc/bridge.ts';

declare global {
  interface Window {
    readonly bridge: Bridge;
  }
}
