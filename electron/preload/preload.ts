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

// Main refuses other addresses. It is not asked before a page goes to an empty one, such as about:blank, or gives itself
// another address without loading it. This is the first listener, and one of a world that the page cannot reach.
window.navigation.addEventListener('navigate', (event) => {
  const { url, sameDocument } = event.destination;
  const isOther = withoutFragment(url) !== withoutFragment(location.href);
  if (url.startsWith('about:') || (sameDocument && isOther)) event.preventDefault();
});

function withoutFragment(url: string): string {
  return url.replace(/#.*/s, '');
}

// A port cannot pass the context bridge; only a window message carries it into the page's world.
ipcRenderer.on(enginePortChannel, (event) => {
  window.postMessage({ type: enginePortMessage }, location.origin, event.ports);
});
