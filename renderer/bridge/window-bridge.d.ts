/** The object that the preload script adds to the page. */
import type { Bridge } from '../../electron/ipc/bridge.ts';

declare global {
  interface Window {
    readonly bridge: Bridge;
  }
}
