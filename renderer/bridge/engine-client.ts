/**
 * The engine from the point of view of the page: typed calls and streams that outlive their port. The host may end and
 * return with a new port. Callers only notice that pending calls fail.
 */
import { enginePortMessage } from '../../electron/ipc/channels.ts';
import { engineContract } from '../../electron/ipc/contracts/engine-contract.ts';
import { type ArgsOf, type Client, createClient, type ItemOf, type ResultOf } from '../../electron/ipc/rpc.ts';
import { type Transport, transportOverPort } from '../../electron/ipc/transport.ts';

type EngineContract = typeof engineContract;

/** Result of a call to the engine. */
export type EngineResult<Name extends keyof EngineContract> = ResultOf<EngineContract[Name]>;

/** Item of a stream of the engine. */
export type EngineItem<Name extends keyof EngineContract> = ItemOf<EngineContract[Name]>;

/** Arguments of a call to the engine. */
export type EngineArgs<Name extends keyof EngineContract> = ArgsOf<EngineContract[Name]>;

/**
 * Calls wait while no host is connected, and reject with `rpc.disconnected` if the host ends before it responds. A
 * stream continues with each new host.
 */
export interface EngineClient extends Client<EngineContract> {
  /**
   * Calls the listener for each host that becomes reachable, including the first. Returns a function that unsubscribes.
   */
  onConnected(listener: () => void): () => void;
}

/** Calls needed to show the first file. The host answers the calls for flows before it has loaded its engine. */
const firstCalls: ReadonlySet<string> = new Set(['listFlows', 'readFlow', 'readAgent', 'readFile']);

/** A host that is reachable or will be. */
interface Connection {
  readonly host: Promise<Client<EngineContract>>;
  readonly resolve: (host: Client<EngineContract>) => void;
  isOpen: boolean;
}

function createConnection(): Connection {
  let resolve: Connection['resolve'] = () => undefined;
  const host = new Promise<Client<EngineContract>>((settle) => {
    resolve = settle;
  });
  return { host, resolve, isOpen: false };
}

/**
 * Creates a client that follows the engine host from port to port.
 * @param onTransport called with each new port
 * @param whenPainted until this resolves, only the calls for the first file are sent; streams and other calls begin
 * after it. If undefined, nothing waits
 */
export function createEngineClient(
  onTransport: (listener: (transport: Transport) => void) => unknown,
  whenPainted?: Promise<unknown>,
): EngineClient {
  const connectedListeners = new Set<() => void>();
  /** Functions that start each stream again with a new host. */
  const streams = new Set<(host: Client<EngineContract>) => void>();
  let connection = createConnection();
  /** The client of the current host. */
  let current: Client<EngineContract> | undefined;
  let isPainted = whenPainted === undefined;
  const beginStreams = (): void => {
    if (isPainted && current !== undefined) for (const begin of streams) begin(current);
  };
  void whenPainted?.then(() => {
    isPainted = true;
    beginStreams();
  });

  onTransport((transport) => {
    // A port that arrives before the previous one has closed replaces it.
    if (connection.isOpen) connection = createConnection();
    const opened = connection;
    current = createClient(engineContract, transport);
    opened.isOpen = true;
    opened.resolve(current);
    transport.onClose(() => {
      if (connection !== opened) return;
      connection = createConnection();
      current = undefined;
    });
    beginStreams();
    for (const listener of connectedListeners) listener();
  });

  return {
    async call(name, ...args) {
      if (!isPainted && !firstCalls.has(name)) await whenPainted;
      return (await connection.host).call(name, ...args);
    },
    stream(name, listener) {
      let end: (() => void) | undefined;
      const begin = (host: Client<EngineContract>): void => {
        end = host.stream(name, listener);
      };
      streams.add(begin);
      if (isPainted && current !== undefined) begin(current);
      return () => {
        streams.delete(begin);
        end?.();
      };
    },
    onConnected(listener) {
      connectedListeners.add(listener);
      return () => connectedListeners.delete(listener);
    },
  };
}

/**
 * Calls the listener with each new port as a transport. Accepts ports only from this window and its origin; messages
 * from a frame or another window are ignored. Returns a function that unsubscribes.
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
