/**
 * An abstract message connection between two processes.
 */

/** One end of a bidirectional message connection. Messages arrive in the order they were posted. */
export interface Transport {
  /** Sends a structured-cloneable message. Has no effect once the connection is closed. */
  post(message: unknown): void;
  /** Returns a function that removes the listener. */
  onMessage(listener: (message: unknown) => void): () => void;
  /**
   * Calls the listener once when either end closes the connection, or immediately if it is already closed. Returns a
   * function that removes the listener.
   */
  onClose(listener: () => void): () => void;
}

/** A transport that its owner can close. */
export interface PortTransport extends Transport {
  /** Closes the connection and calls the `onClose` listeners of both ends. */
  close(): void;
}

interface PortEvent {
  readonly type: string;
  readonly data?: unknown;
}

/** The common interface of a page's `MessagePort` and Node's. */
export interface EventTargetPort {
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
  addEventListener(type: string, listener: (event: PortEvent) => void): void;
}

/** Starts a page's (or Node's) message port and wraps it in a transport. */
export function transportOverPort(port: EventTargetPort): PortTransport {
  const line = createLine(port);
  port.addEventListener('message', (event) => line.deliver(event.data));
  port.addEventListener('close', line.cut);
  port.start();
  return line;
}

/** A transport, and the methods through which its port reports messages and its end. */
export interface TransportLine extends PortTransport {
  deliver(message: unknown): void;
  /** Must be called when the port has closed. Notifies the listeners and releases them. */
  cut(): void;
}

/** Creates the listener side of a transport, which is the same for all port types. */
export function createLine(port: { postMessage(message: unknown): void; close(): void }): TransportLine {
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
