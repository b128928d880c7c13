/**
 * Runs sandboxed in every page before the page's own scripts. Only forwards messages: main checks the caller and the
 * call.
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

// Main blocks other addresses, but receives no event before a page navigates to an empty page such as about:blank, or
// changes its address without loading it. This listener runs first, in a context that the page cannot access.
window.navigation.addEventListener('navigate', (event) => {
  const { url, sameDocument } = event.destination;
  const isOther = withoutFragment(url) !== withoutFragment(location.href);
  if (url.startsWith('about:') || (sameDocument && isOther)) event.preventDefault();
});

function withoutFragment(url: string): string {
  return url.replace(/#.*/s, '');
}

// A port cannot be passed through the context bridge. Only a window message can transfer it to the page's context.
ipcRenderer.on(enginePortChannel, (event) => {
  window.postMessage({ type: enginePortMessage }, location.origin, event.ports);
});
