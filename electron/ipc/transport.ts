/**
 * What carries messages between two processes, whatever it is made of.
 */

/** One end of a two-way message line. Messages arrive in the order they were posted. */
export interface Transport {
  /** Sends a structured-cloneable message; does nothing once the line is cut. */
  post(message: unknown): void;
  /** Returns the subscription's end. */
  onMessage(listener: (message: unknown) => void): () => void;
  /** Tells once when either end cuts the line, at once when that has happened. Returns the subscription's end. */
  onClose(listener: () => void): () => void;
}

/** A transport that its owner can close. */
export interface PortTransport extends Transport {
  /** Cuts the line; the `onClose` listeners of both ends are told. */
  close(): void;
}

interface PortEvent {
  readonly type: string;
  readonly data?: unknown;
}

/** What a page's `MessagePort` and Node's have in common. */
export interface EventTargetPort {
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
  addEventListener(type: string, listener: (event: PortEvent) => void): void;
}

/** Starts a page's (or Node's) message port and makes it a transport. */
export function transportOverPort(port: EventTargetPort): PortTransport {
  const line = createLine(port);
  port.addEventListener('message', (event) => line.deliver(event.data));
  port.addEventListener('close', line.cut);
  port.start();
  return line;
}

/** A transport, and the handles by which the port under it reports. */
export interface Line extends PortTransport {
  deliver(message: unknown): void;
  /** The port is closed: tells the listeners and lets go of them. */
  cut(): void;
}

/** The listeners' side of a transport, the same for every kind of port. */
export function createLine(port: { postMessage(message: unknown): void; close(): void }): Line {
  const messageListeners = new Set<(message: unknown) => void>();
  const closeListeners = new Set<() => void>();
  let isOpen = true;
  const cut = (): void => {
    if (!isOpen) return;
    isOpen = false;
    messageListeners.clear();
    const toTell = [...closeListeners];
    closeListeners.clear();
    for (const listener of toTell) listener();
  };
  return {
    post(message) {
      if (isOpen) port.postMessage(message);
    },
    onMessage(listener) {
      messageListeners.add(listener);
      return () => messageListeners.delete(listener);
    },
    onClose(listener) {
      if (!isOpen) listener();
      else closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    close() {
      port.close();
      cut();
    },
    deliver(message) {
      for (const listener of messageListeners) listener(message);
    },
    cut,
  };
}
