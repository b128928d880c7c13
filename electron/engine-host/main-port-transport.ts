/**
 * Electron's own kind of message port, as a transport.
 */
import type { MessagePortMain } from 'electron';
import { createLine, type PortTransport } from '../ipc/transport.ts';

/** Starts a port that main handed over and makes it a transport. */
export function transportOverMainPort(port: MessagePortMain): PortTransport {
  const line = createLine(port);
  port.on('message', ({ data }) => line.deliver(data));
  port.on('close', line.cut);
  port.start();
  return line;
}
