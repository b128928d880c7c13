/**
 * Runs in every page before its own scripts, sandboxed. Forwards, and decides nothing: main checks who calls what.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { Bridge } from '../ipc/bridge.ts';
import { callChannel, enginePortChannel, enginePortMessage, pushChannel } from '../ipc/channels.ts';

const bridge: Bridge = {
  call: (name, args) => ipcRenderer.invoke(callChannel, { name, args }),
  onPush(listener) {
    const forward = (_event: unknown, message: unknown): void => listener(message);
    ipcRenderer.on(pushChannel, forward);
    return () => ipcRenderer.off(pushChannel, forward);
  },
  pathOfFile: (file) => (file instanceof File ? webUtils.getPathForFile(file) : ''),
};

contextBridge.exposeInMainWorld('bridge', bridge);

// A port cannot pass the context bridge; only a window message carries it into the page's world.
ipcRenderer.on(enginePortChannel, (event) => {
  window.postMessage({ type: enginePortMessage }, location.origin, event.ports);
});
