/**
 * Takes the ports to the engine host that the preload hands into the page.
 */
import { enginePortMessage } from '../../electron/ipc/channels.ts';
import { type Transport, transportOverPort } from '../../electron/ipc/transport.ts';

/**
 * Calls back with each new port as a transport. Only this very window, from its own origin, may hand one in; whatever else
 * arrives (a frame, another window) is ignored. Returns the subscription's end.
 */
export function listenForEnginePort(page: Window, listener: (transport: Transport) => void): () => void {
  const take = (event: MessageEvent): void => {
    const { data, source, origin, ports } = event;
    if (source !== page || origin !== page.location.origin || data?.type !== enginePortMessage) return;
    const [port] = ports;
    if (port !== undefined) listener(transportOverPort(port));
  };
  page.addEventListener('message', take);
  return () => page.removeEventListener('message', take);
}
